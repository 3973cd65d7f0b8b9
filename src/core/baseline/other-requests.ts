import { casesOf } from '../config/case.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import { isSelected } from '../config/selection.ts';
import type { Reason } from '../measurement/names.ts';
import { lostCase } from '../record/merged-record.ts';
import { redactedSpec } from '../record/redaction.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';
import { rightlyAbsent } from './absent-services.ts';
import { askedOtherwise } from './wire-request.ts';

/** Why two cases of one name are not held against each other; `how` they are asked otherwise, where that is known. */
export function otherRequestReason(how: string | null): Reason {
  const what = how === null ? '' : ` (${how})`;
  const message = `The baseline's request of this case is gone: what the candidate is asked under its name is another one${what}, and the two are not compared.`;
  return { code: 'missing', message };
}

/**
 * Cases of the record that were asked something else than the spec asks, by their keys, and why they are compared with nothing. What
 * records leave out of a spec is left out of both.
 */
export function otherRequests({ spec }: Pick<RunRecord, 'spec'>, baseline: ResolvedSpec): Map<string, Reason> {
  const shown = redactedSpec(baseline);
  const before = new Map(casesOf(shown).map((each) => [each.key, each]));
  const found = casesOf(spec).flatMap((each): [string, Reason][] => {
    const theirs = before.get(each.key);
    if (theirs?.service.role !== 'subject') return [];
    const how = askedOtherwise({ of: each, spec }, { of: theirs, spec: shown });
    return how === null ? [] : [[each.key, otherRequestReason(how)]];
  });
  return new Map(found);
}

/**
 * The record without its baseline in cases that were asked something else than the spec asks: what that gates is gone, until somebody
 * accepts it by name. Also where the record says that nothing had to be measured. Services that are rightly absent were asked nothing.
 */
export function withoutOtherRequests(record: RunRecord, baseline: ResolvedSpec, only: string | null): RunRecord {
  const others = otherRequests(record, baseline);
  const absent = rightlyAbsent(record, baseline);
  const lost = casesOf(baseline).flatMap((each): CaseRecord[] => {
    const reason = absent.has(each.service.name) || !isSelected(each, only) ? undefined : others.get(each.key);
    return reason === undefined ? [] : [{ ...lostCase(each, reason), variant: 'baseline' }];
  });
  if (lost.length === 0) return record;
  const kept = record.cases.filter(({ key, variant }) => variant === 'candidate' || !others.has(key));
  const { comparing } = record;
  return {
    ...record,
    ...(comparing === undefined ? {} : { comparing: { ...comparing, skipped: null } }),
    cases: [...kept, ...lost],
  };
}
