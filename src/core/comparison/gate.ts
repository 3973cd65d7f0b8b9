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
  /** Metric → sentence, for those with a limit of their level that was neither kept nor broken. */
  openLevels: Readonly<Record<string, string>>;
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
  // Of a candidate that is invalid nobody knows whether its baseline was only not measured.
  if (reasons.length > 0) return [{ kind: 'invalid', entry: { ...whole, message: invalid } }];
  if (presence === 'new') {
    found.push({
      kind: 'new',
      entry: { ...whole, message: 'The baseline does not have this case: it is not compared.' },
    });
  }
  return [...found, ...metrics.flatMap((metric) => metricEntries(gated, metric.name, accepted))];
}

function metricEntries(gated: GatedCase, name: string, accepted: readonly Acceptance[]): Found[] {
  const found = Object.hasOwn(gated.comparison.metrics, name) ? gated.comparison.metrics[name]! : null;
  const entry = { caseKey: gated.comparison.key, metric: name };
  const level = Object.hasOwn(gated.openLevels, name) ? gated.openLevels[name]! : null;
  const open: Found[] = level === null ? [] : [{ kind: 'inconclusive', entry: { ...entry, message: level } }];
  if (found === null) return open;
  const metric = metrics.find((each) => each.name === name)!;
  const red = regressionMessages(found, metric).map((message): Found => {
    const acceptance = accepted.find(({ cases, metric: only }) => (only ?? name) === name && fits(cases, gated.names));
    return acceptance === undefined
      ? { kind: 'regressions', entry: { ...entry, message } }
      : { kind: 'accepted', entry: { ...entry, message, reason: acceptance.reason } };
  });
  const message = changeSentence(metric, found);
  // Its note says so of the level as well.
  if (found.verdict === 'inconclusive') return [...red, { kind: 'inconclusive', entry: { ...entry, message } }];
  if (found.verdict === 'invalid') {
    return [...red, { kind: 'invalid', entry: { ...entry, message: gated.invalidMetrics[name] ?? message } }];
  }
  // Of a case that is new as a whole it is said once.
  if (found.verdict !== 'new' || gated.comparison.presence === 'new') return [...red, ...open];
  const isNew = `${metric.title}: the baseline does not have it: it is not compared.`;
  return [...red, ...open, { kind: 'new', entry: { ...entry, message: isNew } }];
}

function regressionMessages(found: MetricComparison, metric: (typeof metrics)[number]): string[] {
  return [
    ...(found.verdict === 'regression' ? [changeSentence(metric, found)] : []),
    ...(found.brokenLimit === null ? [] : [absoluteSentence(metric, found.candidate!, found.brokenLimit)]),
  ];
}
