import * as z from 'zod';
import { metrics } from '../metrics/registry.ts';
import { change, count, duration, quantity } from '../values/scalars.ts';
import { ANCHOR_FORMS, BASELINE_FORMS, WRITTEN_ANCHOR, WRITTEN_BASELINE } from './baseline-phrase.ts';
import { DEFAULTS, MOST_BUILDS } from './defaults.ts';

/** The limits that a metric of this unit may be given. */
function limits(unit: string) {
  return z
    .strictObject({
      'max-increase': change(unit)
        .meta({
          description: 'How much higher than the baseline it may be: `3%` is relative, a plain number absolute.',
        })
        .optional(),
      'max-decrease': change(unit)
        .meta({ description: 'How much lower than the baseline it may be: `5%` is relative, a plain number absolute.' })
        .optional(),
      max: quantity(unit).meta({ description: 'The most it may be; needs no baseline.' }).optional(),
      min: quantity(unit).meta({ description: 'The least it may be; needs no baseline.' }).optional(),
    })
    .meta({ id: `limits in ${unit}`.replaceAll(/[^a-z0-9]+/g, '-') });
}

/** `off` is a word of its own in YAML 1.2, with or without quotes. */
function limitsOrOff(unit: string) {
  return z.union([limits(unit), z.literal('off')], 'limits such as {max-increase: 3%}, or off');
}

const limitsByUnit = new Map([...new Set(metrics.map(({ unit }) => unit))].map((unit) => [unit, limitsOrOff(unit)]));
type LimitsInput = z.infer<ReturnType<typeof limitsOrOff>>;

const limitsByMetric: Record<string, z.ZodOptional<ReturnType<typeof limitsOrOff>>> = Object.fromEntries(
  metrics.map(({ name, title, unit }) => [
    name,
    limitsByUnit
      .get(unit)!
      .meta({ description: `Limits of: ${title}, ${unit}; off where it is not to be judged.` })
      .optional(),
  ]),
);

export const gateSchema = z
  .strictObject({
    baseline: z
      .string(BASELINE_FORMS)
      .regex(WRITTEN_BASELINE, BASELINE_FORMS)
      .meta({
        description: `What the candidate is compared with: ${BASELINE_FORMS}.`,
        default: DEFAULTS.gate.baseline,
      })
      .optional(),
    anchor: z
      .string(ANCHOR_FORMS)
      .regex(WRITTEN_ANCHOR, ANCHOR_FORMS)
      .meta({
        description: `A fixed release that the candidate is compared with as well, so that many small steps do not go unseen: ${ANCHOR_FORMS}.`,
      })
      .optional(),
    pairing: z
      .enum(['auto', 'duet', 'interleaved'], 'auto, duet or interleaved')
      .meta({
        description:
          'How both sides are loaded: at the same time (`duet`), or in turn, trial by trial (`interleaved`), as a server wants that needs the whole machine. `auto` is `duet` where there are two CPUs, and `interleaved` where a service has a part of a CPU (`cpus: 0.5`).',
        default: DEFAULTS.gate.pairing,
      })
      .optional(),
    budget: z
      .union([z.literal('auto'), duration], 'auto, or a duration such as 5m')
      .meta({
        description:
          'Wall clock for comparing the whole matrix. `auto` is the time it takes to detect a change of twice each limit in nine of ten runs: 2 to 12 minutes, and within those 12 longer on a machine that takes longer for the same rounds or is noisier; up to 15 where the 8 rounds that a verdict needs take longer; a comparison that has found a regression which nobody accepted ends after 5. `plan` prints it, and `validate` warns of a shorter one, and of limits that it cannot see.',
        default: DEFAULTS.gate.budget,
      })
      .optional(),
    builds: count(`a whole number from 1 to ${MOST_BUILDS}`, 1, MOST_BUILDS)
      .meta({
        description:
          'How often each side is built for a comparison. Each build has another number in its build argument `WRKBENCH_BUILD`, and the rounds use the builds in turn: a Dockerfile that passes the number to its linker keeps the code layout of one build from deciding the verdict.',
        default: DEFAULTS.gate.builds,
      })
      .optional(),
    ...limitsByMetric,
    cases: z
      .record(
        z.string().regex(/^[!-~]{1,512}$/, 'a service, a path or a case key, with * for any part'),
        z.strictObject(limitsByMetric).meta({ id: 'limits' }),
        'a map from a service, a path or a case key to limits',
      )
      .meta({
        description:
          'Limits for some cases only: a service, an endpoint path or a case key, with `*` for any part. The nearest match wins.',
      })
      .optional(),
  })
  .meta({ id: 'gate' });

export type MetricLimitsInput = Record<string, LimitsInput | undefined>;
export interface GateRulesInput {
  baseline?: string | undefined;
  anchor?: string | undefined;
  pairing?: 'auto' | 'duet' | 'interleaved' | undefined;
  budget?: string | undefined;
  builds?: number | undefined;
  cases?: Record<string, MetricLimitsInput> | undefined;
}
