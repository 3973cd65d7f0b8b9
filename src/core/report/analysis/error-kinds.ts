import { grouped } from '../../format/figures.ts';
import type { CaseRecord } from '../../record/run-record.ts';

/** More kinds than any generator knows are shown as one. */
export const MOST_KINDS = 8;

/** Requests of a case that failed, by the kind that its generator names; the most frequent first. */
export function errorKinds({ reported }: Pick<CaseRecord, 'reported'>): { kind: string; count: number }[] {
  return Object.entries(reported?.errors ?? {})
    .flatMap(([kind, count]) => (count > 0 ? [{ kind, count }] : []))
    .sort((one, other) => other.count - one.count);
}

/** `12 timeout, 3 connect`; empty where there were none. */
export function errorKindsText(record: Pick<CaseRecord, 'reported'>): string {
  return errorKinds(record)
    .slice(0, MOST_KINDS)
    .map(({ kind, count }) => `${grouped(count)} ${kind}`)
    .join(', ');
}
