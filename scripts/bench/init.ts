import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { readSpec } from '../../src/core/config/read.ts';
import { DETECTED_ALONE, type MeasuredRepository, REPOSITORIES } from './init/repositories.ts';
import { baseImages } from './init/stand-ins.ts';
import { atLeast, type BenchResult } from './target.ts';

const CLI = path.resolve('dist/cli.cjs');
const FIXTURES = path.resolve('fixtures/repositories');
/** What installing leaves, and the next run finds again. */
const KEPT = new Set(['node_modules', '.venv', 'target', 'dist']);
const CACHE = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'wrkbench', 'repositories');

const LEAST = 10;

/** Of each repository of fixtures/repositories: does the spec that `init` writes validate, and does it run unchanged? */
export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  const possible = REPOSITORIES.filter((repository) => missing(repository) === null);
  const images = baseImages(
    possible.flatMap((repository) => repository.images ?? []),
    say,
  );
  const figures: BenchResult['figures'] = {};
  let valid = 0;
  let running = 0;
  try {
    for (const repository of REPOSITORIES) {
      const lack = missing(repository);
      const outcome = lack === null ? measured(repository, say) : { isValid: false, isRunning: false, text: lack };
      figures[repository.name] = outcome.text;
      say(`${repository.name}: ${outcome.text}`);
      if (outcome.isValid) valid += 1;
      if (outcome.isRunning) running += 1;
    }
  } finally {
    images.remove();
  }
  for (const { name, program } of DETECTED_ALONE) {
    const { status } = copied(name, (folder) => called(['init', '--dry-run', folder], folder));
    figures[name] = `${status === 0 ? 'a spec is proposed' : 'no spec is proposed'}; not tried: no ${program} here`;
  }
  if (images.standIns.length > 0) figures['stand-ins for images that cannot be pulled'] = images.standIns.join(', ');
  figures['repositories that were tried'] = possible.length;
  return {
    figures,
    targets: [
      atLeast('repositories whose spec validates', valid, REPOSITORIES.length),
      atLeast(`repositories of ${REPOSITORIES.length} whose spec runs unchanged`, running, LEAST),
    ],
  };
}

interface Outcome {
  isValid: boolean;
  isRunning: boolean;
  text: string;
}

function missing({ programs }: MeasuredRepository): string | null {
  const lacking = programs.filter((program) =>
    program === 'docker' ? spawnSync('docker', ['version']).status !== 0 : spawnSync('which', [program]).status !== 0,
  );
  return lacking.length === 0 ? null : `not tried: no ${lacking.join(' and no ')} here`;
}

/** In a copy that keeps what was installed, so that a second run downloads nothing. */
function copied<T>(name: string, action: (folder: string) => T): T {
  const folder = path.join(CACHE, name);
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(folder)) {
    if (!KEPT.has(entry)) rmSync(path.join(folder, entry), { recursive: true, force: true });
  }
  cpSync(path.join(FIXTURES, name), folder, {
    recursive: true,
    filter: (source) => path.relative(path.join(FIXTURES, name), source) !== 'expected',
  });
  return action(folder);
}

function measured(repository: MeasuredRepository, say: (line: string) => void): Outcome {
  return copied(repository.name, (folder) => {
    for (const [program, ...args] of repository.install) {
      say(`${repository.name}: ${[program, ...args].join(' ')}`);
      const { status, stderr } = spawnSync(program!, args, { cwd: folder, encoding: 'utf8' });
      if (status !== 0) return { isValid: false, isRunning: false, text: `cannot be installed: ${lastLine(stderr)}` };
    }
    const paths = (repository.path ?? []).map((each) => path.join(folder, each));
    const env = { PATH: [...paths, process.env.PATH].join(':') };
    const specs = Object.keys(repository.own);
    const first = called(['init', '--yes', '--dry-run'], folder, env);
    const unnamed = repository.leftOut.filter((each) => !first.stdout.includes(each));
    const tried = called(['init', '--yes'], folder, env);
    if (specs.some((spec) => !existsSync(path.join(folder, spec)))) {
      return { isValid: false, isRunning: false, text: `no spec: ${lastLine(tried.stderr)}` };
    }
    const isValid = specs.every((spec) => called(['validate', spec], folder).status === 0);
    const silent = specs.filter((spec) => !answers(folder, spec, repository));
    const problems = [
      ...(tried.status === 0
        ? []
        : [`init exits with ${tried.status}: ${tried.stdout.trim().split('\n').at(-2) ?? ''}`]),
      ...silent.map((spec) => `${spec}: ${repository.own[spec]!.endpoint} does not answer, or without a database`),
      ...unnamed.map((each) => `does not name ${each}`),
    ];
    const runtime = repository.images === undefined ? 'as a process' : 'from its Dockerfile';
    const isRunning = isValid && problems.length === 0;
    const text = isRunning ? `runs unchanged ${runtime}, ${countsOf(folder, specs)}` : problems.join('; ');
    return { isValid, isRunning, text: isValid ? text : `does not validate; ${text}` };
  });
}

/** What stands in the spec has answered. */
function answers(folder: string, spec: string, { own }: MeasuredRepository): boolean {
  const { endpoints, database } = readSpec(readFileSync(path.join(folder, spec), 'utf8'), spec);
  const { endpoint, database: isWired } = own[spec]!;
  return endpoints.some(({ name }) => name === endpoint) && (database !== null || !isWired);
}

function countsOf(folder: string, specs: readonly string[]): string {
  const all = specs.map((spec) => readSpec(readFileSync(path.join(folder, spec), 'utf8'), spec));
  const endpoints = all.reduce((sum, spec) => sum + spec.endpoints.length, 0);
  const isWired = all.some(({ database }) => database !== null);
  return `${endpoints} endpoints answer${isWired ? ', database wired' : ''}`;
}

function called(args: string[], cwd: string, env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [CLI, ...args], { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
