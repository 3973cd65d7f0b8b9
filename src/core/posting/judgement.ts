import { rightlyAbsent, withRequiredServices } from '../baseline/absent-services.ts';
import { heldToBaseline } from '../baseline/governed-services.ts';
import { movedPaths } from '../baseline/moved-paths.ts';
import { withoutOtherRequests } from '../baseline/other-requests.ts';
import { missingCases } from '../baseline/sides.ts';
import { absoluteLimits } from '../comparison/absolute-limits.ts';
import type { Acceptance, Comparison, GateEntry } from '../comparison/comparison.ts';
import { comparisonOf } from '../comparison/comparison-of.ts';
import { storedComparison } from '../comparison/stored.ts';
import type { StoredHistory } from '../comparison/stored-history.ts';
import { type Case, casesOf } from '../config/case.ts';
import type { GateRules, ResolvedSpec } from '../config/resolved.ts';
import { isSelected, quickened } from '../config/selection.ts';
import { ended } from '../format/sentence.ts';
import type { RunRecord } from '../record/run-record.ts';
import type { JudgedRun } from './verdict.ts';

/** What whoever judges knows for himself, where the record may come from anybody. */
export interface TrustedFacts {
  /** Spec of that name at the commit that the run is held against; null where there is none. */
  baseSpec: ResolvedSpec | null;
  /** Regressions that somebody accepted who may. What the record says of it counts for nothing. */
  accepted: readonly Acceptance[];
  /** Nobody wanted a comparison. */
  withoutBaseline: boolean;
  /** How the run was to be made: cases that were left out on purpose are not missing. */
  only: string | null;
  quick: boolean;
  failOnInconclusive: boolean;
  /** Why it cannot be believed, sentences; empty where it can. */
  doubts: readonly string[];
  /** The stored run that its numbers are held against, with what else is stored; null where there is none. */
  stored: { record: RunRecord; history: StoredHistory } | null;
}

/**
 * The verdict of a record, worked out again from what was measured: by the limits of the base, with the acceptances that
 * are known, and with every case that the base has as invalid that the record lacks, or asked something else in. `comparison.json` is
 * not looked at.
 */
export function rejudged(record: RunRecord, known: TrustedFacts): JudgedRun {
  const gate = known.baseSpec?.gate ?? record.comparing?.gate ?? record.spec.gate;
  const { baseSpec, only } = known;
  const whole = baseSpec === null ? record : heldTo(record, baseSpec, only);
  const paths = baseSpec === null ? null : movedPaths(record.spec, baseSpec);
  const judged = withKnown(whole, gate, known.accepted, paths);
  const comparison = comparisonAgain(judged, known);
  const doubts = [...known.doubts, ...(comparison === null ? uncompared(judged, known) : [])];
  return {
    record: judged,
    comparison: comparison === null ? null : withLost(comparison, lostCases(judged, known)),
    limits: absoluteLimits(judged, { gate, accepted: known.accepted }),
    unverified: doubts.length === 0 ? null : ended(capitalised(doubts.join('; '))),
  };
}

function heldTo(record: RunRecord, base: ResolvedSpec, only: string | null): RunRecord {
  const whole = withRequiredServices(heldToBaseline(record, base), base, only);
  return withoutOtherRequests(whole, base, only);
}

/** `paths`: those of the base for endpoints that moved or are gone; null where only the record knows. */
function withKnown(
  record: RunRecord,
  gate: GateRules,
  accepted: readonly Acceptance[],
  paths: Readonly<Record<string, string>> | null,
): RunRecord {
  const { comparing, unpaired } = record;
  const known = paths === null ? {} : { baselinePaths: { ...paths } };
  return {
    ...record,
    ...(comparing === undefined ? {} : { comparing: { ...comparing, ...known, gate, accepted: [...accepted] } }),
    ...(unpaired === undefined ? {} : { unpaired: { ...unpaired, accepted: [...accepted] } }),
  };
}

function comparisonAgain(
  record: RunRecord,
  { baseSpec, stored, failOnInconclusive, only }: TrustedFacts,
): Comparison | null {
  if (record.comparing !== undefined) return comparisonOf(record, { failOnInconclusive });
  if (record.unpaired?.baseline == null || stored === null) return null;
  return storedComparison(stored.record, record, stored.history, {
    failOnInconclusive,
    only,
    governing: baseSpec,
  });
}

/** A record that compares nothing says that there was nothing: the base knows better. */
function uncompared({ unpaired }: RunRecord, { baseSpec, stored, withoutBaseline }: TrustedFacts): string[] {
  if (withoutBaseline || baseSpec === null || baseSpec.gate.baseline === 'none' || unpaired?.failed === true) return [];
  if (unpaired?.baseline != null && stored === null) {
    return [`the run compares with the stored run ${unpaired.baseline.recordId ?? ''}, which is not there`];
  }
  return baseSpec.gate.baseline === 'stored' ? [] : ['the base has this spec, and the run compares with nothing'];
}

/** Cases that were to be measured on both sides, or that the base has, and of which the record says nothing. */
function lostCases(record: RunRecord, { baseSpec, only, quick }: TrustedFacts): string[] {
  const { spec, cases, comparing } = record;
  if (baseSpec === null || comparing?.skipped) return [];
  const [own, base] = quick ? [quickened(spec), quickened(baseSpec)] : [spec, baseSpec];
  const there = new Set(cases.map(({ key }) => key));
  const absent = rightlyAbsent(record, baseSpec);
  const subjects = ({ service, ...each }: Case) =>
    service.role === 'subject' && !absent.has(service.name) && isSelected({ service, ...each }, only);
  const expected = [...casesOf(own), ...missingCases(own, base)].filter(subjects).map(({ key }) => key);
  return [...new Set(expected)].filter((key) => !there.has(key));
}

function withLost(comparison: Comparison, lost: readonly string[]): Comparison {
  const said = new Set(comparison.gate.invalid.map(({ caseKey }) => caseKey));
  const entries = lost
    .filter((key) => !said.has(key))
    .map(
      (caseKey): GateEntry => ({ caseKey, metric: null, message: 'It was to be measured, and the record lacks it.' }),
    );
  if (entries.length === 0) return comparison;
  const { gate } = comparison;
  return { ...comparison, gate: { ...gate, passed: false, invalid: [...gate.invalid, ...entries] } };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
