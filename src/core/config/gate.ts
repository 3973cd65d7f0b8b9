import * as z from 'zod';
import { metrics } from '../metrics/registry.ts';
import { seconds } from '../values/forms.ts';
import { change, count, duration, quantity } from '../values/scalars.ts';
import { form, orAbsent, orElse, section, usual, writtenOnly } from '../values/section.ts';
import { bytesOf, microsecondsOf, millisecondsOf, PERCENTAGE, perSecondOf, ratioOf } from '../values/units.ts';
import { ANCHOR_FORMS, BASELINE_FORMS, WRITTEN_ANCHOR, WRITTEN_BASELINE } from './baseline-phrase.ts';
import { MOST_BUILDS } from './bounds.ts';

/**
 * A `ratio` of 0.03 is 3 %; an `absolute` is in the metric's own unit. `watched`: red where a case by itself shows that it is broken, and
 * nothing is waited for or called undecided.
 */
export type Limit = { kind: 'ratio' | 'absolute'; value: number; watched?: true | undefined };

/** In the unit of the metric that is limited. */
export interface MetricLimit {
  maxIncrease?: Limit;
  maxDecrease?: Limit;
  max?: number;
  min?: number;
}
/** Metric → its limits; an empty one is a metric that is switched off. */
type Limits = Record<string, MetricLimit>;

const limit = z.looseObject({
  kind: z.enum(['ratio', 'absolute']),
  value: z.number(),
  watched: z.literal(true).optional(),
});

/** The limits that a metric of this unit may be given. */
function limitsIn(unit: string) {
  const amount = form(quantity(unit), (written) => quantityOf(written, unit), z.number());
  const relative = form(change(unit), (written) => changeOf(written, unit), limit);
  return section(
    {
      'max-increase': orAbsent(
        relative,
        'How much higher than the baseline it may be: `3%` is relative, a plain number absolute.',
      ),
      'max-decrease': orAbsent(
        relative,
        'How much lower than the baseline it may be: `5%` is relative, a plain number absolute.',
      ),
      max: orAbsent(amount, 'The most it may be; needs no baseline.'),
      min: orAbsent(amount, 'The least it may be; needs no baseline.'),
    },
    { id: `limits in ${unit}`.replaceAll(/[^a-z0-9]+/g, '-') },
  );
}

/** `off` is a word of its own in YAML 1.2, with or without quotes. */
function limitsOrOff(unit: string) {
  const limits = limitsIn(unit);
  return form(
    z.union([limits.written, z.literal('off')], 'limits such as {max-increase: 3%}, or off'),
    (written): MetricLimit => (written === 'off' ? {} : limits.read(written)),
    limits.recorded,
  );
}

const formsByUnit = new Map([...new Set(metrics.map(({ unit }) => unit))].map((unit) => [unit, limitsOrOff(unit)]));
type WrittenLimits = Record<string, Parameters<ReturnType<typeof limitsOrOff>['read']>[0] | undefined>;

const metricKeys = Object.fromEntries(
  metrics.map(({ name, title, unit }) => [
    name,
    writtenOnly(formsByUnit.get(unit)!.written, `Limits of: ${title}, ${unit}; off where it is not to be judged.`),
  ]),
);
const limitsSchema = z.strictObject(
  Object.fromEntries(Object.entries(metricKeys).map(([name, { written }]) => [name, written])),
) as unknown as z.ZodType<WrittenLimits>;

const recordedLimits = z.record(z.string(), formsByUnit.values().next().value!.recorded);

