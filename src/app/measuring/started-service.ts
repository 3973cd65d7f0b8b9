import { absentSentence } from '../../core/baseline/absent-services.ts';
import type { Service } from '../../core/config/resolved.ts';
import type { Variant } from '../../core/measurement/names.ts';
import type { JournalEntry } from '../../core/record/journal.ts';
import type { PreparedService, TestbedError } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { testbedFailureReason } from './testbed-failure.ts';

/** What the journal says of a service that is up: every round says all of it, since the last entry of each is kept. */
export function startedService(prepared: PreparedService, service: string, variant: Variant): JournalEntry {
  const { artifact, imageBytes, builds, oneBuild } = prepared;
  return {
    ...{ kind: 'service', service, variant, artifact, failure: null },
    ...(imageBytes === undefined ? {} : { imageBytes }),
    ...(builds === undefined ? {} : { builds }),
    ...(oneBuild === undefined ? {} : { oneBuild }),
  };
}

/** Goes on without an optional service: it has no cases, and nobody takes it for measured. */
export async function leaveOut(
  { service, prepared, variant }: { service: Service; prepared: PreparedService; variant: Variant },
  failure: TestbedError,
  { store, progress }: Pick<MeasuringAdapters, 'store' | 'progress'>,
): Promise<void> {
  const reason = testbedFailureReason(service, failure);
  progress.warn(absentSentence({ service: service.name, variant, reason }));
  const entry = { kind: 'service', service: service.name, variant, artifact: prepared.artifact } as const;
  await store.journal.append({ ...entry, failure: reason, absent: true });
}
