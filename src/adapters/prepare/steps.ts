import { TestbedError, type TestbedRequest } from '../../app/ports/testbed.ts';
import type { PrepareStep } from '../../core/config/prepare.ts';
import { stepTitle } from '../../core/config/prepare-texts.ts';
import type { RequestValues } from '../../core/requests/request-values.ts';
import { printedLast } from '../../core/topology/ended-part.ts';
import { withoutInitWords } from '../postgres/init-failure.ts';
import type { PrepareHost, StartedService } from './host.ts';
import { sendRequests } from './requests.ts';

/**
 * Runs all steps in their order. A service that is started for one is up for those after it that want it up as well; before a job or
 * SQL, and at the end, it is stopped. `onActivity` is told of each step as it begins. Resolves to what requests have taken from their answers. Rejects with `TestbedError` 'prepare-failed' that names the step, or with the signal's reason.
 */
export async function runPrepareSteps(
  steps: readonly PrepareStep[],
  host: PrepareHost,
  signal: AbortSignal,
  onActivity: TestbedRequest['onActivity'] = () => undefined,
): Promise<RequestValues> {
  let values: RequestValues = {};
  let running: StartedService | null = null;
  const stop = async () => {
    await running?.stop();
    running = null;
  };
  try {
    for (const [index, step] of steps.entries()) {
      signal.throwIfAborted();
      const number = index + 1;
      const title = stepTitle(step, number);
      const onAnswered = (answered: number) => onActivity({ kind: 'prepare', step: number, answered });
      onActivity({ kind: 'prepare', step: number });
      if (step.kind === 'job' || step.kind === 'sql') await stop();
      else running ??= await startedFor(step, title, host, signal);
      const plan = { step, number, title, before: values, onAnswered };
      values = await named(title, signal, () => runStep(plan, host, running, signal));
    }
    return values;
  } finally {
    await stop();
  }
}

/** Where no step was written that could be named, it is the service that does not start. */
async function startedFor(
  step: PrepareStep,
  title: string,
  host: PrepareHost,
  signal: AbortSignal,
): Promise<StartedService> {
  if (step.kind === 'start' && step.isImplied) return await host.start(signal);
  return await named(title, signal, () => host.start(signal));
}

interface StepPlan {
  step: PrepareStep;
  number: number;
  title: string;
  /** Values that those before it took. */
  before: RequestValues;
  /** Told after each request how many of the step's are answered. */
  onAnswered(count: number): void;
}

/** Resolves to the values that are known after it. */
async function runStep(
  { step, number, title, before, onAnswered }: StepPlan,
  host: PrepareHost,
  running: StartedService | null,
  signal: AbortSignal,
): Promise<RequestValues> {
  switch (step.kind) {
    case 'job': {
      const { failure, logLines } = await host.job(step, number, signal);
      if (failure === null) return before;
      throw new StepFailure(`${title} ${failure}. ${printedLast(logLines)}`, logLines);
    }
    case 'sql':
      await host.sql(step.files, signal);
      return before;
    case 'start':
      return before;
    case 'requests': {
      const to = { service: host.service, origin: running!.origin };
      const { failure, values } = await sendRequests(step.requests, to, before, signal, onAnswered);
      if (failure !== null) throw new StepFailure(`${title}: ${failure}`, await running!.logLines());
      return values;
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
