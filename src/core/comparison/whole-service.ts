import type { CaseRecord, MetricRecord } from '../record/run-record.ts';
import { mean } from '../statistics/moderated-variance.ts';
import { median } from '../statistics/quantile.ts';
import type { Contrast } from './contrast.ts';
import type { Question } from './question.ts';
import { logBorders } from './thresholds.ts';
import { limitGroups, wholeServiceKey } from './whole-service-key.ts';

/**
 * What is of a process is asked of all cases together: one start of the service serves them all, from one heap. When a
 * garbage collector runs scatters the peak of a single case by 7 to 13 % from instance to instance (Node.js), the median
 * over 16 of them by 3 %: a limit of 10 % is decided there and nowhere else.
 *
 *     case      instance 1   instance 2   …
 *     /a           +12 %         -3 %
 *     /b            +2 %         +1 %          ln(candidate/baseline)
 *     /c            -9 %         +2 %
 *     service       +2 %         +1 %     …    the median of each column is what an instance tells of the service
 *
 * Each case is still asked for itself, so that one endpoint that takes twice the memory is red. Only cases with the same
 * limit are asked together: the looser one of others must not speak for a case, nor a tighter one against it.
 */
export function withWholeServices(contrasts: readonly Contrast[]): Contrast[] {
  const limited = new Map<string, Contrast[]>();
  for (const contrast of contrasts) {
    const { metric, gates, threshold, case: compared } = contrast;
    if (metric.ofProcess !== true || !gates || threshold === null) continue;
    const name = `${compared.service} ${metric.name}`;
    limited.set(name, [...(limited.get(name) ?? []), contrast]);
  }
  const askedOf = new Map<Contrast, string>();
  const whole = [...limited.values()].flatMap((all) =>
    limitGroups(all[0]!.case.service, all, ({ threshold }) => threshold!).flatMap(({ key, own }) => {
      const judged = own.filter(isJudged);
      const found = judged.length < 2 ? null : wholeService(key, judged);
      if (found === null) return [];
      for (const contrast of judged) askedOf.set(contrast, key);
      return [found];
    }),
  );
  return [...contrasts.map((contrast) => ({ ...contrast, askedOf: askedOf.get(contrast) ?? null })), ...whole];
}

function isJudged({ question, case: { baseline, candidate } }: Contrast): boolean {
  return question !== null && baseline?.status === 'valid' && candidate?.status === 'valid';
}

/** Of cases with one limit; null where no instance holds half of them. */
function wholeService(key: string, own: readonly Contrast[]): Contrast | null {
  const [first] = own as [Contrast, ...Contrast[]];
  const { metric, case: some } = first;
  const threshold = first.threshold!;
  const logRatios = overCases(own.map(({ question }) => question!));
  if (logRatios.length === 0) return null;

  const baseline = figureOf(own.map((contrast) => contrast.baseline!));
  const candidate = figureOf(own.map((contrast) => contrast.candidate!));
  const borders = logBorders(metric, threshold, baseline.value);
  const which = key === wholeServiceKey(some.service) ? `all ${own.length} cases` : `the ${own.length} cases`;
  const limited = key === wholeServiceKey(some.service) ? '' : ' with this limit';
  return {
    ...first,
    case: {
      ...some,
      key,
      endpoint: '*',
      names: [key, some.service],
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
    note: `over ${which} of the service${limited}, which one process serves`,
    askedOf: null,
  };
}

/**
 * The median of each instance that holds half of the cases at least: fewer are another load. As its pairs, what each case
 * has beyond its own instances before: that cases differ from each other, in every instance alike, is no noise.
 */
export function overCases(questions: readonly Question[]): Question['logRatios'] {
  const found = new Map<number, { value: number; beyondBefore: number | null }[]>();
  for (const { logRatios } of questions) {
    const beyond = beyondBefore(logRatios.map(({ value }) => value));
    for (const [index, { instance, value }] of logRatios.entries()) {
      found.set(instance, [...(found.get(instance) ?? []), { value, beyondBefore: beyond[index]! }]);
    }
  }
  return [...found]
    .filter(([, cases]) => cases.length >= questions.length / 2)
    .map(([instance, cases]) => ({
      instance,
      value: median(cases.map(({ value }) => value)),
      pairs: cases.flatMap((each) => each.beyondBefore ?? []),
    }))
    .sort((one, other) => one.instance - other.instance);
}

/**
 * Recursive residuals (Brown, Durbin, Evans 1975): each value less the mean of the k before it, by sqrt((k + 1) / k), which
 * scatters as the values do. They rest on nothing that came later, so that an earlier look stays as it was. The first value
 * has none before it and takes that of the second; null where there is only one.
 */
function beyondBefore(values: readonly number[]): (number | null)[] {
  const residuals = values.map((value, before) =>
    before === 0 ? null : (value - mean(values.slice(0, before))) / Math.sqrt((before + 1) / before),
  );
  return [residuals[1] ?? null, ...residuals.slice(1)].slice(0, values.length);
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
