import type { RunRecord } from '../record/run-record.ts';
import { casesSideBySide } from './compared-case.ts';
import type { AnchorComparison, CaseComparison, Comparison, MetricComparison, SinceAnchor } from './comparison.ts';
import { fits } from './thresholds.ts';
import { endpointKey, serviceKey } from './unit-key.ts';

/** The runs of a branch between an anchor and now. */
export interface RunsSince {
  /** Those that failed or accepted something, as they are published, the oldest first. */
  runs: readonly RunRecord[];
  /** Commits of all runs since, in the order of their first runs. */
  commits: readonly string[];
  /** Whether runs are kept from before the anchor on: of what happened before the first one nobody knows. */
  isWhole: boolean;
}

/**
 * What became of each change since the anchor: how much of it somebody accepted, and whether it crept in. It did where it is worse than
 * its limit beyond all that was accepted, and no run since was red for it. Changes of which neither can be said are left out.
 */
export function sinceAnchor(anchor: Comparison, { runs, commits, isWhole }: RunsSince): SinceAnchor[] {
  const past = pastRuns(runs, commits, anchor.baseline.sha);
  return [...anchor.services, ...anchor.endpoints, ...anchor.cases].flatMap((row) => {
    const steps = past.map((run) => stepOf(run, row));
    return Object.entries(row.metrics).flatMap(([metric, compared]): SinceAnchor[] => {
      const { accepted, runs } = acceptedOf(steps, metric, compared);
      const crept =
        isWhole &&
        compared.verdict === 'regression' &&
        isBeyond(compared, accepted, runs) &&
        steps.every((step) => !isRed(step, metric));
      return runs === 0 && !crept ? [] : [{ key: row.key, metric, accepted, runs, crept }];
    });
  });
}

/** What became of one change; null where nothing is known of it, or there is nothing to say. */
export function sinceOf({ since }: Pick<AnchorComparison, 'since'>, key: string, metric: string): SinceAnchor | null {
  return since?.find((each) => each.key === key && each.metric === metric) ?? null;
}

type Figures = Readonly<Record<string, { change: number | null; verdict: MetricComparison['verdict'] }>>;

interface PastRun {
  failed: boolean;
  accepted: NonNullable<RunRecord['published']>['accepted'];
  cases: ReturnType<typeof casesSideBySide>;
  /** By the key of a case, endpoint or service. */
  figures: ReadonlyMap<string, Figures>;
  /** Places of its commit and of that of its baseline in their order; null for one that was not measured. */
  place: number;
  from: number | null;
}

function pastRuns(runs: readonly RunRecord[], commits: readonly string[], anchor: string | null): PastRun[] {
  const places = new Map(commits.map((sha, place) => [sha, place]));
  return runs.flatMap(({ cases, source, spec, published }): PastRun[] => {
    if (published === undefined) return [];
    const { accepted, baseline, passed, levels = [] } = published;
    const base = baseline?.sha ?? null;
    const candidates = cases.filter(({ variant }) => variant === 'candidate');
    return [
      {
        failed: passed === false,
        accepted,
        cases: casesSideBySide([], candidates, spec),
        figures: new Map<string, Figures>([
          ...candidates.map(({ key, metrics }) => [key, comparedIn(metrics)] as const),
          ...levels.map(({ key, metrics }) => [key, metrics] as const),
        ]),
        place: places.get(source.sha ?? '') ?? commits.length,
        // A run against the anchor, or an image of no commit, goes over everything once more.
        from: base === null || base === anchor ? -1 : (places.get(base) ?? null),
      },
    ];
  });
}

function comparedIn(metrics: RunRecord['cases'][number]['metrics']): Figures {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([name, { compared }]) => (compared === undefined ? [] : [[name, compared]])),
  );
}

/** A past run as far as it is of one case, endpoint or service. */
interface Step extends Pick<PastRun, 'failed' | 'accepted' | 'place' | 'from'> {
  /** What acceptances are held against. */
  names: readonly string[];
  own: Figures;
  /** With its cases, and what it is a part of: a service may be red of which no endpoint is by itself. */
  around: readonly Figures[];
}

function stepOf({ cases, figures, ...run }: PastRun, { key, service, endpoint }: CaseComparison): Step {
  const isUnit = key.includes('/*');
  const within = cases.filter(
    (each) =>
      each.service === service && (endpoint === '*' || each.endpoint === endpoint) && (isUnit || each.key === key),
  );
  const keys = [key, endpointKey(service, endpoint), serviceKey(service), ...within.map((each) => each.key)];
  return {
    ...run,
    names: [key, service, ...within.flatMap(({ names }) => names)],
    own: figures.get(key) ?? {},
    around: [...new Set(keys)].map((each) => figures.get(each) ?? {}),
  };
}

/**
 * Each commit counts once, against the one before: a nightly run finds again, and accepts again, what the push was accepted for, and so
 * does a run by hand against a release.
 */
function acceptedOf(steps: readonly Step[], metric: string, compared: MetricComparison) {
  const upwards = goesUp(compared);
  let [factor, runs, covered] = [1, 0, -1];
  for (const step of steps) {
    const change = figureIn(step.own, metric)?.change ?? 0;
    const repeats = step.place <= covered || (runs > 0 && step.from !== null && step.from < covered);
    if (change === 0 || change > 0 !== upwards || repeats) continue;
    if (!wasRed(step, metric) || !isAccepted(step, metric)) continue;
    factor *= 1 + change;
    runs += 1;
    covered = step.place;
  }
  return { accepted: factor - 1, runs };
}

function isRed(step: Step, metric: string): boolean {
  return step.failed && wasRed(step, metric) && !isAccepted(step, metric);
}

function wasRed({ around }: Step, metric: string): boolean {
  return around.some((figures) => figureIn(figures, metric)?.verdict === 'regression');
}

function isAccepted({ accepted, names }: Step, metric: string): boolean {
  return accepted.some(({ cases, metric: only }) => (only ?? metric) === metric && fits(cases, names));
}

function figureIn(figures: Figures, metric: string): Figures[string] | null {
  return Object.hasOwn(figures, metric) ? figures[metric]! : null;
}

function goesUp({ change, difference }: MetricComparison): boolean {
  return (change ?? difference ?? 0) > 0;
}

/** Changes are kept with five digits after the point. */
const ROUNDING = 2e-5;

/** Whether all of its interval is worse than the limit, without what was accepted. */
function isBeyond(compared: MetricComparison, accepted: number, runs: number): boolean {
  const { threshold, adjusted, change, baseline } = compared;
  if (threshold === null) return false;
  // From nothing there is no share that could be left.
  if (change === null || baseline === null || baseline === 0) return runs === 0;
  const limit = threshold.kind === 'ratio' ? threshold.value : threshold.value / baseline;
  const least = adjusted?.[goesUp(compared) ? 0 : 1] ?? change;
  const left = (1 + least) / (1 + accepted) - 1;
  return goesUp(compared) ? left > limit + ROUNDING : left < -limit - ROUNDING;
}
