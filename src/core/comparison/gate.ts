import type { MetricDefinition } from '../metrics/definition.ts';
import { metrics } from '../metrics/registry.ts';
import { acceptanceFor, acceptedAmong } from './acceptance.ts';
import type {
  Acceptance,
  AcceptedEntry,
  CaseComparison,
  GateEntry,
  GateResult,
  MetricComparison,
} from './comparison.ts';
import { acceptedRemoval } from './removal.ts';
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
  /** It is more than either side answers in time, which fails nothing. */
  isBeyond: boolean;
  /** Metric → sentence, for those with the verdict `invalid` in a case that is not. */
  invalidMetrics: Readonly<Record<string, string>>;
  /** Metric → sentence, for those with a limit of their level that was neither kept nor broken. */
  openLevels: Readonly<Record<string, string>>;
}

export interface GateOptions {
  /** As the run calls them; absent for how they are called without dependencies. */
  metrics?: readonly MetricDefinition[];
  accepted: readonly Acceptance[];
  failOnInconclusive: boolean;
  /** What is invalid of the comparison as a whole; their case key is `*`. */
  whole: readonly string[];
}

/** Verdicts to pass or fail: a regression that nobody accepted fails, and so does everything that is invalid or was not measured. */
export function gateResult(cases: readonly GatedCase[], options: GateOptions): GateResult {
  const all = withAccepted(
    cases.flatMap((each) => entriesOf(each, options)),
    options.accepted,
  );
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
    beyond: only('beyond'),
    accepted: all.flatMap((found) => (found.kind === 'accepted' ? [found.entry] : [])),
    new: only('new'),
  };
}

function withAccepted(all: readonly Found[], accepted: readonly Acceptance[]): Found[] {
  const red = all.flatMap((found) =>
    found.kind === 'regressions' ? [{ found, metric: found.entry.metric!, caseKeys: found.caseKeys }] : [],
  );
  const taken = acceptedAmong(red, ({ found, metric }) => acceptanceFor(accepted, found.names, metric));
  const reasons = new Map<Found, string>([...taken].map(([{ found }, { reason }]) => [found, reason]));
  return all.map((found) => {
    const reason = reasons.get(found);
    return reason === undefined ? found : { ...found, kind: 'accepted', entry: { ...found.entry, reason } };
  });
}

type Kind = 'regressions' | 'inconclusive' | 'notMeasured' | 'invalid' | 'leftOut' | 'beyond' | 'new';
type Finding = { kind: Kind; entry: GateEntry } | { kind: 'accepted'; entry: AcceptedEntry };
type Found = Finding & Pick<GatedCase, 'names' | 'caseKeys'>;

function entriesOf(gated: GatedCase, options: GateOptions): Found[] {
  const { names, caseKeys } = gated;
  return findingsOf(gated, options).map((finding) => ({ ...finding, names, caseKeys }));
}

function findingsOf(gated: GatedCase, { accepted, metrics: known = metrics }: GateOptions): Finding[] {
  const { key, presence, reasons } = gated.comparison;
  const whole = { caseKey: key, metric: null };
  const message = reasons.map((reason) => reason.message).join('; ');
  // Of a candidate that is invalid nobody knows whether its baseline was only not measured.
  if (reasons.length > 0) {
    const acceptance = gated.isOnlyBaseline ? accepted.find((each) => namesCase(each, gated.names)) : undefined;
    if (acceptance !== undefined) {
      return [{ kind: 'accepted', entry: { ...whole, message: acceptedRemoval(message), reason: acceptance.reason } }];
    }
    const kind = gated.isBeyond ? 'beyond' : gated.isLeftOut ? 'leftOut' : 'invalid';
    const lost: Finding = { kind, entry: { ...whole, message } };
    return [lost, ...known.flatMap((metric) => metricEntries(gated, metric).filter(isRegression))];
  }
  const isNew = 'The baseline does not have this case: it is not compared.';
  return [
    ...(presence === 'new' ? [{ kind: 'new' as const, entry: { ...whole, message: isNew } }] : []),
    ...known.flatMap((metric) => metricEntries(gated, metric)),
  ];
}

/** That nothing of a case is compared is accepted by its name: `*` would accept what nobody has looked at. */
function namesCase({ cases, metric }: Acceptance, names: readonly string[]): boolean {
  return metric === null && /[^*?/]/.test(cases) && fits(cases, names);
}

function metricEntries(gated: GatedCase, metric: MetricDefinition): Finding[] {
  const { name } = metric;
  const found = Object.hasOwn(gated.comparison.metrics, name) ? gated.comparison.metrics[name]! : null;
  const entry = { caseKey: gated.comparison.key, metric: name };
  const level = Object.hasOwn(gated.openLevels, name) ? gated.openLevels[name]! : null;
  const open: Finding[] = level === null ? [] : [{ kind: 'inconclusive', entry: { ...entry, message: level } }];
  if (found === null) return open;
  const red = regressionMessages(found, metric).map((message): Finding => {
    return { kind: 'regressions', entry: { ...entry, message } };
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

function isRegression({ kind }: Finding): boolean {
  return kind === 'regressions';
}

function regressionMessages(found: MetricComparison, metric: MetricDefinition): string[] {
  return [
    ...(found.verdict === 'regression' ? [changeSentence(metric, found)] : []),
    ...(found.brokenLimit === null ? [] : [absoluteSentence(metric, found.candidate!, found.brokenLimit)]),
  ];
}
