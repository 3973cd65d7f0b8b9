import { sendAll } from './requests.ts';
import type { RunningService, ServiceUnderProof } from './service.ts';
import type { ProofTestbed } from './testbed.ts';
import { listOf, type Values, type WrittenStep } from './written-spec.ts';

/** Runs the steps in their order, and resolves to what their requests have taken. */
export async function prepare(
  steps: readonly WrittenStep[],
  service: ServiceUnderProof,
  testbed: ProofTestbed,
  directory: string,
  report: (line: string) => void,
): Promise<Values> {
  const values: Values = { ...testbed.values };
  let running: RunningService | null = null;
  const stop = async () => {
    await running?.stop();
    running = null;
  };
  try {
    for (const [index, step] of steps.entries()) {
      const startedMs = performance.now();
      if (!('requests' in step)) await stop();
      if ('job' in step) await service.job(step.job, step.env, values);
      else if ('sql' in step) await testbed.runSql(listOf(step.sql), directory);
      else if ('start' in step) running = await service.start(values);
      else {
        running ??= await service.start(values);
        Object.assign(values, await sendAll(running.origin, listOf(step.requests), values));
      }
      report(`prepare step ${index + 1} (${words(step)}): ${Math.round(performance.now() - startedMs)} ms`);
    }
  } finally {
    await stop();
  }
  return values;
}

function words(step: WrittenStep): string {
  if ('job' in step) return `job: ${step.job.join(' ')}`;
  if ('sql' in step) return `sql: ${listOf(step.sql).join(', ')}`;
  if ('start' in step) return 'start';
  const requests = listOf(step.requests);
  return `requests: ${requests.reduce((sum, { repeat = 1 }) => sum + repeat, 0)}`;
}
