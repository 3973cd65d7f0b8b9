import { realpathSync } from 'node:fs';
import path from 'node:path';
import { COMPANION_OUT, runInCompanion } from '../adapters/docker/companion.ts';
import { createEngine } from '../adapters/docker/engine.ts';
import { locateEngine } from '../adapters/docker/place.ts';
import { git } from '../adapters/git/git.ts';
import { UsageError } from '../app/failures.ts';
import type { Progress } from '../app/ports/progress.ts';
import type { RunOptions } from '../app/run.ts';

/** Why and where a run goes, whose engine is not here. */
export interface CompanionCall {
  options: RunOptions;
  /** Absolute. */
  out: string;
  /** The record instead of tables. */
  json: boolean;
  /** A line of the result. */
  print(line: string): void;
  progress: Progress;
}

/**
 * Where the engine's containers cannot be measured from here (a container job, a remote engine, Docker Desktop), the run is
 * made by a container beside them. Resolves to its exit status, with the results in `out`; null where the engine is here, or
 * none is wanted.
 */
export async function companionRun(call: CompanionCall, signal: AbortSignal): Promise<number | null> {
  const { options, out, json, print, progress } = call;
  if (options.runtime === 'process' || process.env.WRKBENCH_COMPANION === 'off') return null;
  const engine = createEngine(process.env);
  const location = await locateEngine(engine, process.env);
  if (location === null || location.place === 'here') return null;
  if (options.resume) {
    throw new UsageError(
      'A run whose engine is elsewhere cannot be gone on with. Start a new one in another folder (--out).',
    );
  }
  const where = location.place === 'beside' ? 'the machine around this container' : 'another machine';
  progress.say(`The engine is on ${where}: wrkbench measures there, in a container beside the servers.`);
  const { directory, inside, spec } = await placesOf(options);
  return await runInCompanion(
    engine,
    location,
    {
      directory,
      inside,
      program: __dirname,
      command: ['run', spec, '--out', COMPANION_OUT, ...argumentsOf(options), ...(json ? ['--json'] : [])],
      environment: workflowVariables(),
      out,
      onResult: print,
      progress,
    },
    signal,
  );
}

/** The repository that the spec lies in, else its folder. */
async function placesOf({ specFile, specDirectory }: RunOptions) {
  const folder = realpathSync(specDirectory);
  const { failure, stdout } = await git(folder, ['rev-parse', '--show-toplevel']);
  const directory = failure === null && stdout.trim() !== '' ? stdout.trim() : folder;
  return { directory, inside: path.relative(directory, folder), spec: path.basename(specFile) };
}

function argumentsOf(options: RunOptions): string[] {
  const { only, quick, shard, seed, baseline, accepted, failOnInconclusive, noSkip } = options;
  return [
    ...['--runtime', 'docker'],
    ...(only === null ? [] : ['--only', only]),
    ...(quick ? ['--quick'] : []),
    ...(shard == null ? [] : ['--shard', `${shard.index}/${shard.count}`]),
    ...(seed === null ? [] : ['--seed', String(seed)]),
    ...(baseline === null ? [] : baseline.phraseFrom === 'spec' ? ['--baseline'] : ['--baseline', baseline.text]),
    ...accepted.flatMap(({ cases, metric, reason }) => [
      '--accept',
      `${cases}${metric === null ? '' : `:${metric}`}=${reason}`,
    ]),
    ...(failOnInconclusive ? ['--fail-on-inconclusive'] : []),
    ...(noSkip ? ['--no-skip'] : []),
  ];
}

/** What a run reads of a workflow; no token is among them. The event's file is not there: its numbers are in these. */
function workflowVariables(): Record<string, string> {
  const names = [
    'GITHUB_ACTIONS',
    'GITHUB_EVENT_NAME',
    'GITHUB_SHA',
    'GITHUB_REF',
    'GITHUB_BASE_REF',
    'GITHUB_REPOSITORY',
    'GITHUB_SERVER_URL',
  ];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]!]])),
  );
}
