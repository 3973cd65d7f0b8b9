import { copyFile, mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { dockerRuntime } from '../../adapters/docker/runtime.ts';
import { writeExampleRepository } from '../../adapters/git/example-repository.ts';
import { progressOn } from '../../adapters/terminal/progress.ts';
import { countingOnly, DEMO_REQUEST, withAddedQuery } from '../../app/demo.ts';
import { MachineLacks, UsageError } from '../../app/failures.ts';
import type { Progress } from '../../app/ports/progress.ts';
import { type RunOptions, runOptions } from '../../app/run/run-options.ts';
import { absoluteLimits } from '../../core/comparison/absolute-limits.ts';
import type { Comparison } from '../../core/comparison/comparison.ts';
import { comparisonOf } from '../../core/comparison/comparison-of.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { Runtime, WantedRuntime } from '../../core/doctor/runtime.ts';
import { counted } from '../../core/format/figures.ts';
import { shellWord } from '../../core/format/shell-word.ts';
import { wrapped } from '../../core/format/text.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import { comparisonText } from '../../core/report/comparison/text.ts';
import { demoResult } from '../../core/report/demo-text.ts';
import { unfinished } from '../demo-status.ts';
import { EXIT } from '../failure.ts';
import { interruptible } from '../interruption.ts';
import { print, printError } from '../output.ts';
import { type ShownResult, summary } from '../run-outcome.ts';
import { outputColors, outputWidth } from '../terminal.ts';
import { isFolder, specFile } from './files.ts';
import { recordAt } from './record-file.ts';
import { measured } from './run.ts';

/** Specs, SQL and the server as one file; `scripts/build.mjs` puts them beside the bundle. */
const SUITE = path.join(__dirname, 'demo');
const SERVER = 'demo-server.cjs';
/** Spec of the server beside its copy; the suite's own `wrkbench.yml` is that of the matrix. */
const COMPARISON_SPEC = 'comparison.yml';
const SPEC = 'wrkbench.yml';
/** Folder of the repository that is compared. */
const REPOSITORY = 'server';
/** What a demo leaves in its folder. */
const RESULTS = ['run.json', 'comparison.json', 'report.md', 'report.html', 'journal.jsonl', 'raw', REPOSITORY];

export interface DemoOptions {
  out: string;
  runtime: WantedRuntime;
  matrix?: boolean;
  quick?: boolean;
}

export async function demoCommand({ out, runtime, matrix = false, quick = false }: DemoOptions): Promise<number> {
  const demo = { out, folder: path.resolve(out), runtime, quick };
  await mkdir(demo.folder, { recursive: true });
  await setAside(demo.folder);
  return interruptible((signal) => (matrix ? matrixDemo(demo, signal) : comparisonDemo(demo, signal)));
}

interface Demo {
  /** As the call has it. */
  out: string;
  /** Absolute. */
  folder: string;
  runtime: WantedRuntime;
  quick: boolean;
}

/** The bundled server, and a copy that sends one query more: two commits of a repository, as a pull request has them. */
async function comparisonDemo(demo: Demo, signal: AbortSignal): Promise<number> {
  const { out, folder, quick } = demo;
  printError(
    `This demo adds one database query to ${DEMO_REQUEST} of a small Node.js server, and has wrkbench compare before and after.\n` +
      `It takes ${quick ? 'a quarter of a minute' : 'about a minute'}; Ctrl-C stops it and keeps what was measured.\n\n`,
  );
  const repository = path.join(folder, REPOSITORY);
  const failure = await writeExampleRepository(repository, await versions(quick), signal);
  if (failure !== null) {
    throw new MachineLacks(
      `The demo compares two commits, and its repository cannot be made in ${repository}: ${failure}. Install git, as with apt-get install git, or choose another folder with --out.`,
    );
  }
  const options = await demoOptions(demo, path.join(repository, SPEC), signal);
  const baseline = { text: 'commit:HEAD~1', phraseFrom: 'call', recordDirectory: folder } as const;
  const result = await resultOf({ ...options, baseline }, out, signal);
  if (typeof result === 'number') return result;
  const { record, comparison } = result;
  if (signal.aborted) {
    print(`\nThe demo was stopped before its verdict. What it had measured is in ${path.join(out, 'report.html')}.\n`);
    return EXIT.interrupted;
  }
  const status = unfinished(record, signal);
  if (status !== null || comparison === null) {
    print(summary(result, out));
    return status ?? EXIT.gateFailed;
  }
  const { found, text } = demoResult(comparison, DEMO_REQUEST);
  const width = outputWidth();
  print(
    found
      ? `\n${comparisonText(comparison, { record, style: outputColors(), width, brief: true })}`
      : summary(result, out),
  );
  print(`\n${wrapped(text, Math.min(100, width)).join('\n')}\n${found ? whereToLook(out) : ''}`);
  return found ? EXIT.done : EXIT.gateFailed;
}

async function versions(quick: boolean) {
  const text = (name: string) => readFile(path.join(SUITE, name), 'utf8');
  const [server, spec] = await Promise.all([text(SERVER), text(COMPARISON_SPEC)]);
  const unchanged = ['Dockerfile', 'schema.sql', 'users.sql'];
  const others = await Promise.all(unchanged.map(async (name) => [name, await text(name)] as const));
  return [
    {
      subject: 'Bring the server',
      files: { ...Object.fromEntries(others), [SERVER]: server, [SPEC]: quick ? countingOnly(spec) : spec },
    },
    { subject: `Count the users in each ${DEMO_REQUEST}`, files: { [SERVER]: withAddedQuery(server) } },
  ];
}

function whereToLook(out: string): string {
  return `
Report         ${path.join(out, 'report.html')} (open it in a browser)
The change     git -C ${shellWord(path.join(out, REPOSITORY))} show
Your server    ${ownCommand()} init, in the folder of its repository
`;
}

/** How this command is called again: from a clone, through npx, or by its name. */
function ownCommand(): string {
  const program = process.argv[1] ?? '';
  if (path.basename(program) === 'cli.cjs') return `node ${shellWord(program)}`;
  return process.env.npm_command === 'exec' ? 'npx wrkbench' : 'wrkbench';
}

/** All cases of the bundled server, to look around. One that the machine spoilt takes nothing from the others. */
async function matrixDemo(demo: Demo, signal: AbortSignal): Promise<number> {
  const { out, folder, quick } = demo;
  for (const name of await readdir(SUITE)) {
    if (name !== COMPARISON_SPEC) await copyFile(path.join(SUITE, name), path.join(folder, name));
  }
  const options = await demoOptions(demo, path.join(folder, SPEC), signal);
  const result = await resultOf({ ...options, quick }, out, signal);
  if (typeof result === 'number') return result;
  print(summary(result, out));
  const status = unfinished(result.record, signal);
  if (status !== null) return status;
  const invalid = result.record.cases.filter((each) => each.status === 'invalid').length;
  if (invalid > 0) {
    const text = `${counted(invalid, 'case')} could not be measured here, and the table says why. The others count.`;
    print(`\n${wrapped(text, outputWidth()).join('\n')}\n`);
  }
  return EXIT.done;
}

async function demoOptions({ runtime }: Demo, file: string, signal: AbortSignal): Promise<RunOptions> {
  const { spec } = await specFile(file);
  const possible = runtime === 'auto' ? await possibleRuntime(spec, path.dirname(file), signal) : runtime;
  return runOptions(spec, file, { runtime: possible });
}

/** What was measured, wherever; a number is the exit status where nothing came of it. */
async function resultOf(options: RunOptions, out: string, signal: AbortSignal): Promise<ShownResult | number> {
  const printed: string[] = [];
  const how = { json: false, printLine: (line: string) => printed.push(line), progress: briefProgress() };
  const result = await measured(options, out, how, signal);
  if (typeof result !== 'number') return result;
  if (result !== EXIT.done && result !== EXIT.gateFailed) {
    print(`${printed.join('\n')}\n`);
    return result;
  }
  const record = await recordAt(out);
  return { record, comparison: comparisonIn(record), limits: absoluteLimits(record) };
}

/** Without what the engine says while it builds the images; a build that fails brings its last lines itself. */
function briefProgress(): Progress {
  const progress = progressOn(process.stderr, process.env);
  const isBuilding = (text: string) => /^(?:baseline: )?rest-node: /.test(text);
  return { ...progress, say: (text) => (isBuilding(text) ? undefined : progress.say(text)) };
}

function comparisonIn({ comparing, ...record }: RunRecord): Comparison | null {
  return comparing === undefined ? null : comparisonOf({ ...record, comparing });
}

/** What an earlier demo left moves to `earlier/TIME`: a second one loses nothing of the first. */
async function setAside(folder: string): Promise<void> {
  const repository = path.join(folder, REPOSITORY);
  if ((await isFolder(repository)) && !(await isFolder(path.join(repository, '.git')))) {
    throw new UsageError(`${repository} is not of an earlier demo. Choose another folder for this one with --out.`);
  }
  const earlier = [path.join(folder, 'journal.jsonl'), repository];
  const times = await Promise.all(earlier.map((file) => stat(file).catch(() => null)));
  const time = times.find((found) => found !== null)?.mtime;
  if (time === undefined) return;
  const aside = path.join(folder, 'earlier', time.toISOString().slice(0, 19).replaceAll(':', '-'));
  await mkdir(aside, { recursive: true });
  for (const name of RESULTS) {
    await rename(path.join(folder, name), path.join(aside, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

/** A demo is not worth a longer wait for images; a machine without a way to a registry shows it at once. */
const IMAGES_SECONDS = 75;

/** Containers where an engine answers and the demo's images can be had, else processes. */
async function possibleRuntime(spec: ResolvedSpec, folder: string, signal: AbortSignal): Promise<Runtime> {
  const runtime = dockerRuntime({ environment: process.env });
  const engine = await runtime.version().catch(() => null);
  if (engine === null) return 'process';
  printError(`Docker ${engine} answers; getting the demo's images (${IMAGES_SECONDS} s at most)\n`);
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(IMAGES_SECONDS * 1000)]);
  const request = { runId: 'demo', spec, services: spec.services, specDirectory: folder, onLine: () => undefined };
  const prepared = await runtime.prepare(request, inTime).catch(() => null);
  signal.throwIfAborted();
  const failure = prepared?.find((service) => service.failure !== null)?.failure;
  if (prepared !== null && failure === undefined) return 'docker';
  printError(`${failure?.message ?? 'The images did not come in time.'}\nThe demo continues without containers.\n`);
  return 'process';
}
