import type { Reason } from '../measurement/names.ts';
import type { Probe } from './probe.ts';

/** What a journal holds of searches. */
export type SearchEntry =
  | ({ kind: 'probe'; service: string; endpoint: string; startedNs: number; durationNs: number; raw: string[] } & Probe)
  /** Nothing more is tried of it: the service was not had, or does not answer as expected. */
  | { kind: 'search-lost'; service: string; endpoint: string; reason: Reason };

interface OfEndpoint {
  service: { name: string };
  endpoint: { name: string };
}

/** The tries of one search, and why it had to end; a reason that was followed by another try no longer counts. */
export function entriesOf(
  { service, endpoint }: OfEndpoint,
  entries: readonly { kind: string }[],
): { probes: Extract<SearchEntry, { kind: 'probe' }>[]; lost: Reason | null } {
  const own = entries.filter(
    (entry): entry is SearchEntry =>
      (entry.kind === 'probe' || entry.kind === 'search-lost') &&
      (entry as SearchEntry).service === service.name &&
      (entry as SearchEntry).endpoint === endpoint.name,
  );
  const last = own.at(-1);
  return {
    probes: own.flatMap((entry) => (entry.kind === 'probe' ? [entry] : [])),
    lost: last?.kind === 'search-lost' ? last.reason : null,
  };
}
