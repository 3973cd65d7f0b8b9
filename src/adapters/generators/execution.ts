import { basename, join } from 'node:path';
import { GeneratorNotStarted, type GeneratorRunRequest } from '../../app/ports/generators.ts';
import { parseCpuList } from '../../core/config/cpu-list.ts';
import type { GeneratorOutput, Invocation, InvocationRequest } from '../../core/generators/definition.ts';
import { type GeneratorName, generators } from '../../core/generators/registry.ts';
import { begunInTurn } from '../../core/requests/turn.ts';
import { groupId, ownIdentity } from '../process/owner.ts';
import { nobody } from '../process/system-user.ts';
import { type ChildRun, runChild } from './child.ts';
import { confined } from './confinement.ts';
import type { FinishLane } from './finish-line.ts';
import { type HandedProgram, handProgram } from './handed-program.ts';
import { type Environment, locateGenerator } from './locate.ts';
import { scriptOf } from './script.ts';
import type { Lane } from './start-line.ts';
import { makeWorkFolder, type WorkFolder } from './work-folder.ts';

export interface ExecutionOptions {
  /** Folder of the spec file, absolute: what a script of the spec's own is relative to. */
  specDirectory: string;
  /** Where programs are looked for. */
  environment: Environment;
  /** Where the folders of executions are made; by default the system's. */
  workDirectory?: string | undefined;
}

/** One process of a generator; what can be done before its start is done. */
export interface Execution {
  name: GeneratorName;
  invocation: Invocation;
  /** While it starts up: for those who asked for it, as what follows. */
  beforeLoad(): Promise<void>;
  /** Right before its load begins. */
  onStart(): void;
  /** While its connections are open after its load. */
  whileOpen(): Promise<void>;
  /**
   * Launches it before it returns, and resolves when it has ended. Its load begins, and its connections are closed, where `lanes`
   * let it; at once where they are null. Rejects as `runChild` does.
   */
  run(lanes: Lanes | null, signal: AbortSignal): Promise<ExecutionRun>;
  /** Its folder, whether it was run or not. */
  remove(): Promise<void>;
}

interface Lanes {
  start: Lane;
  finish: FinishLane;
}

export interface ExecutionRun extends ChildRun {
  /** What it has left, of `invocation.results`, and its `largeResult`. */
  files: GeneratorOutput['files'];
}

/** Beside its connections: log, result, epoll, the event loops of threads, what a runtime opens for itself. */
const OWN_FILES = 256;

/**
 * For what one process serves: a request, or both of a duet where its generator can, on the same CPUs. Rejects with
 * `GeneratorNotStarted`, and leaves nothing behind then.
 */
export async function prepareExecution(
  requests: readonly [GeneratorRunRequest] | readonly [GeneratorRunRequest, GeneratorRunRequest],
  { specDirectory, environment, workDirectory }: ExecutionOptions,
): Promise<Execution> {
  const [{ case: testCase, cpus }] = requests;
  const name = testCase.generator;
  const program = locate(name, environment);
  const scripts = await Promise.all(requests.map((request) => scriptOf(request, specDirectory)));
  const cpuCount = cpus === null ? null : (parseCpuList(cpus)?.length ?? null);
  const hasScript = scripts.some((script) => script !== null);
  // A script of somebody's may read whatever it likes as root.
  const user = hasScript ? nobody() : null;
  const folder = await makeWorkFolder(workDirectory, user);
  let handed: HandedProgram | null = null;
  const remove = async () => {
    await handed?.close();
    await folder.remove();
  };
  try {
    if (user !== null) handed = await handProgram(program, folder.path);
    const invocationRequests = requests.map((request, index) => ({
      case: begun(request),
      origin: request.origin,
      durationSeconds: request.durationSeconds,
      rate: request.rate,
      cpuCount,
      directory: folder.path,
      script: scripts[index]?.path ?? null,
    }));
    const invocation = invocationOf(name, invocationRequests);
    await folder.write({ ...invocation.files, ...invocation.binaryFiles });
    const [script] = scripts;
    for (const each of script == null ? [] : (invocation.scriptFolders ?? [])) {
      await folder.write(Object.fromEntries([...script!.files].map(([name, content]) => [`${each}/${name}`, content])));
    }
    const connections = requests.reduce((sum, request) => sum + request.case.connections, 0);
    const command = confined(
      { program: handed?.path ?? program, arguments: invocation.arguments },
      { cpus, openFiles: connections + OWN_FILES, user },
      environment,
    );
    const env = childEnvironment(environment, folder.path, invocation.env);
    // It may also start what it likes.
    const mark = hasScript ? groupId(ownIdentity(), basename(folder.path)) : undefined;
    const onTick = (tick: { elapsedNs: number }) => {
      for (const request of requests) request.onTick?.(tick);
    };
    const onEnd = () => {
      for (const request of requests) request.onEnd?.();
    };
    return {
      name,
      invocation,
      async beforeLoad() {
        await Promise.all(requests.map((request) => request.beforeLoad?.()));
      },
      onStart() {
        for (const request of requests) request.onStart?.();
      },
      async whileOpen() {
        await Promise.all(requests.map((request) => request.whileOpen?.()));
      },
      async run(lanes, signal) {
        const { timeoutSeconds, readyLine, endedLine, interruptAfterSeconds } = invocation;
        const start = lanes === null || readyLine === undefined ? null : { readyLine, lane: lanes.start };
        const finish = lanes === null || endedLine === undefined ? null : { endedLine, lane: lanes.finish };
        const directory = join(folder.path, invocation.startFolder ?? '');
        const plan = { command, directory, env, mark, timeoutSeconds, cpuCount, interruptAfterSeconds };
        const descriptor = handed?.descriptor;
        const child = await runChild({ ...plan, handed: descriptor, start, finish, onTick, onEnd }, signal);
        refuseUnstarted(name, child);
        return { ...child, files: await filesIn(folder, invocation) };
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The case, with requests that differ begun where this trial begins. */
function begun({ case: testCase, turn }: GeneratorRunRequest): GeneratorRunRequest['case'] {
  const { endpoint } = testCase;
  const { requestSet } = endpoint;
  if (turn === undefined || requestSet === undefined) return testCase;
  return { ...testCase, endpoint: { ...endpoint, requestSet: begunInTurn(requestSet, turn) } };
}

async function filesIn(folder: WorkFolder, { results, largeResult }: Invocation) {
  const files = await folder.read(results);
  return largeResult === undefined
    ? files
    : { ...files, ...(await folder.read([largeResult.name], largeResult.mostBytes)) };
}

function invocationOf(name: GeneratorName, [first, second]: readonly InvocationRequest[]): Invocation {
  const generator = generators[name];
  return second === undefined ? generator.invocation(first!) : generator.duet!.invocation([first!, second]);
}

/** Nothing of ours but where programs and temporary files are: no token, no proxy, no setting of the generator's. */
export function childEnvironment(environment: Environment, directory: string, own: Record<string, string>) {
  return { PATH: environment.PATH ?? '', HOME: directory, LANG: 'C.UTF-8', TMPDIR: directory, ...own };
}

/** The wrappers speak in their own name before they become the generator. */
function refuseUnstarted(name: GeneratorName, { exitCode, stderr }: ChildRun): void {
  if (exitCode === 0 || !/^(?:taskset|prlimit|setpriv): /.test(stderr)) return;
  throw new GeneratorNotStarted(`${name} could not be started: ${stderr.trim()}.`);
}

function locate(name: GeneratorName, environment: Environment): string {
  const { path, failure } = locateGenerator(name, environment);
  if (path === null) throw new GeneratorNotStarted(failure);
  return path;
}
