import type { ActionInputs } from '../../core/action/inputs.ts';
import { usefulShards } from '../../core/config/shard.ts';
import type { CheckoutFiles } from '../ports/checkout-files.ts';
import type { Job } from '../ports/job.ts';
import { plannedCases } from './planned-cases.ts';
import type { TaskResult } from './run-task.ts';
import { specsIn } from './specs.ts';

/** Shares the cases of all specs out over machines: sets the output `matrix`, for `strategy.matrix`. */
export async function planTask(
  inputs: ActionInputs,
  { job, files }: { job: Job; files: CheckoutFiles },
): Promise<TaskResult> {
  const found = await specsIn(inputs.specs, files);
  for (const diagnostic of found.diagnostics) job.diagnostic(diagnostic);
  for (const error of found.errors) job.error(error);
  const counts = found.specs.map((each) => usefulShards(plannedCases(each, inputs), inputs.shards));
  // All machines are told the same count, so that they and the job that merges share out alike.
  const used = Math.max(1, ...counts);
  const shard = Array.from({ length: used }, (_, at) => `${at + 1}/${inputs.shards}`);
  job.output('matrix', JSON.stringify({ shard }));
  const failed = found.diagnostics.length > 0 || found.errors.length > 0;
  return { verdict: failed ? 'invalid' : 'same', failed };
}
