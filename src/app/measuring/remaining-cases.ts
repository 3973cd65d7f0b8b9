import type { Case } from '../../core/config/case.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { type PlannedService, servicesWith } from '../../core/plan/plan.ts';
import type { JournalEntry } from '../../core/record/journal.ts';
import { comparedCases } from './compared-services.ts';

/** One that this machine cannot load, by its key, and why. */
export interface UnmeasuredCase {
  caseKey: string;
  reason: Reason;
}

/** Those that the journal holds no trial of, nor that they are beyond their service; a case that was lost gets another try. */
export function withoutMeasured(cases: readonly Case[], entries: readonly JournalEntry[]): Case[] {
  const measured = new Set(
    entries.flatMap((entry) =>
      (entry.kind === 'trial' || entry.kind === 'beyond') && entry.variant === 'candidate' ? [entry.caseKey] : [],
    ),
  );
  return cases.filter(({ key }) => !measured.has(key));
}

/** The same of each service. */
export function withoutMeasuredCases(
  services: readonly PlannedService[],
  entries: readonly JournalEntry[],
): PlannedService[] {
  return servicesWith(services, (cases) => withoutMeasured(cases, entries));
}

export function withoutUnloadable(
  services: readonly PlannedService[],
  unloadable: readonly UnmeasuredCase[],
): PlannedService[] {
  const keys = new Set(unloadable.map(({ caseKey }) => caseKey));
  return servicesWith(services, (cases) => cases.filter(({ key }) => !keys.has(key)));
}

/**
 * What the journal is told of cases that cannot be loaded: on both sides where both were to be measured; a null `baseline` for a run on
 * its own. Those that were measured before the run was gone on with stay measured.
 */
export function lossesOf(
  unloadable: readonly UnmeasuredCase[],
  services: readonly PlannedService[],
  baseline: ResolvedSpec | null,
  entries: readonly JournalEntry[],
): JournalEntry[] {
  const all = services.flatMap(({ cases }) => cases);
  const open = new Set(withoutMeasured(all, entries).map(({ key }) => key));
  const both = baseline === null ? [] : comparedCases(all, baseline);
  return unloadable
    .filter(({ caseKey }) => open.has(caseKey))
    .flatMap(({ caseKey, reason }): JournalEntry[] => {
      const lost = { kind: 'lost', caseKey, reason } as const;
      const isCompared = both.some(({ key, service }) => key === caseKey && service.role === 'subject');
      return isCompared ? [lost, { ...lost, variant: 'baseline' }] : [lost];
    });
}