const keys = section(
  {
    baseline: usual(
      z.string(BASELINE_FORMS).regex(WRITTEN_BASELINE, BASELINE_FORMS),
      'auto',
      `What the candidate is compared with: ${BASELINE_FORMS}.`,
    ),
    anchor: orAbsent(
      z.string(ANCHOR_FORMS).regex(WRITTEN_ANCHOR, ANCHOR_FORMS),
      `A fixed release that the candidate is compared with as well, so that many small steps do not go unseen: ${ANCHOR_FORMS}.`,
    ),
    pairing: usual(
      form(
        z.enum(['auto', 'duet', 'interleaved'], 'auto, duet or interleaved'),
        (word) => (word === 'auto' ? undefined : word),
        z.enum(['duet', 'interleaved']),
      ),
      'auto',
      'How both sides are loaded: at the same time (`duet`), or in turn, trial by trial (`interleaved`), as a server wants that needs the whole machine. `auto` is `duet` where there are two CPUs, and `interleaved` where a service has a part of a CPU (`cpus: 0.5`).',
    ),
    budget: usual(
      form(
        z.union([z.literal('auto'), duration], 'auto, or a duration such as 5m'),
        (written) => (written === 'auto' ? null : seconds.read(written)),
        z.number().nullable(),
      ),
      'auto',
      {
        as: 'budgetSeconds',
        description:
          'Wall clock for comparing the whole matrix. `auto` is the time it takes to detect a change of twice each limit in nine of ten runs: 2 to 12 minutes, and within those 12 longer on a machine that takes longer for the same rounds or is noisier; up to 15 where the 8 rounds that a verdict needs take longer; a comparison that has found a regression which nobody accepted ends after 5. `plan` prints it, and `validate` warns of a shorter one, and of limits that it cannot see.',
      },
    ),
    builds: usual(
      form(
        count(`a whole number from 1 to ${MOST_BUILDS}`, 1, MOST_BUILDS),
        (number) => (number === 1 ? undefined : number),
        z.number().int().nonnegative(),
      ),
      1,
      'How often each side is built for a comparison. Each build has another number in its build argument `WRKBENCH_BUILD`, and the rounds use the builds in turn: a Dockerfile that passes the number to its linker keeps the code layout of one build from deciding the verdict.',
    ),
    // As many as there are metrics: what becomes of them is one map, see `gate`.
    ...(metricKeys as object),
    cases: orElse(
      form(
        z.record(
          z.string().regex(/^[!-~]{1,512}$/, 'a service, a path or a case key, with * for any part'),
          limitsSchema.meta({ id: 'limits' }),
          'a map from a service, a path or a case key to limits',
        ),
        (written): Record<string, Limits> =>
          Object.fromEntries(Object.entries(written).map(([glob, own]) => [glob, limitsOf(own)])),
        z.record(z.string(), recordedLimits),
      ),
      {},
      'Limits for some cases only: a service, an endpoint path or a case key, with `*` for any part. The nearest match wins.',
    ),
  },
  { id: 'gate' },
);

/** The usual limits are among its `metrics`. */
export const gate = {
  written: keys.written,
  usual: keys.usual,
  read: (written: Parameters<typeof keys.read>[0]) => ({
    ...keys.read(written),
    metrics: { ...DEFAULT_LIMITS, ...limitsOf(written as WrittenLimits) },
  }),
  recorded: keys.recorded.extend({ metrics: recordedLimits }),
};

/** Of metrics that a spec's gate does not name. */
export const DEFAULT_LIMITS: Readonly<Limits> = withWatched(
  limitsOf(
    Object.fromEntries(metrics.flatMap(({ name, usualLimit }) => (usualLimit === null ? [] : [[name, usualLimit]]))),
  ),
);

function withWatched(limits: Limits): Limits {
  const watched = new Set(metrics.flatMap(({ name, isWatched }) => (isWatched ? [name] : [])));
  return Object.fromEntries(
    Object.entries(limits).map(([name, own]) => {
      const asWatched = Object.entries(own).map(([key, limit]) => [key, { ...(limit as Limit), watched: true }]);
      return [name, watched.has(name) ? Object.fromEntries(asWatched) : own];
    }),
  );
}

/** Of the keys that name a metric. */
function limitsOf(written: WrittenLimits): Limits {
  return Object.fromEntries(
    Object.entries(written).flatMap(([name, own]) => {
      const unit = metrics.find((metric) => metric.name === name)?.unit;
      return own === undefined || unit === undefined ? [] : [[name, formsByUnit.get(unit)!.read(own)]];
    }),
  );
}

function changeOf(written: string | number, unit: string): Limit {
  if (typeof written === 'string' && PERCENTAGE.test(written)) return { kind: 'ratio', value: ratioOf(written) };
  return { kind: 'absolute', value: quantityOf(written, unit) };
}

/** A quantity in the metric's own unit. */
function quantityOf(written: string | number, unit: string): number {
  if (typeof written === 'number') return written;
  if (unit === 'ms') return millisecondsOf(written);
  if (unit === 'us') return microsecondsOf(written);
  if (unit === 'bytes') return bytesOf(written);
  return unit === 'req/s' ? perSecondOf(written) : ratioOf(written);
}
