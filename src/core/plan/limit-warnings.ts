import { changeLimit } from '../comparison/thresholds.ts';
import { isUnmeasuredIn, whereUnmeasured } from '../comparison/unmeasured-in-duets.ts';
import type { Diagnostic } from '../config/diagnostics.ts';
import { pairingOf } from '../config/pairing.ts';
import type { Limit, MetricLimit, ResolvedSpec } from '../config/resolved.ts';
import type { Path, Source } from '../config/source.ts';
import { readYaml } from '../config/yaml.ts';
import { counted } from '../format/figures.ts';
import { percent } from '../format/percent.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import { metrics } from '../metrics/registry.ts';
import { FIRST_ANALYSIS_ROUNDS } from '../statistics/interim-analyses.ts';
import { budgetSecondsOf, type NeededBudget, neededBudget } from './budget.ts';
import { type Detectability, detectabilityOf, subjectsOf } from './detectability.ts';
import { changeBeyond } from './detectable-change.ts';
import { MOST_SECONDS_TO_VERDICT, plannedRound } from './duets.ts';
import { durationText } from './duration-text.ts';
import type { Plan } from './plan.ts';
import { tailOutlook } from './tail-outlook.ts';

interface WrittenLimit {
  at: Path;
  metric: MetricDefinition;
  limit: Limit;
}

/**
 * Written limits of which the budget does not show twice as much on any level, with the figure and what to change; `text` is the
 * spec's own. None where a longer budget is all that it takes, which `budgetWarnings` tells. Before them those that no budget shows,
 * since nothing of their metric is measured while both sides are loaded.
 */
export function limitWarnings(
  spec: ResolvedSpec,
  plan: Pick<Plan, 'services'>,
  text: string,
  fileName: string,
): Diagnostic[] {
  const { baseline } = spec.gate;
  const { source } = readYaml(text, fileName);
  if (source === null || baseline === 'none' || baseline === 'stored') return [];
  const limits = writtenLimits(spec, source);
  const pairing = pairingOf(spec) ?? 'duet';
  const [unmeasured, measured] = [true, false].map((wanted) =>
    limits.filter(({ metric }) => isUnmeasuredIn(pairing, metric) === wanted),
  ) as [WrittenLimit[], WrittenLimit[]];
  return [
    ...unmeasured.map(({ at, metric }) =>
      source.aboutValue(at, {
        code: 'undetectable-limit',
        message: `${at.join('.')} is not judged ${whereUnmeasured(metric)}.`,
        found: String(source.at(at)),
      }),
    ),
    ...undetectable(spec, plan, measured.filter(isShare), source),
  ];
}

function undetectable(
  spec: ResolvedSpec,
  plan: Pick<Plan, 'services'>,
  limits: readonly WrittenLimit[],
  source: Source,
): Diagnostic[] {
  const { budgetSeconds } = spec.gate;
  if (limits.length === 0) return [];
  const tooFew = tooFewRounds(spec, plan, source);
  if (tooFew !== null) return [tooFew];
  const needed = neededBudget(spec, plan);
  if (needed.isEnough && budgetSeconds !== null) return [];
  // A shorter one that is written has been told of with what this one shows.
  const automatic = budgetSecondsOf({ ...spec, gate: { ...spec.gate, budgetSeconds: null } }, plan);
  const seconds = Math.max(budgetSeconds ?? 0, automatic);
  const found = detectabilityOf(spec, plan, seconds);
  return limits.flatMap((limit) => warningOf(limit, found, { seconds, needed }, source));
}

/** Of a change, of the gate and of its cases. */
function writtenLimits({ gate }: ResolvedSpec, source: Source): WrittenLimit[] {
  const places: [Path, Record<string, MetricLimit>][] = [
    [['gate'], gate.metrics],
    ...Object.entries(gate.cases).map(([glob, limits]): [Path, Record<string, MetricLimit>] => [
      ['gate', 'cases', glob],
      limits,
    ]),
  ];
  return places.flatMap(([path, limits]) =>
    metrics.flatMap((metric) => {
      const at = [...path, metric.name, metric.better === 'lower' ? 'max-increase' : 'max-decrease'];
      const limit = source.at(at) === undefined ? null : changeLimit(metric, limits[metric.name] ?? {});
      return limit === null ? [] : [{ at, metric, limit }];
    }),
  );
}

