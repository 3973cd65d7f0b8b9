import type { GeneratorRun, GeneratorRunRequest } from '../../app/ports/generators.ts';
import type { GeneratorDuet } from '../../core/generators/definition.ts';
import type { GeneratorName } from '../../core/generators/registry.ts';
import { generators } from '../../core/generators/registry.ts';
import { type Execution, type ExecutionOptions, type ExecutionRun, prepareExecution } from './execution.ts';
import { runOf, runsOfDuet } from './result.ts';
import { runTrial } from './trial.ts';

type Requests = readonly [GeneratorRunRequest, GeneratorRunRequest];

/**
 * Both loads at the same time: by one process where the generator can serve both, else by one for each. Rejects when
 * aborted or when either could not be started.
 */
export async function runDuet(
  requests: Requests,
  signal: AbortSignal,
  options: ExecutionOptions,
): Promise<[GeneratorRun, GeneratorRun]> {
  signal.throwIfAborted();
  const { duet } = generators[requests[0].case.generator];
  return duet === undefined ? byTwo(requests, signal, options) : byOne(duet, requests, signal, options);
}

async function byOne(
  duet: GeneratorDuet<GeneratorName>,
  requests: Requests,
  signal: AbortSignal,
  options: ExecutionOptions,
): Promise<[GeneratorRun, GeneratorRun]> {
  const execution = await prepareExecution(requests, options);
  try {
    const [ended] = await Promise.all(runTrial([execution], signal));
    return runsOfDuet(execution, duet, ended!);
  } finally {
    await execution.remove();
  }
}

async function byTwo(
  requests: Requests,
  signal: AbortSignal,
  options: ExecutionOptions,
): Promise<[GeneratorRun, GeneratorRun]> {
  const executions: Execution[] = [];
  try {
    for (const request of requests) {
      executions.push(await prepareExecution([request], options));
    }
    const [first, second] = executions as [Execution, Execution];
    const [firstEnded, secondEnded] = await runBoth(first, second, signal);
    return [runOf(first, firstEnded, requests[0].case), runOf(second, secondEnded, requests[1].case)];
  } finally {
    await Promise.all(executions.map((execution) => execution.remove()));
  }
}

/** Where one cannot go on, the other is ended too: rejects with the reason of the first, when both have ended. */
async function runBoth(first: Execution, second: Execution, signal: AbortSignal) {
  const refusal = new AbortController();
  const either = AbortSignal.any([signal, refusal.signal]);
  const running = runTrial([first, second], either).map((run) =>
    run.catch((reason) => {
      refusal.abort(reason);
      return null;
    }),
  );
  const ended = await Promise.all(running);
  refusal.signal.throwIfAborted();
  return ended as [ExecutionRun, ExecutionRun];
}
