import type { MetricDefinition } from '../metrics/definition.ts';
import type { Comparing, MetricRecord, Sample } from '../record/run-record.ts';
import { FIRST_ANALYSIS_ROUNDS } from '../statistics/interim-analyses.ts';
import { mean } from '../statistics/moderated-variance.ts';
import type { ComparedCase } from './compared-case.ts';
import { type Background, cost, type EndpointLoad, endpointOf, gatedOn } from './gating.ts';
import { isCompared } from './observations.ts';

/**
 * What a service's background threads use, by case key. A runtime that answers in its main thread collects garbage and compiles in others, in
 * lumps of many milliseconds that fall into the one trial and not into the other. How much that is together is soon known of an endpoint, and
 * where it is alike on both sides (`backgroundTolerance`), each trial is taken to have had as much:
 *
 *     trial       1      2      3             1      2      3
 *     background  ▓             ▓▓            ▒      ▒      ▒
 *     main        ██     ██     ██     →      ██     ██     ██
 *
 * CPU per request of the cases of two equal Node.js servers scattered by 1.1 to 6 % (15 rounds of 20 cases), so by 0.6 to 3.1 %, and over the
 * cases of an endpoint by 0.5 to 1.1 % instead of 0.8 to 1.5.
 *
 * Of an endpoint whose service answers in its main threads in every trial. Those up to the first look settle it: by later ones the question would
 * become another one, and what was decided of it be lost.
 */
export function backgroundsOf(
  metric: MetricDefinition,
  cases: readonly ComparedCase[],
  loads: ReadonlyMap<string, EndpointLoad>,
  mode: Comparing['mode'],
): Map<string, Background> {
  if (metric.withoutBackground === undefined) return new Map();
  const byEndpoint = new Map<string, { key: string; used: UsedInBackground | null }[]>();
  for (const { key, baseline, candidate } of cases) {
    if (baseline?.status !== 'valid' || candidate?.status !== 'valid') continue;
    const name = endpointOf(candidate);
    if (gatedOn(metric, candidate, loads.get(name)!) === null) continue;
    const [was, is] = [baseline, candidate].map((side) => firstSamples(side.metrics[metric.name], mode));
    if (was!.length === 0 || is!.length === 0) continue;
    byEndpoint.set(name, [...(byEndpoint.get(name) ?? []), { key, used: usedInBackground(metric, was!, is!) }]);
  }
  return new Map(
    [...byEndpoint.values()].flatMap((own) => {
      const known = own.flatMap(({ key, used }) => (used === null ? [] : [{ key, used }]));
      if (known.length < own.length) return [];
      const apart = mean(known.map(({ used }) => (used.candidate - used.baseline) / used.whole));
      const share = mean(known.map(({ used }) => usualOf(used) / used.whole));
      return known.map(({ key, used }) => [key, { usual: usualOf(used), share, apart }] as const);
    }),
  );
}

/** Means over the same trials of both sides, as costs. */
interface UsedInBackground {
  baseline: number;
  candidate: number;
  /** Of the baseline, background threads or not. */
  whole: number;
}

function usualOf({ baseline, candidate }: UsedInBackground): number {
  return (baseline + candidate) / 2;
}

function firstSamples(record: MetricRecord | undefined, mode: Comparing['mode']): Sample[] {
  const modes = [mode === 'interleaved' ? 'solo' : mode] as const;
  return (record?.samples ?? []).filter((each) => isCompared(each, modes) && each.round <= FIRST_ANALYSIS_ROUNDS);
}

/** Null where a trial does not tell it. */
function usedInBackground(
  metric: MetricDefinition,
  baseline: readonly Sample[],
  candidate: readonly Sample[],
): UsedInBackground | null {
  const [was, is] = [baseline, candidate].map((samples) =>
    samples.flatMap(({ value, withoutBackground }) =>
      withoutBackground === undefined ? [] : cost(metric, value) - cost(metric, withoutBackground),
    ),
  ) as [number[], number[]];
  if (was.length < baseline.length || is.length < candidate.length) return null;
  return { baseline: mean(was), candidate: mean(is), whole: mean(baseline.map(({ value }) => cost(metric, value))) };
}