/** A limit of 0 or a quantity is no share that could be too small. */
function isShare({ limit: { kind, value } }: WrittenLimit): boolean {
  return kind === 'ratio' && value > 0;
}

/** A matrix so large that `auto` ends before there is a verdict on anything; of a written budget, `budgetWarnings` tells. */
function tooFewRounds(spec: ResolvedSpec, { services }: Pick<Plan, 'services'>, source: Source): Diagnostic | null {
  if (spec.gate.budgetSeconds !== null) return null;
  const subjects = subjectsOf(services);
  const round = subjects.reduce(
    (sum, { cases }) => sum + plannedRound(cases, spec, pairingOf(spec) ?? 'duet').seconds,
    0,
  );
  if (round * FIRST_ANALYSIS_ROUNDS <= MOST_SECONDS_TO_VERDICT) return null;
  const cases = subjects.reduce((sum, subject) => sum + subject.cases.length, 0);
  const minutes = Math.ceil((round * FIRST_ANALYSIS_ROUNDS) / 60);
  const longer = minutes <= MOST_MINUTES_ADVISED ? `, or set gate.budget to ${minutes}m` : '';
  return source.aboutKey(['gate'], {
    code: 'undetectable-limit',
    message: `gate: no limit is judged within ${durationText(MOST_SECONDS_TO_VERDICT)}, since a verdict takes ${FIRST_ANALYSIS_ROUNDS} rounds and ${counted(cases, 'case')} take ${durationText(round)} in each. Compare fewer endpoints or connections${longer}.`,
  });
}

/** Nobody waits longer for a pull request. */
const MOST_MINUTES_ADVISED = 60;

function warningOf(
  { at, metric, limit }: WrittenLimit,
  found: readonly Detectability[],
  budget: { seconds: number; needed: NeededBudget },
  source: Source,
): Diagnostic[] {
  const units = found.flatMap(({ units, round }) =>
    units
      .filter((unit) => unit.metric === metric && unit.level !== 'case' && isSame(unit.limit, limit))
      .map((unit) => ({ ...unit, outlook: tailOutlook(metric, unit.cases[0]!, round) })),
  );
  const warning = (message: string, expected: string | null): Diagnostic[] => [
    source.aboutValue(at, {
      code: 'undetectable-limit',
      message: `${at.join('.')} ${message}`,
      found: String(source.at(at)),
      expected,
    }),
  ];
  const [first] = units;
  if (first?.outlook && units.every(({ outlook }) => outlook?.mayBeEnough === false)) {
    const advice = 'Raise the rate of the load, or limit a lower percentile.';
    return warning(`cannot be judged (${first.outlook.note}). ${advice}`, null);
  }
  const best = units
    .flatMap(({ beyond, ...unit }) => (beyond === null ? [] : [{ ...unit, beyond }]))
    .sort((one, other) => one.beyond - other.beyond)[0];
  if (best === undefined || best.threshold === null || best.beyond <= best.threshold) return [];
  const enough = leastPercentage(best.beyond, metric);
  const change = metric.better === 'lower' ? 'an increase' : 'a decrease';
  const shown = `${durationText(budget.seconds)} of comparing show ${change} only from about ${percent(changeBeyond(best) ?? 0)} on`;
  const minutes = Math.ceil(budget.needed.seconds / 60);
  const longer = budget.needed.isEnough && minutes <= MOST_MINUTES_ADVISED ? `, or gate.budget to ${minutes}m` : '';
  return warning(`is ${String(source.at(at))}, and ${shown}. Set it to ${enough}${longer}.`, `at least ${enough}`);
}

function isSame(one: Limit, other: Limit): boolean {
  return one.kind === other.kind && one.value === other.value;
}

/** The least round percentage of which twice as much is seen. */
function leastPercentage(beyond: number, { better }: MetricDefinition): string {
  const share = 100 * (better === 'lower' ? Math.expm1(beyond) : -Math.expm1(-beyond));
  const step = share < 10 ? 0.5 : 1;
  return `${Math.ceil(share / step) * step}%`;
}
