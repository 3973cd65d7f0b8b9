import { existsSync, realpathSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createEngine } from '../adapters/docker/engine.ts';
import { copyLogins } from '../adapters/docker/logins.ts';
import { locateEngine } from '../adapters/docker/place.ts';
import { type Copy, RUNNER_CONTAINER_OUT, runInRunnerContainer } from '../adapters/docker/runner-container.ts';
import { copyHistory } from '../adapters/files/record-history.ts';
import { git } from '../adapters/git/git.ts';
import { makeTemporaryFolder } from '../adapters/process/temporary-folder.ts';
import { UsageError } from '../app/failures.ts';
import type { RecordHistory } from '../app/ports/baselines.ts';
import type { CallerVariables } from '../app/ports/caller-variables.ts';
import type { Progress } from '../app/ports/progress.ts';
import type { RunOptions } from '../app/run/run-options.ts';
import { variablesOf } from '../core/config/caller-variables.ts';
import { RUNNER_CONTAINER, RUNNER_CONTAINER_VARIABLES } from '../core/topology/runner-container.ts';

/** Why and where a run goes, whose engine is not here. */
export interface RunnerContainerCall {
  options: RunOptions;
  /** Absolute. */
  out: string;
  /** The record instead of tables. */
  json: boolean;
  /** Earlier runs: they are brought along where the run may compare with them. */
  history: RecordHistory;
  /** What the spec may name of the caller's, which is brought along. */
  variables: CallerVariables;
  /** A line of the result. */
  print(line: string): void;
  progress: Progress;
}

/**
 * Where the engine's containers cannot be measured from here (a container job, a remote engine, Docker Desktop), the run is
 * made by a container beside them. Resolves to its exit status, with the results in `out`; null where the engine is here, or
 * none is wanted.
 */
export async function runnerContainerRun(call: RunnerContainerCall, signal: AbortSignal): Promise<number | null> {
  const { options, out, json, print, progress } = call;
  if (options.runtime === 'process' || process.env.WRKBENCH_RUNNER_CONTAINER === 'off') return null;
  const engine = createEngine(process.env);
  const location = await locateEngine(engine, process.env);
  if (location === null || location.place === 'here') return null;
  if (options.resume) {
    throw new UsageError(
      'A run whose engine is on another machine cannot be resumed. Start a new one in another folder (--out).',
    );
  }
  const where = location.place === 'beside' ? 'the machine around this container' : 'another machine';
  progress.say(`The engine is on ${where}: wrkbench measures there, in a container beside the servers.`);
  const { directory, inside, spec } = await placesOf(options);
  const folder = await makeTemporaryFolder('history');
  try {
    const [past, event, logins] = [await pastRuns(call, folder), workflowEvent(), await registryLogins(folder)];
    return await runInRunnerContainer(
      engine,
      location,
      {
        directory,
        inside,
        program: __dirname,
        brought: [...past.brought, ...event.brought, ...logins.brought],
        command: ['run', spec, '--out', RUNNER_CONTAINER_OUT, ...argumentsOf(options), ...(json ? ['--json'] : [])],
        environment: {
          ...variablesNamed(call),
          ...workflowVariables(),
          ...past.environment,
          ...event.environment,
          ...logins.environment,
        },
        out,
        onResult: print,
        progress,
      },
      signal,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Brought {
  brought: Copy[];
  environment: Record<string, string>;
}

/** Neither the data branch nor a folder of this machine is there. A run without a baseline reads of neither. */
async function pastRuns({ options, history }: RunnerContainerCall, folder: string): Promise<Brought> {
  const { baseline, spec } = options;
  if (baseline === null || (baseline.phraseFrom === 'call' && baseline.text === 'none')) {
    return { brought: [], environment: {} };
  }
  const runs = path.join(folder, 'runs');
  await mkdir(runs);
  await copyHistory(history, spec.name, runs);
  const { history: variable, historyPlace } = RUNNER_CONTAINER_VARIABLES;
  return {
    brought: [{ from: `${runs}/.`, to: RUNNER_CONTAINER.history }],
    environment: { [variable]: RUNNER_CONTAINER.history, [historyPlace]: history.place },
  };
}

/** Its file says which branch is the default one, and which pull request it is about. */
function workflowEvent(): Brought {
  const file = process.env.GITHUB_EVENT_PATH;
  if (!file || !existsSync(file)) return { brought: [], environment: {} };
  return {
    brought: [{ from: file, to: RUNNER_CONTAINER.event }],
    environment: { GITHUB_EVENT_PATH: RUNNER_CONTAINER.event },
  };
}

/** Images are pulled by the command there, which has no logins of its own. */
async function registryLogins(folder: string): Promise<Brought> {
  const own = path.join(folder, 'logins');
  await mkdir(own);
  if (!(await copyLogins(process.env, own))) return { brought: [], environment: {} };
  return {
    brought: [{ from: `${own}/.`, to: RUNNER_CONTAINER.logins }],
    environment: { DOCKER_CONFIG: RUNNER_CONTAINER.logins },
  };
}

/** The repository that the spec lies in, else its folder. */
async function placesOf({ specFile, specDirectory }: RunOptions) {
  const folder = realpathSync(specDirectory);
  const { failure, stdout } = await git(folder, ['rev-parse', '--show-toplevel']);
  const directory = failure === null && stdout.trim() !== '' ? stdout.trim() : folder;
  return { directory, inside: path.relative(directory, folder), spec: path.basename(specFile) };
}

function argumentsOf(options: RunOptions): string[] {
  const { only, quick, shard, seed, baseline, accepted, failOnInconclusive, noSkip, waitSeconds } = options;
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
    ...(waitSeconds === null ? [] : ['--wait', waitSeconds === 0 ? '0' : `${waitSeconds}s`]),
  ];
}

/** A baseline's spec finds there what the candidate's names, and no more. */
function variablesNamed({ options: { spec }, variables }: RunnerContainerCall): Record<string, string> {
  const named = variablesOf(spec).map(({ name }) => [name, variables.value(name)] as const);
  return Object.fromEntries(named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** What a run reads of a workflow; no token is among them. */
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
