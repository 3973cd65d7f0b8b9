import type { Case } from '../../core/config/case.ts';
import type { WarmUp } from '../../core/config/resolved.ts';
import { isWriting } from '../../core/config/writes.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { isFailure } from '../../core/verification/expectation.ts';
import type { GeneratorRunRequest } from '../ports/generators.ts';
import { type Testbed, TestbedError } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { testbedFailureReason } from './testbed-failure.ts';
import type { ReachedEndpoint } from './unexpected-parts.ts';
import { warmUp } from './warm-up.ts';

/** Data could not be put back: the testbed is no longer what was started. */
export class DataNotRestored extends Error {
  readonly testbed: Testbed;
  readonly reason: Reason;
  constructor(testbed: Testbed, failure: TestbedError) {
    super(failure.message);
    this.testbed = testbed;
    this.reason = testbedFailureReason(testbed.service, failure);
  }
}

/** `kept`: nothing was written; `restarted`: a service had to be started anew, and is cold. */
export type DataOutcome = 'kept' | 'restored' | 'restarted';

/**
 * Puts the data of all testbeds back as each began, where those of one were written to: what stands side by side is treated alike.
 * Rejects with `DataNotRestored`.
 */
export async function restoredData(testbeds: readonly Testbed[], signal: AbortSignal): Promise<DataOutcome> {
  const changed = await ofEach(testbeds, async (testbed) => (await testbed.dataChanged?.()) ?? false);
  if (!changed.includes(true)) return 'kept';
  const restored = await ofEach(testbeds, async (testbed) => await testbed.restoreData?.(signal));
  return restored.some((each) => each?.serviceRestarted === true) ? 'restarted' : 'restored';
}

/** What is at work on one of them is waited for, whatever became of another. */
async function ofEach<T>(testbeds: readonly Testbed[], ask: (testbed: Testbed) => Promise<T>): Promise<T[]> {
  const settled = await Promise.allSettled(testbeds.map(ask));
  return settled.map((each, index) => {
    if (each.status === 'fulfilled') return each.value;
    if (!(each.reason instanceof TestbedError)) throw each.reason;
    throw new DataNotRestored(testbeds[index]!, each.reason);
  });
}

/** A service that has lost its connections fails a request on each, and opens new ones: that is no part of a trial. */
export const RECONNECTING = { kind: 'fixed', seconds: 0.5 } as const satisfies WarmUp;

/**
 * The same before one testbed is loaded by itself, up to where the service has its connections again by a load of `reconnecting` (see
 * `reconnectingCase`). The load that this takes is in the journal; putting the data back is none.
 */
export async function restoredBefore(
  reconnecting: Case,
  testbed: Testbed,
  target: Pick<GeneratorRunRequest, 'origin' | 'cpus'>,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<DataOutcome> {
  const outcome = await restoredData([testbed], signal);
  if (outcome === 'kept') return outcome;
  const { seconds } = await warmUp(reconnecting, RECONNECTING, target, adapters, signal);
  await adapters.store.journal.append({ kind: 'load', seconds });
  return outcome;
}

const GOOD_IN_A_ROW = 5;
const MOST_ASKED = 200;

/** The same between two endpoints that are asked without load: the second has its connections again, as far as requests in turn need them. */
export async function restoredBetween(
  before: ReachedEndpoint,
  next: ReachedEndpoint | null,
  testbed: Testbed,
  { probe }: Pick<MeasuringAdapters, 'probe'>,
  signal: AbortSignal,
): Promise<void> {
  if (!isWriting(before.endpoint) || (await restoredData([testbed], signal)) === 'kept' || next === null) return;
  const { endpoint, route } = next;
  for (let asked = 0, good = 0; good < GOOD_IN_A_ROW && asked < MOST_ASKED; asked += 1) {
    const answer = await probe.ask(testbed.origins[route]!, testbed.service, endpoint, signal);
    good = isFailure(answer, endpoint.expect) ? 0 : good + 1;
  }
}
