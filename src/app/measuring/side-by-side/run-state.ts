import type { Case } from '../../../core/config/case.ts';
import { PUBLISHING_ROUND, type Variant } from '../../../core/measurement/names.ts';
import type { JournalEntry } from '../../../core/record/journal.ts';
import type { Decided } from './decisions.ts';
import type { SideBySideRequest } from './request.ts';
import type { PairRates } from './running-round.ts';
import { type OfEach, VARIANTS } from './sides.ts';

/** What the journal tells of a comparing service: where it is, and what is left. */

export interface TasksLeft {
  /** Without published figures yet. */
  unpublished: Case[];
  /** Without a verdict for some gated metric. */
  undecided: Case[];
  /** Of these: those that are loaded in turn. */
  interleaved: Case[];
  /** Of these: those whose counts vary by themselves, and are counted again. */
  recounted: Case[];
}

/** A round that fell over leaves its rest to the next. */
export function tasksLeft(
  { planned, mode, entries }: Pick<SideBySideRequest, 'planned' | 'mode' | 'entries'>,
  dropped: ReadonlySet<string>,
  { undecided, soloToo, invalid, recounted }: Decided,
): TasksLeft {
  const published = publishedKeys(entries());
  const cases = planned.cases.filter(({ key }) => !dropped.has(key) && !invalid.has(key));
  const open = cases.filter(({ key }) => undecided.has(key));
  return {
    unpublished: cases.filter(({ key }) => VARIANTS.some((variant) => !published[variant].has(key))),
    undecided: open,
    interleaved: mode === 'interleaved' ? open : open.filter(({ key }) => soloToo.has(key)),
    recounted: open.filter(({ key }) => recounted.has(key)),
  };
}

/** Cases with a trial for the published figures. A run can end between those of the two sides, and a baseline can come later. */
function publishedKeys(entries: readonly JournalEntry[]): OfEach<Set<string>> {
  const keys: OfEach<Set<string>> = { baseline: new Set(), candidate: new Set() };
  for (const entry of entries) {
    if (entry.kind !== 'trial' || entry.mode !== 'solo' || entry.round !== PUBLISHING_ROUND) continue;
    keys[entry.variant].add(entry.caseKey);
  }
  return keys;
}

/**
 * Number of the last one that was measured, whole or in part; 0 while there is none but that of the published figures. One
 * that was interrupted counts: its trials must not be paired with those of another start.
 */
export function lastRound({ entries, planned }: Pick<SideBySideRequest, 'planned' | 'entries'>): number {
  const keys = new Set(planned.cases.map(({ key }) => key));
  const measured = entries().flatMap((entry) => {
    const isOwn =
      ((entry.kind === 'round' || entry.kind === 'pass') && entry.service === planned.service.name) ||
      (entry.kind === 'trial' && keys.has(entry.caseKey));
    return isOwn ? [entry.round] : [];
  });
  return Math.max(0, ...measured);
}

/** A round that was measured as a whole. */
export interface TakenRound {
  seconds: number;
  cases: readonly Case[];
}

/** The last one; null where there is none. */
export function lastTaken({ entries, planned }: Pick<SideBySideRequest, 'planned' | 'entries'>): TakenRound | null {
  const all = entries();
  const ended = all.flatMap((entry) =>
    entry.kind === 'round' && entry.service === planned.service.name ? [entry] : [],
  );
  const last = ended.at(-1);
  if (last === undefined) return null;
  const measured = new Set(
    all.flatMap((entry) => (entry.kind === 'trial' && entry.round === last.round ? [entry.caseKey] : [])),
  );
  return { seconds: last.comparingSeconds, cases: planned.cases.filter(({ key }) => measured.has(key)) };
}

/** Cases that only the baseline has lost, or whose baseline is absent: their candidate can be measured all the same. */
export function withoutBaseline({ entries, planned }: Pick<SideBySideRequest, 'planned' | 'entries'>): Case[] {
  const lost: OfEach<Set<string>> = { baseline: new Set(), candidate: new Set() };
  for (const entry of entries()) if (entry.kind === 'lost') lost[entry.variant ?? 'candidate'].add(entry.caseKey);
  const absent = (variant: Variant) => isAbsent(variant, { entries, planned });
  if (absent('candidate')) return [];
  const isBaselineAbsent = absent('baseline');
  return planned.cases.filter(({ key }) => (isBaselineAbsent || lost.baseline.has(key)) && !lost.candidate.has(key));
}

/** Whether the run goes on without a side of the service, by the last word on it. */
export function isAbsent(
  variant: Variant,
  { entries, planned }: Pick<SideBySideRequest, 'planned' | 'entries'>,
): boolean {
  const last = entries().findLast(
    (entry) => entry.kind === 'service' && entry.service === planned.service.name && entry.variant === variant,
  );
  return last?.kind === 'service' && last.absent === true;
}

/** Those that are not known to be beyond the service. */
export function heldCases({ entries, planned }: Pick<SideBySideRequest, 'planned' | 'entries'>): Case[] {
  const beyond = new Set(entries().flatMap((entry) => (entry.kind === 'beyond' ? [entry.caseKey] : [])));
  return planned.cases.filter(({ key }) => !beyond.has(key));
}

/** Whether any of the cases has a trial, of either side. */
export function wasMeasured(cases: readonly Case[], entries: readonly JournalEntry[]): boolean {
  const keys = new Set(cases.map(({ key }) => key));
  return entries.some((entry) => entry.kind === 'trial' && keys.has(entry.caseKey));
}

/** Rates that an interrupted run had chosen. */
export function ratesIn(entries: readonly JournalEntry[]): Map<string, PairRates> {
  return new Map(
    entries.flatMap((entry) =>
      entry.kind === 'rate' ? [[entry.caseKey, { solo: entry.solo, duet: entry.duet }] as const] : [],
    ),
  );
}
