import type { CaseComparison, Comparison, MetricComparison } from '../../comparison/comparison.ts';
import { metricNamed } from '../../metrics/registry.ts';
import { judgedIn, metricOf, placeOf, type UnitFor, unitFinder } from './endpoint-groups.ts';
import { inReportOrder } from './metric-words.ts';

/** A metric of a service, an endpoint or a case that changed by more than its limit, or that breaks an absolute one. */
export interface Finding {
  key: string;
  metric: string;
  compared: MetricComparison;
  kind: FindingKind;
  level: FindingLevel;
  /** Why it was accepted; null where it was not. */
  reason: string | null;
}

export type FindingKind = 'regression' | 'accepted' | 'improvement';

/**
 * In the order in which they are shown. `everything`: a service of which all endpoints changed, or none by itself. `service`: one of
 * which some did. `case`: a case of an endpoint that did not.
 */
type FindingLevel = 'everything' | 'endpoint' | 'service' | 'case';

/** A count, which does not vary. */
export function isExact({ compared }: Pick<Finding, 'compared'>): boolean {
  return compared.evidence.mode === 'exact';
}

/** What a request asks of the database, counted: one more query, or more rows. */
export function isOfDatabase(finding: Finding): boolean {
  return isExact(finding) && metricNamed(finding.metric)?.needsDatabase === true;
}

/** All findings of one service, endpoint or case, the leading one first. */
export interface CaseFindings {
  key: string;
  kind: FindingKind;
  findings: [Finding, ...Finding[]];
}

/**
 * Regressions first, then what was accepted, then improvements; of each services and endpoints before cases. A case is left out where
 * its endpoint, or the service that it is judged for, has the same finding.
 */
export function caseFindings(comparison: Comparison): CaseFindings[] {
  const byCase = new Map<string, Finding[]>();
  for (const finding of findings(comparison)) {
    byCase.set(finding.key, [...(byCase.get(finding.key) ?? []), finding]);
  }
  const cases = [...byCase].map(([key, own]): CaseFindings => {
    const [first, ...rest] = own.sort(byWeight);
    return { key, kind: first!.kind, findings: [first!, ...rest] };
  });
  const order = cases.sort((one, other) => byWeight(one.findings[0], other.findings[0]));
  const places = new Map(judgedIn(comparison).map((each) => [each.key, placeOf(each)]));
  return besideEachOther(order, ({ key, findings: [{ kind, level }] }) => `${kind} ${level} ${places.get(key) ?? key}`);
}

/** What is of one endpoint stands together, where the first of it stands: its CPU may be judged on a case, and its queries on all. */
function besideEachOther<T>(all: readonly T[], groupOf: (one: T) => string): T[] {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(groupOf(each), [...(groups.get(groupOf(each)) ?? []), each]);
  return [...groups.values()].flat();
}

const kinds: FindingKind[] = ['regression', 'accepted', 'improvement'];
const levels: FindingLevel[] = ['everything', 'endpoint', 'service', 'case'];

function findings(comparison: Comparison): Finding[] {
  const { services, gate } = comparison;
  const red = new Set(gate.regressions.map(({ caseKey, metric }) => nameOf(caseKey, metric)));
  const reasons = new Map(gate.accepted.map(({ caseKey, metric, reason }) => [nameOf(caseKey, metric), reason]));
  const kindOf = (key: string, metric: string, compared: MetricComparison): Pick<Finding, 'kind' | 'reason'> | null => {
    if (compared.verdict === 'regression' || compared.brokenLimit !== null) {
      const accepted = reasons.get(nameOf(key, metric)) ?? reasons.get(nameOf(key, null)) ?? null;
      const reason = red.has(nameOf(key, metric)) ? null : accepted;
      return { kind: reason === null ? 'regression' : 'accepted', reason };
    }
    return compared.verdict === 'improvement' ? { kind: 'improvement', reason: null } : null;
  };
  const unitFor = unitFinder(comparison);
  const isService = new Set(services);
  return judgedIn(comparison).flatMap((each) =>
    inReportOrder(Object.keys(each.metrics)).flatMap((metric): Finding[] => {
      const compared = each.metrics[metric]!;
      const found = kindOf(each.key, metric, compared);
      if (found === null) return [];
      const unit = unitFor(each, metric);
      if (unit === null || unit === each || isService.has(each)) {
        const level = isService.has(each) ? levelOfService(each, metric, comparison, unitFor) : 'endpoint';
        return [{ key: each.key, metric, compared, ...found, level }];
      }
      const ofUnit = kindOf(unit.key, metric, metricOf(unit, metric)!);
      const isSaid = ofUnit?.kind === found.kind && compared.brokenLimit === null;
      return isSaid ? [] : [{ key: each.key, metric, compared, ...found, level: 'case' }];
    }),
  );
}

/** Whether what a service did all of its endpoints did. Where none shows it by itself, it is of all of them as well. */
function levelOfService(
  service: CaseComparison,
  metric: string,
  comparison: Comparison,
  unitFor: UnitFor,
): 'everything' | 'service' {
  const { verdict } = service.metrics[metric]!;
  const judged = [...comparison.endpoints, ...comparison.cases.filter((each) => unitFor(each, metric) === null)].filter(
    (each) => each.service === service.service && (metricOf(each, metric)?.verdict ?? null) !== null,
  );
  const places = new Set(judged.map(placeOf));
  const same = new Set(judged.filter((each) => metricOf(each, metric)!.verdict === verdict).map(placeOf));
  return same.size === 0 || same.size === places.size ? 'everything' : 'service';
}

function nameOf(key: string, metric: string | null): string {
  return `${metric ?? ''} ${key}`;
}

/** Of a level, what was measured under load leads, the greatest change first; exact counts explain it. */
function byWeight(one: Finding, other: Finding): number {
  const exact = (finding: Finding) => Number(isExact(finding));
  return (
    kinds.indexOf(one.kind) - kinds.indexOf(other.kind) ||
    levels.indexOf(one.level) - levels.indexOf(other.level) ||
    exact(one) - exact(other) ||
    size(other) - size(one)
  );
}

/** On the log scale; a change from nothing, or to nothing, is greater than any other. */
function size({ compared: { change } }: Finding): number {
  return change === null ? Number.MAX_VALUE : Math.min(Number.MAX_VALUE, Math.abs(Math.log1p(change)));
}
