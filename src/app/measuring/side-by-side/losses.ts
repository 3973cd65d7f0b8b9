import type { Case } from '../../../core/config/case.ts';
import type { Variant } from '../../../core/measurement/names.ts';
import type { TestbedError } from '../../ports/testbed.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { testbedFailureReason } from '../testbed-failure.ts';
import type { SideBySideRequest } from './request.ts';
import type { Fallen } from './round.ts';

/** A side that cannot be had from the beginning on loses all of its cases. */
export async function loseSide(
  variant: Variant,
  failure: TestbedError,
  { planned, sides }: SideBySideRequest,
  { store, progress }: MeasuringAdapters,
): Promise<void> {
  const { service, prepared } = sides[variant];
  const reason = testbedFailureReason(service, failure);
  const message = variant === 'baseline' ? `The baseline cannot be started. ${reason.message}` : reason.message;
  progress.warn(message);
  const { artifact } = prepared;
  await store.journal.append({
    kind: 'service',
    service: service.name,
    variant,
    artifact,
    failure: { ...reason, message },
  });
  for (const { key } of planned.cases) {
    await store.journal.append({ kind: 'lost', caseKey: key, variant, reason: { ...reason, message } });
  }
}

/** A side that stood, and then fell over or did not start `times` times, loses what is still to be measured. */
export async function giveUp(
  { variant, reason }: Fallen,
  times: number,
  cases: readonly Case[],
  { store, progress }: MeasuringAdapters,
): Promise<void> {
  const message = `Rounds fell over, or could not be started, ${times} times, and no more are started. The last time: ${reason.message}`;
  progress.warn(`${variant}: ${message}`);
  for (const { key } of cases) {
    await store.journal.append({ kind: 'lost', caseKey: key, variant, reason: { code: reason.code, message } });
  }
}
