import type { GeneratorRun, GeneratorRunner, GeneratorRunRequest } from '../../app/ports/generators.ts';
import { generators } from '../../core/generators/registry.ts';
import type { GeneratorName } from '../../core/measurement/names.ts';
import { runDuet } from './duet.ts';
import { type ExecutionOptions, prepareExecution } from './execution.ts';
import type { Environment } from './locate.ts';
import { runOf } from './result.ts';
import { runTrial } from './trial.ts';
import { versionOf } from './version.ts';

export interface GeneratorRunnerOptions {
  /** Folder of the spec file, absolute: what a k6 script template is relative to. */
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
  const definition = generators[request.case.generator];
  const execution = await prepareExecution([request], ([told]) => definition.invocation(told), options);
  try {
    const [ended] = await Promise.all(runTrial([execution], signal));
    return runOf(execution, ended!);
  } finally {
    await execution.remove();
  }
}
