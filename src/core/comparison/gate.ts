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

/** A compared case, endpoint or service, the names that acceptances are held against, and why metrics of it are invalid. */
export interface GatedCase {
  comparison: CaseComparison;
  names: readonly string[];
  /** Of the cases that it is of; its own where it is one. */
  caseKeys: readonly string[];
  /** Code of the one reason for which both sides are invalid, or their duet is; null where there is none. */
  failsAlike: string | null;
  /** What is wrong is of the baseline alone: its case is gone from the spec, or did not answer as its own spec expects. */
  isOnlyBaseline: boolean;
  /** It fails alike on both sides, and its endpoint is judged on the rest. */
  isLeftOut: boolean;
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

/** Verdicts to pass or fail: a regression that nobody accepted fails, and so does everything that is invalid or was not measured. */
export function gateResult(cases: readonly GatedCase[], options: GateOptions): GateResult {
  const all = withAcceptedUnits(cases.flatMap((each) => entriesOf(each, options.accepted)));
  const only = (kind: Found['kind']) => all.flatMap((found) => (found.kind === kind ? [found.entry] : []));
  const inconclusive = only('inconclusive');
  const notMeasured = only('notMeasured');
  const regressions = only('regressions');
  const invalid = [...options.whole.map((message) => ({ caseKey: '*', metric: null, message })), ...only('invalid')];
  return {
    passed:
      regressions.length === 0 &&
      invalid.length === 0 &&
      notMeasured.length === 0 &&
      (inconclusive.length === 0 || !options.failOnInconclusive),
    regressions,
    inconclusive,
    notMeasured,
    invalid,
    leftOut: only('leftOut'),
    accepted: all.flatMap((found) => (found.kind === 'accepted' ? [found.entry] : [])),
    new: only('new'),
  };
}

/**
 * What is red of a service or an endpoint only for what is red of its parts is accepted with them: whoever accepts that `/users`
 * costs more accepts what that makes of the service.
 */
function withAcceptedUnits(all: readonly Found[]): Found[] {
  const isWithin = (part: Found, whole: Found) =>
    part.caseKeys.length < whole.caseKeys.length && part.caseKeys.every((key) => whole.caseKeys.includes(key));
  const results = [...all];
  // Endpoints before their services: what was accepted of a part counts for the whole.
  const smallestFirst = [...all.keys()].sort((one, other) => all[one]!.caseKeys.length - all[other]!.caseKeys.length);
  for (const index of smallestFirst) {
    const found = all[index]!;
    if (found.kind !== 'regressions') continue;
    const parts = results.filter(
      (other) =>
        (other.kind === 'regressions' || other.kind === 'accepted') &&
        other.entry.metric === found.entry.metric &&
        isWithin(other, found),
    );
    const [first] = parts;
    if (first === undefined || first.kind !== 'accepted' || parts.some(({ kind }) => kind === 'regressions')) continue;
    results[index] = { ...found, kind: 'accepted', entry: { ...found.entry, reason: first.entry.reason } };
  }
  return results;
}

type Kind = 'regressions' | 'inconclusive' | 'notMeasured' | 'invalid' | 'leftOut' | 'new';
type Finding = { kind: Kind; entry: GateEntry } | { kind: 'accepted'; entry: AcceptedEntry };
type Found = Finding & Pick<GatedCase, 'caseKeys'>;

function entriesOf(gated: GatedCase, accepted: readonly Acceptance[]): Found[] {
  return findingsOf(gated, accepted).map((finding) => ({ ...finding, caseKeys: gated.caseKeys }));
}

function findingsOf(gated: GatedCase, accepted: readonly Acceptance[]): Finding[] {
  const { key, presence, reasons } = gated.comparison;
  const whole = { caseKey: key, metric: null };
  const message = reasons.map((reason) => reason.message).join('; ');
  // Of a candidate that is invalid nobody knows whether its baseline was only not measured.
  if (reasons.length > 0) {
    const acceptance = gated.isOnlyBaseline ? accepted.find((each) => namesCase(each, gated.names)) : undefined;
    if (acceptance !== undefined) {
      return [{ kind: 'accepted', entry: { ...whole, message, reason: acceptance.reason } }];
    }
    return [{ kind: gated.isLeftOut ? 'leftOut' : 'invalid', entry: { ...whole, message } }];
  }
  const isNew = 'The baseline does not have this case: it is not compared.';
  return [
    ...(presence === 'new' ? [{ kind: 'new' as const, entry: { ...whole, message: isNew } }] : []),
    ...metrics.flatMap((metric) => metricEntries(gated, metric.name, accepted)),
  ];
}

/** That nothing of a case is compared is accepted by its name: `*` would accept what nobody has looked at. */
function namesCase({ cases, metric }: Acceptance, names: readonly string[]): boolean {
  return metric === null && /[^*?/]/.test(cases) && fits(cases, names);
}

function metricEntries(gated: GatedCase, name: string, accepted: readonly Acceptance[]): Finding[] {
  const found = Object.hasOwn(gated.comparison.metrics, name) ? gated.comparison.metrics[name]! : null;
  const entry = { caseKey: gated.comparison.key, metric: name };
  const level = Object.hasOwn(gated.openLevels, name) ? gated.openLevels[name]! : null;
  const open: Finding[] = level === null ? [] : [{ kind: 'inconclusive', entry: { ...entry, message: level } }];
  if (found === null) return open;
  const metric = metrics.find((each) => each.name === name)!;
  const red = regressionMessages(found, metric).map((message): Finding => {
    const acceptance = accepted.find(({ cases, metric: only }) => (only ?? name) === name && fits(cases, gated.names));
    return acceptance === undefined
      ? { kind: 'regressions', entry: { ...entry, message } }
      : { kind: 'accepted', entry: { ...entry, message, reason: acceptance.reason } };
  });
  const message = changeSentence(metric, found);
  // Its note says so of the level as well.
  if (found.verdict === 'inconclusive') return [...red, { kind: 'inconclusive', entry: { ...entry, message } }];
  if (found.verdict === 'not-measured') return [...red, { kind: 'notMeasured', entry: { ...entry, message } }];
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
