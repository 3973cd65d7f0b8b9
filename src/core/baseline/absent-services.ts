import { type Case, casesOf } from '../config/case.ts';
import type { ResolvedSpec, Service } from '../config/resolved.ts';
import { isSelected } from '../config/selection.ts';
import { withoutOwner } from '../format/owner.ts';
import { withoutLog } from '../format/sentence.ts';
import type { Reason } from '../measurement/names.ts';
import { lostCase } from '../record/merged-record.ts';
import type { RunRecord } from '../record/run-record.ts';

/**
 * Whether a run may go on without the service: its spec calls it optional, and so does that of the baseline where it gates it. A
 * change cannot make a service optional in its own gate. `before` is the baseline's of that name; undefined where it has none.
 */
export function mayBeAbsent(service: Service, before: Service | undefined): boolean {
  const isGated = before !== undefined && before.role === 'subject';
  return service.optional === true && (!isGated || before.optional === true);
}

/** Services that a change makes optional, and that stay required in its comparison. */
export function optionalWarnings(candidate: ResolvedSpec, baseline: ResolvedSpec): Reason[] {
  return candidate.services.flatMap((service) => {
    const before = serviceOf(baseline, service.name);
    if (service.optional !== true || mayBeAbsent(service, before)) return [];
    const message = `${service.name} is optional in the candidate's spec and not in the baseline's: this comparison needs it, since a change cannot take a service out of its own gate.`;
    return [{ code: 'optional-changed', message }];
  });
}

/** What a run went on without, and why. */
export interface AbsentService {
  service: string;
  variant: 'baseline' | 'candidate';
  reason: Reason;
}

export function absentServices({ services }: Pick<RunRecord, 'services'>): AbsentService[] {
  return services.flatMap(({ service, variant, failure, absent }) =>
    absent === true && failure !== null ? [{ service, variant, reason: failure }] : [],
  );
}

/** `Absent: drogon (optional): the image could not be built.`, without the lines of a log that may follow the reason. */
export function absentSentence({ service, variant, reason }: AbsentService): string {
  return `Absent: ${service} (optional${variant === 'baseline' ? ', baseline' : ''}): ${withoutOwner(service, withoutLog(reason.message))}`;
}

/** Services that the record names as absent, and that the baseline's spec lets it go without. */
export function rightlyAbsent(record: RunRecord, baseline: ResolvedSpec): Set<string> {
  return new Set(
    absentServices(record).flatMap(({ service, variant }) => {
      const own = serviceOf(record.spec, service);
      const isFree = own !== undefined && mayBeAbsent(own, serviceOf(baseline, service));
      return variant === 'candidate' && isFree ? [service] : [];
    }),
  );
}

/** The record in which the cases of services that it calls absent, and the baseline's spec gates, are invalid for that reason. */
export function withRequiredServices(record: RunRecord, baseline: ResolvedSpec, only: string | null): RunRecord {
  const free = rightlyAbsent(record, baseline);
  const there = new Set(record.cases.map(({ key, variant }) => `${variant} ${key}`));
  const lost = absentServices(record).flatMap(({ service, variant, reason }) => {
    if (variant === 'baseline' || free.has(service)) return [];
    const isOwn = (each: Case) => each.service.name === service && isSelected(each, only);
    const cases = casesOf(record.spec).filter((each) => isOwn(each) && !there.has(`candidate ${each.key}`));
    return cases.map((each) => lostCase(each, reason));
  });
  return lost.length === 0 ? record : { ...record, cases: [...record.cases, ...lost] };
}

function serviceOf({ services }: ResolvedSpec, wanted: string): Service | undefined {
  return services.find(({ name }) => name === wanted);
}
