import type { Case } from '../../../core/plan/case.ts';
import type { JournalEntry } from '../../../core/record/journal.ts';
import type { Decided } from './decisions.ts';
import type { SideBySideRequest } from './service.ts';

/** What the journal tells of a comparing service: where it is, and what is left. */

export interface TasksLeft {
  /** Without published figures yet. */
  unpublished: Case[];
  /** Without a verdict for some gated metric. */
  undecided: Case[];
  /** Of these: those that are loaded in turn. */
  interleaved: Case[];
}

/** An instance that fell over leaves its rest to the next. */
export function tasksLeft(
  { planned, mode, entries }: Pick<SideBySideRequest, 'planned' | 'mode' | 'entries'>,
  dropped: ReadonlySet<string>,
  { undecided, aloneToo, invalid }: Decided,
): TasksLeft {
  const published = new Set(
    entries().flatMap((entry) => (entry.kind === 'slice' && entry.mode === 'alone' ? [entry.caseKey] : [])),
  );
  const cases = planned.cases.filter(({ key }) => !dropped.has(key) && !invalid.has(key));
  const open = cases.filter(({ key }) => undecided.has(key));
  return {
    unpublished: cases.filter(({ key }) => !published.has(key)),
    undecided: open,
    interleaved: mode === 'interleaved' ? open : open.filter(({ key }) => aloneToo.has(key)),
  };
}

/**
 * Number of the last one that was measured, whole or in part; 0 while there is none but that of the published figures. One
 * that was interrupted counts: its slices must not be paired with those of another start.
 */
export function lastInstance({ entries, planned }: Pick<SideBySideRequest, 'planned' | 'entries'>): number {
  const measured = entries().flatMap((entry) =>
    (entry.kind === 'instance' || entry.kind === 'pass') && entry.service === planned.service.name
      ? [entry.instance]
      : [],
  );
  return Math.max(0, ...measured);
}

/** Rates that an interrupted run had chosen; what was sent alone is for two. */
export function ratesIn(entries: readonly JournalEntry[]): Map<string, number> {
  const rates = new Map<string, number>();
  for (const entry of entries) {
    if (entry.kind !== 'slice' || entry.rate === null) continue;
    if (entry.mode === 'duet') rates.set(entry.caseKey, entry.rate);
    else if (!rates.has(entry.caseKey)) rates.set(entry.caseKey, Math.max(1, Math.round(entry.rate / 2)));
  }
  return rates;
}
