import type { Variant } from '../../core/measurement/names.ts';
import type { JournalEntry } from '../../core/record/journal.ts';
import type { PreparedService } from '../ports/testbed.ts';

/** What the journal says of a service that is up: every round says all of it, since the last entry of each is kept. */
export function startedService(prepared: PreparedService, service: string, variant: Variant): JournalEntry {
  const { artifact, builds, oneBuild } = prepared;
  return {
    ...{ kind: 'service', service, variant, artifact, failure: null },
    ...(builds === undefined ? {} : { builds }),
    ...(oneBuild === undefined ? {} : { oneBuild }),
  };
}
