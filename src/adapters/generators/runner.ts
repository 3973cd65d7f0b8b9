import type { GeneratorRun, GeneratorRunner, GeneratorRunRequest } from '../../app/ports/generators.ts';
import type { GeneratorName } from '../../core/generators/registry.ts';
import { generators } from '../../core/generators/registry.ts';
import { runChild } from './child.ts';
import { runDuet } from './duet.ts';
import { childEnvironment, type ExecutionOptions, prepareExecution } from './execution.ts';
import { type Environment, locateGenerator } from './locate.ts';
import { runOf } from './result.ts';
import { runTrial } from './trial.ts';
import { makeWorkFolder } from './work-folder.ts';

export interface GeneratorRunnerOptions {
  /** Folder of the spec file, absolute: what a script of the spec's own is relative to. */
  specDirectory: string;
  /** Where programs are looked for; by default that of this process. */
  environment?: Environment;
  /** Where the folders of executions are made; by default the system's. */
  workDirectory?: string;
}

/** Runs wrk, k6 and ab, and whatever else stands in the registry, as processes of this machine. */
export function createGeneratorRunner(options: GeneratorRunnerOptions): GeneratorRunner {
  const executions: ExecutionOptions = { ...options, environment: options.environment ?? process.env };
  const versions = new Map<GeneratorName, Promise<string | null>>();
  return {
    version(name) {
      const known = versions.get(name) ?? versionOf(name, executions);
      versions.set(name, known);
      return known;
    },
    run: (request, signal) => run(request, signal, executions),
    runTogether: (requests, signal) => runDuet(requests, signal, executions),
  };
}

async function run(
  request: GeneratorRunRequest,
  signal: AbortSignal,
  options: ExecutionOptions,
): Promise<GeneratorRun> {
  signal.throwIfAborted();
  const execution = await prepareExecution([request], options);
  try {
    const [ended] = await Promise.all(runTrial([execution], signal));
    return runOf(execution, ended!, request.case);
  } finally {
    await execution.remove();
  }
}

const TIMEOUT_SECONDS = 10;

/** What a generator says itself; null where it is not to be found, or says nothing of the kind. */
async function versionOf(
  name: GeneratorName,
  { environment, workDirectory }: ExecutionOptions,
): Promise<string | null> {
  const { path } = locateGenerator(name, environment);
  if (path === null) return null;
  const folder = await makeWorkFolder(workDirectory);
  try {
    const { stdout, stderr } = await runChild(
      {
        command: { program: path, arguments: generators[name].versionArguments },
        directory: folder.path,
        env: childEnvironment(environment, folder.path, {}),
        timeoutSeconds: TIMEOUT_SECONDS,
        cpuCount: null,
        start: null,
      },
      new AbortController().signal,
    );
    return generators[name].versionOf(`${stdout}\n${stderr}`);
  } catch {
    return null;
  } finally {
    await folder.remove();
  }
}
