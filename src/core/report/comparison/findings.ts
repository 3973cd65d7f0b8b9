import type { CaseComparison, Comparison, MetricComparison } from '../../comparison/comparison.ts';
import { median } from '../../statistics/quantile.ts';
import { inReportOrder } from './metric-words.ts';

/** A metric of a case that changed by more than its limit, or that breaks an absolute one. */
export interface Finding {
  key: string;
  metric: string;
  compared: MetricComparison;
  kind: FindingKind;
  /** Why it was accepted; null where it was not. */
  reason: string | null;
}

export type FindingKind = 'regression' | 'accepted' | 'improvement';

/** All findings of one case, the leading one first. */
export interface CaseFindings {
  key: string;
  kind: FindingKind;
  findings: [Finding, ...Finding[]];
}

/** Regressions first, then what was accepted, then improvements. */
export function caseFindings(comparison: Comparison): CaseFindings[] {
  const byCase = new Map<string, Finding[]>();
  for (const finding of findings(comparison)) {
    byCase.set(finding.key, [...(byCase.get(finding.key) ?? []), finding]);
  }
  const cases = [...byCase].map(([key, own]): CaseFindings => {
    const [first, ...rest] = own.sort(byWeight);
    return { key, kind: first!.kind, findings: [first!, ...rest] };
  });
  return cases.sort((one, other) => {
    const [first, second] = [one.findings[0], other.findings[0]];
    return byWeight(first, second);
  });
}

const kinds: FindingKind[] = ['regression', 'accepted', 'improvement'];

/** All that is judged: the cases, and before them whole services. */
export function judgedIn({ cases, services }: Pick<Comparison, 'cases' | 'services'>): CaseComparison[] {
  return [...services, ...cases];
}

function findings({ gate, ...comparison }: Comparison): Finding[] {
  const red = new Set(gate.regressions.map(({ caseKey, metric }) => place(caseKey, metric)));
  const reasons = new Map(gate.accepted.map(({ caseKey, metric, reason }) => [place(caseKey, metric), reason]));
  return judgedIn(comparison).flatMap(({ key, metrics }) =>
    inReportOrder(Object.keys(metrics)).flatMap((metric): Finding[] => {
      const compared = metrics[metric]!;
      if (compared.verdict === 'regression' || compared.brokenLimit !== null) {
        const accepted = reasons.get(place(key, metric)) ?? reasons.get(place(key, null)) ?? null;
        const reason = red.has(place(key, metric)) ? null : accepted;
        return [{ key, metric, compared, kind: reason === null ? 'regression' : 'accepted', reason }];
      }
      return compared.verdict === 'improvement' ? [{ key, metric, compared, kind: 'improvement', reason: null }] : [];
    }),
  );
}

function place(key: string, metric: string | null): string {
  return `${metric ?? ''} ${key}`;
}

/** What was measured under load leads, the greatest change first; exact counts explain it. */
function byWeight(one: Finding, other: Finding): number {
  const exact = ({ compared }: Finding) => Number(compared.evidence.mode === 'exact');
  return kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || exact(one) - exact(other) || size(other) - size(one);
}

/** On the log scale; a change from nothing, or to nothing, is greater than any other. */
function size({ compared: { change } }: Finding): number {
  return change === null ? Number.MAX_VALUE : Math.min(Number.MAX_VALUE, Math.abs(Math.log1p(change)));
}

/** Case key of an entry of the gate that is about no case: the run broke off, or measured nothing. */
export const wholeRun = '*';

export interface CaseCounts {
  cases: number;
  /** Whole services among the regressed, accepted, improved and undecided, which count as one each there. */
  services: { regressed: number; accepted: number; improved: number; undecided: number };
  regressed: number;
  accepted: number;
  improved: number;
  invalid: number;
  undecided: number;
  new: number;
  /** Every metric that is judged is without change. */
  unchanged: number;
}

/** A case that is several of these at once counts in each; `unchanged` is none of the others. */
export function caseCounts(comparison: Comparison): CaseCounts {
  const { cases, services, gate } = comparison;
  const kindsOf = caseFindings(comparison).flatMap((each) => each.findings);
  const keysOf = (kind: FindingKind) => new Set(kindsOf.filter((each) => each.kind === kind).map(({ key }) => key));
  const [regressed, accepted, improved] = [keysOf('regression'), keysOf('accepted'), keysOf('improvement')];
  for (const { caseKey } of gate.regressions) regressed.add(caseKey);
  for (const { caseKey } of gate.accepted) if (!regressed.has(caseKey)) accepted.add(caseKey);
  const [invalid, undecided, fresh] = [gate.invalid, gate.inconclusive, gate.new].map(
    (entries) => new Set(entries.flatMap(({ caseKey }) => (caseKey === wholeRun ? [] : caseKey))),
  ) as [Set<string>, Set<string>, Set<string>];
  const others = [regressed, accepted, improved, invalid, undecided, fresh];
  const unchanged = cases.filter(
    ({ key, metrics }) =>
      !others.some((keys) => keys.has(key)) && Object.values(metrics).some(({ verdict }) => verdict === 'no-change'),
  );
  const wholeServices = (keys: ReadonlySet<string>) => services.filter(({ key }) => keys.has(key)).length;
  return {
    cases: cases.length,
    services: {
      regressed: wholeServices(regressed),
      accepted: wholeServices(accepted),
      improved: wholeServices(improved),
      undecided: wholeServices(undecided),
    },
    regressed: regressed.size,
    accepted: accepted.size,
    improved: improved.size,
    invalid: invalid.size,
    undecided: undecided.size,
    new: fresh.size,
    unchanged: unchanged.length,
  };
}

/** Metric → the median, over the cases or services that it gates, of the smallest change that would have been seen. */
export function detectable({ cases, services }: Comparison): { metric: string; change: number }[] {
  const names = inReportOrder(cases.flatMap(({ metrics }) => Object.keys(metrics)));
  return names.flatMap((metric) => {
    const ofServices = services.filter(({ metrics }) => Object.hasOwn(metrics, metric));
    const found = (ofServices.length > 0 ? ofServices : cases).flatMap(({ metrics }) => {
      const compared = Object.hasOwn(metrics, metric) ? metrics[metric]! : null;
      return compared === null || compared.verdict === null ? [] : (compared.minimumDetectable ?? []);
    });
    return found.length === 0 ? [] : [{ metric, change: median(found) }];
  });
}

/** Of what was judged by repetition: the fewest and the most instances (or past runs); null without any. */
export function instancesOf(comparison: Comparison): [number, number] | null {
  const counts = judgedIn(comparison).flatMap(({ metrics }) =>
    Object.values(metrics).flatMap(({ verdict, evidence }) =>
      verdict === null || evidence.mode === 'exact' ? [] : evidence.instances,
    ),
  );
  return counts.length === 0 ? null : [Math.min(...counts), Math.max(...counts)];
}
