import { TestbedError } from '../../app/ports/testbed.ts';
import type { PrepareStep } from '../../core/config/prepare.ts';
import { stepTitle } from '../../core/config/prepare-texts.ts';
import { withoutInitWords } from '../postgres/init-failure.ts';
import type { PrepareHost, StartedService } from './host.ts';
import { sendRequests } from './requests.ts';

/**
 * Runs all steps in their order. A service that is started for one is up for those after it that want it up as well; before a job or
 * SQL, and at the end, it is stopped. Rejects with `TestbedError` 'prepare-failed' that names the step, or with the signal's reason.
 */
export async function runPrepareSteps(
  steps: readonly PrepareStep[],
  host: PrepareHost,
  signal: AbortSignal,
): Promise<void> {
  let running: StartedService | null = null;
  const stop = async () => {
    await running?.stop();
    running = null;
  };
  try {
    for (const [index, step] of steps.entries()) {
      signal.throwIfAborted();
      const title = stepTitle(step, index + 1);
      if (step.kind === 'job' || step.kind === 'sql') await stop();
      else running ??= await named(title, signal, () => host.start(signal));
      await named(title, signal, () => runStep(step, index + 1, title, host, running, signal));
    }
  } finally {
    await stop();
  }
}

async function runStep(
  step: PrepareStep,
  number: number,
  title: string,
  host: PrepareHost,
  running: StartedService | null,
  signal: AbortSignal,
): Promise<void> {
  switch (step.kind) {
    case 'job': {
      const { failure, logLines } = await host.job(step, number, signal);
      if (failure === null) return;
      const said = logLines.length > 0 ? 'Its last log lines say why.' : 'It printed nothing.';
      throw new StepFailure(`${title} ${failure}. ${said}`, logLines);
    }
    case 'sql':
      return await host.sql(step.files, signal);
    case 'start':
      return;
    case 'requests': {
      const failure = await sendRequests(step.requests, host.service, running!.origin, signal);
      if (failure !== null) throw new StepFailure(`${title}: ${failure}`, await running!.logLines());
    }
  }
}

/** Its message begins with the title already. */
class StepFailure extends TestbedError {
  constructor(message: string, logLines: string[]) {
    super('prepare-failed', message, logLines);
  }
}

/** What a step rejects with, as the step's. */
async function named<T>(title: string, signal: AbortSignal, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof StepFailure || !(error instanceof TestbedError)) throw error;
    throw new StepFailure(`${title}: ${withoutInitWords(error.message)}`, error.logLines);
  }
}
