import type { CaseRecord, MetricRecord } from '../record/run-record.ts';
import type { GateRules } from '../spec/resolved.ts';
import { median } from '../statistics/quantile.ts';
import type { Contrast } from './contrast.ts';
import type { Question } from './question.ts';
import { changeLimit, limitsFor, logBorders } from './thresholds.ts';

/**
 * What is of a process is asked of all cases together: one start of the service serves them all, from one heap. When a
 * garbage collector runs scatters the peak of a single case by 8 to 19 % from instance to instance (Node.js), the median
 * over 16 of them by 3 %: a limit of 10 % is decided there and nowhere else.
 *
 *     case      instance 1   instance 2   …
 *     /a           +12 %         -3 %
 *     /b            +2 %         +1 %          ln(candidate/baseline)
 *     /c            -9 %         +2 %
 *     service       +2 %         +1 %     …    the median of each column is what an instance tells of the service
 *
 * Each case is still asked for itself, so that one endpoint that takes twice the memory is red.
 */
export function withWholeServices(contrasts: readonly Contrast[], gate: GateRules): Contrast[] {
  const groups = new Map<string, Contrast[]>();
  for (const contrast of contrasts) {
    if (!isAskedTogether(contrast)) continue;
    const name = `${contrast.case.service} ${contrast.metric.name}`;
    groups.set(name, [...(groups.get(name) ?? []), contrast]);
  }
  const whole = [...groups.values()].flatMap((own) => (own.length < 2 ? [] : (wholeService(own, gate) ?? [])));
  const asked = new Set(whole.map((contrast) => nameOf(contrast)));
  const ofCases = contrasts.map((contrast) =>
    isAskedTogether(contrast) && asked.has(nameOf(contrast)) ? { ...contrast, askedOfService: true } : contrast,
  );
  return [...ofCases, ...whole];
}

/** Key of what stands for all cases of a service. */
export function wholeServiceKey(service: string): string {
  return `${service}/*`;
}

export function isWholeService({ key }: { key: string }): boolean {
  return key.endsWith('/*');
}

function nameOf({ case: { service }, metric }: Contrast): string {
  return `${service} ${metric.name}`;
}

function isAskedTogether({ metric, gates, threshold, question, case: { baseline, candidate } }: Contrast): boolean {
  const judged = gates && threshold !== null && question !== null;
  return metric.ofProcess === true && judged && baseline?.status === 'valid' && candidate?.status === 'valid';
}

/** Null where nothing limits the service as a whole, or no instance holds half of its cases. */
function wholeService(own: readonly Contrast[], gate: GateRules): Contrast | null {
  const [first] = own as [Contrast, ...Contrast[]];
  const { metric, case: some } = first;
  const key = wholeServiceKey(some.service);
  const names = [key, some.service];
  const threshold = changeLimit(metric, limitsFor(gate, names, metric.name));
  const logRatios = overCases(own.map(({ question }) => question!));
  if (threshold === null || logRatios.length === 0) return null;

  const baseline = figureOf(own.map((contrast) => contrast.baseline!));
  const candidate = figureOf(own.map((contrast) => contrast.candidate!));
  const borders = logBorders(metric, threshold, baseline.value);
  return {
    ...first,
    case: {
      ...some,
      key,
      endpoint: '*',
      names,
      baseline: recordOf(some.baseline!, key, { [metric.name]: baseline }),
      candidate: recordOf(some.candidate!, key, { [metric.name]: candidate }),
    },
    baseline,
    candidate,
    // A level is held to each case, in which it is broken or not.
    limit: metric.better === 'lower' ? { maxIncrease: threshold } : { maxDecrease: threshold },
    threshold,
    question: {
      id: `${key} ${metric.name}`,
      group: `${metric.name} ${key}`,
      logRatios,
      threshold: borders.worse,
      improvement: borders.better,
    },
    pairs: own.flatMap(({ pairs }) => pairs),
    note: `over all ${own.length} cases of the service, which one process serves`,
    askedOfService: false,
  };
}

/** The median of each instance that holds half of the cases at least: fewer are another load. */
export function overCases(questions: readonly Question[]): Question['logRatios'] {
  const found = new Map<number, number[]>();
  for (const { instance, value } of questions.flatMap(({ logRatios }) => logRatios)) {
    found.set(instance, [...(found.get(instance) ?? []), value]);
  }
  return [...found]
    .filter(([, values]) => values.length >= questions.length / 2)
    .map(([instance, values]) => ({ instance, value: median(values), pairs: values }))
    .sort((one, other) => one.instance - other.instance);
}

/** A case that stands for all, with nothing in it that is of one of them alone. */
function recordOf(some: CaseRecord, key: string, metrics: CaseRecord['metrics']): CaseRecord {
  return { ...some, key, endpoint: '*', reasons: [], raw: [], statements: [], metrics };
}

/** The usual one of the cases. */
function figureOf(cases: readonly MetricRecord[]): MetricRecord {
  const value = median(cases.map((each) => each.value));
  return { value, unit: cases[0]!.unit, samples: cases.flatMap(({ samples }) => samples) };
}
