import type { Execution, ExecutionRun } from './execution.ts';
import { StartLine } from './start-line.ts';

/**
 * Runs the executions of one trial, all of the same generator, each to its end; what each comes to, in their order. Those
 * that can wait begin their loads together. Every process is launched before this returns; it throws what `onStart` does
 * where nothing waits, and nothing is launched then.
 */
export function runTrial(executions: readonly Execution[], signal: AbortSignal): Promise<ExecutionRun>[] {
  const onStart = () => {
    for (const execution of executions) execution.onStart();
  };
  if (executions.some(({ invocation }) => invocation.readyLine === undefined)) {
    onStart();
    return executions.map((execution) => execution.run(null, signal));
  }
  const line = new StartLine(executions.length, onStart);
  return executions.map((execution, index) => execution.run(line.lane(index), signal));
}
