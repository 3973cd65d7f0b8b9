import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { usefulShards } from '../../core/config/shard.ts';
import type { CheckoutFiles } from '../ports/checkout-files.ts';
import type { Job } from '../ports/job.ts';
import { keepLost, type SpecFolders } from './lost-specs.ts';
import { plannedCases } from './planned-cases.ts';
import type { TaskResult } from './run-task.ts';
import { specsIn } from './specs.ts';

export interface PlanAdapters extends SpecFolders {
  job: Job;
  files: CheckoutFiles;
}

/**
 * Shares the cases of all specs out over machines: sets the output `matrix`, for `strategy.matrix`. Fails where mistakes leave no
 * spec: of those of some, the first machine tells.
 */
export async function planTask(inputs: ActionInputs, facts: JobFacts, adapters: PlanAdapters): Promise<TaskResult> {
  const { job, files } = adapters;
  const found = await specsIn(inputs.specs, files);
  if (found.specs.length === 0) {
    for (const diagnostic of found.diagnostics) job.diagnostic(diagnostic);
    for (const error of found.errors) job.error(error);
    await keepLost(found.lost, inputs, facts, adapters);
    return { verdict: 'invalid', failed: true };
  }
  const counts = found.specs.map((each) => usefulShards(plannedCases(each, inputs), inputs.shards));
  // All machines are told the same count, so that they and the job that merges share out alike.
  const shard = Array.from({ length: Math.max(...counts) }, (_, at) => `${at + 1}/${inputs.shards}`);
  job.output('matrix', JSON.stringify({ shard }));
  return { verdict: 'same', failed: false };
}
