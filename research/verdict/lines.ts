import { decisionsOn } from '../../src/core/comparison/decision.ts';
import { readSpec } from '../../src/core/config/read.ts';
import { budgetSecondsOf } from '../../src/core/plan/budget.ts';
import { detectabilityOf } from '../../src/core/plan/detectability.ts';
import { planOf } from '../../src/core/plan/plan.ts';
import { ascending, median } from '../../src/core/statistics/quantile.ts';
import { type Random, seededRandom } from '../../src/core/statistics/random.ts';
import { asksDatabase, connectionsOf, endpointOf, generatorOf, isOfService } from './matrix.ts';
import { atDefault, hypothesesOf, isRequired, none, type Series, type Source } from './source.ts';
import { type Budget, comparing } from './until-decided.ts';

/** A change as people make it, at default limits: what of it is found with so many rounds, or by runs as they are. */
export interface Line {
  change: string;
  /** `decided`: until nothing is left to decide, or the automatic budget is spent. */
  rounds: number | 'decided';
  /** Share of the runs that are red; of no change of those in which no service and no endpoint is undecided. */
  share: number;
  /** Of comparing: as long as half of the runs take, and nine of ten. Null where the rounds are given. */
  minutes: { median: number; ninety: number } | null;
}

/** Of a run as it is. */
const MOST_ROUNDS = 30;

/** Up to as many as `gate.budget: auto` gives the standard preset with four endpoints. */
export const LINE_ROUNDS = [8, 10, 12, 14];
export const NOTHING = 'nothing changed, and every service and endpoint is decided';

/** By how much each series gets worse, as a share. */
type Change = (series: Series) => number;

/** The first endpoint, or all, asks no database; with its CPU time goes what it answers in duets that fill the CPU. */
const CHANGES: Record<string, (source: Source) => Change> = {
  'CPU +6 % of one endpoint without a database': (source) => moreCpu(0.06, firstEndpoint(source, false)),
  'CPU +8 % of one endpoint without a database': (source) => moreCpu(0.08, firstEndpoint(source, false)),
  'CPU +5 % of all endpoints': () => moreCpu(0.05, () => true),
  'throughput -10 % of one endpoint with a database': (source) => of('throughput', 0.1, firstEndpoint(source, true)),
  'p50 +10 % of one endpoint': (source) => of('latency-p50', 0.1, firstEndpoint(source, false)),
  'p90 +18 % and p99 57 times, of one endpoint: a pause of 40 ms every second at 1,500/s': (source) => {
    const isPaused = firstEndpoint(source, false);
    const [p90, p99] = [of('latency-p90', 0.18, isPaused), of('latency-p99', 56, isPaused)];
    return (series) => p90(series) + p99(series);
  },
  'memory +25 % of the service': () => of('memory-peak', 0.25, () => true),
  'CPU +15 % of one case (1000 connections, keep-alive off)': (source) => {
    const own = firstMeasured(
      source,
      (key) => generatorOf(key) === 'wrk' && key.includes('/keep-alive-off/') && connectionsOf(key) === 1000,
    );
    return moreCpu(0.15, (key) => key === own);
  },
};

export function lines(source: Source, runs: number, seed: number): Line[] {
  return LINE_ROUNDS.flatMap((rounds) => [
    ...Object.entries(CHANGES).map(([change, of]) => {
      const own = of(source);
      const random = seededRandom(seed);
      return { change, rounds, share: share(runs, () => isRed(source, rounds, own, random)), minutes: null };
    }),
    {
      change: NOTHING,
      rounds,
      share: share(runs, decidedWithoutChange(source, rounds, seededRandom(seed))),
      minutes: null,
    },
  ]);
}

/** The same of runs that end by themselves. */
export function linesUntilDecided(source: Source, runs: number, seed: number): Line[] {
  const asked = [
    ...Object.entries(CHANGES).map(([change, of]) => ({ change, own: of(source), counts: 'isRed' as const })),
    { change: NOTHING, own: none, counts: 'isDecided' as const },
  ];
  const budget = budgetOf(source);
  return asked.map(({ change, own, counts }) => {
    const random = seededRandom(seed);
    const truth = { threshold: atDefault, change: own };
    const all = Array.from({ length: runs }, () =>
      comparing(source, source.draw(Math.min(MOST_ROUNDS, source.mostRounds), random), truth, budget),
    );
    const minutes = ascending(all.map(({ seconds }) => seconds / 60));
    return {
      change,
      rounds: 'decided',
      share: all.filter((run) => run[counts]).length / runs,
      minutes: { median: median(minutes), ninety: minutes[Math.ceil(0.9 * runs) - 1]! },
    };
  });
}

/** What `gate.budget: auto` gives the standard preset with as many endpoints. */
function budgetOf({ series }: Source): Budget {
  const names = [...new Set(series.flatMap((one) => (isOfService(one) ? [] : [endpointOf(one.caseKey)])))];
  const spec = readSpec(
    `name: lines
services: {api: {image: "api:1", port: 8080}}
database: {image: "postgres:15"}
endpoints: {${names.map((_, index) => `e${index}: /${index}`).join(', ')}}
load: {preset: standard}
`,
    'wrkbench.yml',
  );
  const plan = planOf(spec, { seed: 1 });
  const seconds = budgetSecondsOf(spec, plan);
  const [found] = detectabilityOf(spec, plan, seconds);
  return { seconds, rounds: found!.rounds };
}

function isRed(source: Source, rounds: number, change: Change, random: Random): boolean {
  const truth = { threshold: atDefault, change };
  const hypotheses = hypothesesOf(source, source.draw(rounds, random), truth);
  return decisionsOn(hypotheses, { rounds, final: true }).some(({ verdict }) => verdict === 'regression');
}

function decidedWithoutChange(source: Source, rounds: number, random: Random): () => boolean {
  return () => {
    const hypotheses = hypothesesOf(source, source.draw(rounds, random), { threshold: atDefault, change: none });
    return decisionsOn(hypotheses, { rounds, final: true }).every(
      ({ verdict }, index) => verdict !== 'inconclusive' || !isRequired(hypotheses[index]!),
    );
  };
}

function share(runs: number, isSo: () => boolean): number {
  return Array.from({ length: runs }, isSo).filter(Boolean).length / runs;
}

type Keys = (caseKey: string) => boolean;

function firstEndpoint({ series }: Source, database: boolean): Keys {
  const own = series.find((one) => !isOfService(one) && asksDatabase(one.caseKey) === database);
  return (key) => own !== undefined && endpointOf(key) === endpointOf(own.caseKey);
}

/** The first of these cases, without a database if there is one: on a fast machine the generator may be the limit of those. */
function firstMeasured({ series }: Source, keys: Keys): string | undefined {
  const own = series.map(({ caseKey }) => caseKey).filter(keys);
  return own.find((key) => !asksDatabase(key)) ?? own[0];
}

function moreCpu(change: number, keys: Keys): Change {
  return ({ caseKey, metric }) => {
    const shows = metric === 'cpu-per-request' || (metric === 'throughput' && !asksDatabase(caseKey));
    // 6 % more time for each request is 1 - 1/1.06 fewer requests.
    return shows && keys(caseKey) ? (metric === 'throughput' ? change / (1 + change) : change) : 0;
  };
}

function of(name: Series['metric'], change: number, keys: Keys): Change {
  return ({ caseKey, metric }) => (metric === name && (keys(caseKey) || isOfService({ caseKey })) ? change : 0);
}
