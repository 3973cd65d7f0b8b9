import type { Execution, ExecutionRun } from './execution.ts';
import { FinishLine } from './finish-line.ts';
import { StartLine } from './start-line.ts';

/**
 * Runs the executions of one trial, all of the same generator, each to its end; what each comes to, in their order. Those
 * that can wait begin their loads together, and close their connections together; where one of them cannot, none is launched before
 * `beforeLoad` is over. All reject with what it or `onStart` does.
 */
export function runTrial(executions: readonly Execution[], signal: AbortSignal): Promise<ExecutionRun>[] {
  const onStart = () => {
    for (const execution of executions) execution.onStart();
  };
  const before = Promise.all(executions.map((execution) => execution.beforeLoad()));
  if (executions.some(({ invocation }) => invocation.readyLine === undefined)) {
    const begun = before.then(onStart);
    return executions.map((execution) => begun.then(() => execution.run(null, signal)));
  }
  const finish = new FinishLine(executions.length, async () => {
    await Promise.all(executions.map((execution) => execution.whileOpen()));
  });
  let failure: { reason: unknown } | null = null;
  // It has a place at the line as well, and leaves it when it is over.
  const line = new StartLine(executions.length + 1, () => {
    if (failure !== null) throw failure.reason;
    onStart();
  });
  const { leave } = line.lane(executions.length);
  before.then(leave, (reason: unknown) => {
    failure = { reason };
    leave();
  });
  return executions.map((execution, index) =>
    execution.run({ start: line.lane(index), finish: finish.lane(index) }, signal),
  );
}
