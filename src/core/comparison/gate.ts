import { metrics } from '../metrics/registry.ts';
import type {
  Acceptance,
  AcceptedEntry,
  CaseComparison,
  GateEntry,
  GateResult,
  MetricComparison,
} from './comparison.ts';
import { absoluteSentence, changeSentence } from './sentences.ts';
import { fits } from './thresholds.ts';

/** A compared case, the names that acceptances are held against, and why metrics of it are invalid. */
export interface GatedCase {
  comparison: CaseComparison;
  names: readonly string[];
  /** Metric → sentence, for those with the verdict `invalid` in a case that is not. */
  invalidMetrics: Readonly<Record<string, string>>;
}

export interface GateOptions {
  accepted: readonly Acceptance[];
  failOnInconclusive: boolean;
  /** What is invalid of the comparison as a whole; their case key is `*`. */
  whole: readonly string[];
}

/** Verdicts to pass or fail: a regression that nobody accepted fails, and so does everything invalid. */
export function gateResult(cases: readonly GatedCase[], options: GateOptions): GateResult {
  const all = cases.flatMap((each) => entriesOf(each, options.accepted));
  const only = (kind: Found['kind']) => all.flatMap((found) => (found.kind === kind ? [found.entry] : []));
  const inconclusive = only('inconclusive');
  const regressions = only('regressions');
  const invalid = [...options.whole.map((message) => ({ caseKey: '*', metric: null, message })), ...only('invalid')];
  return {
    passed:
      regressions.length === 0 && invalid.length === 0 && (inconclusive.length === 0 || !options.failOnInconclusive),
    regressions,
    inconclusive,
    invalid,
    accepted: all.flatMap((found) => (found.kind === 'accepted' ? [found.entry] : [])),
    new: only('new'),
  };
}

type Found =
  | { kind: 'regressions' | 'inconclusive' | 'invalid' | 'new'; entry: GateEntry }
  | { kind: 'accepted'; entry: AcceptedEntry };

function entriesOf(gated: GatedCase, accepted: readonly Acceptance[]): Found[] {
  const { key, presence, reasons } = gated.comparison;
  const whole = { caseKey: key, metric: null };
  const invalid = reasons.map(({ message }) => message).join('; ');
  const found: Found[] = [];
  if (presence === 'new') {
    found.push({
      kind: 'new',
      entry: { ...whole, message: 'The baseline does not have this case: it is not compared.' },
    });
  }
  if (reasons.length > 0) found.push({ kind: 'invalid', entry: { ...whole, message: invalid } });
  else found.push(...metrics.flatMap((metric) => metricEntries(gated, metric.name, accepted)));
  return found;
}

function metricEntries(gated: GatedCase, name: string, accepted: readonly Acceptance[]): Found[] {
  const found = Object.hasOwn(gated.comparison.metrics, name) ? gated.comparison.metrics[name]! : null;
  if (found === null) return [];
  const metric = metrics.find((each) => each.name === name)!;
  const entry = { caseKey: gated.comparison.key, metric: name };
  const red = regressionMessages(found, metric).map((message): Found => {
    const acceptance = accepted.find(({ cases, metric: only }) => (only ?? name) === name && fits(cases, gated.names));
    return acceptance === undefined
      ? { kind: 'regressions', entry: { ...entry, message } }
      : { kind: 'accepted', entry: { ...entry, message, reason: acceptance.reason } };
  });
  const message = changeSentence(metric, found);
  if (found.verdict === 'inconclusive') return [...red, { kind: 'inconclusive', entry: { ...entry, message } }];
  if (found.verdict === 'invalid') {
    return [...red, { kind: 'invalid', entry: { ...entry, message: gated.invalidMetrics[name] ?? message } }];
  }
  // Of a case that is new as a whole it is said once.
  if (found.verdict !== 'new' || gated.comparison.presence === 'new') return red;
  const isNew = `${metric.title}: the baseline does not have it: it is not compared.`;
  return [...red, { kind: 'new', entry: { ...entry, message: isNew } }];
}

function regressionMessages(found: MetricComparison, metric: (typeof metrics)[number]): string[] {
  return [
    ...(found.verdict === 'regression' ? [changeSentence(metric, found)] : []),
    ...(found.brokenLimit === null ? [] : [absoluteSentence(metric, found.candidate!, found.brokenLimit)]),
  ];
}
