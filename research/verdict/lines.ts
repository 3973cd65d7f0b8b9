import { decisionsOn } from '../../src/core/comparison/decision.ts';
import { type Random, seededRandom } from '../../src/core/statistics/random.ts';
import { asksDatabase, connectionsOf, endpointOf, generatorOf, isOfService } from './matrix.ts';
import { atDefault, hypothesesOf, isRequired, none, type Series, type Source } from './source.ts';

/** A change as people make it, at default limits: what of it is found with so many rounds. */
export interface Line {
  change: string;
  rounds: number;
  /** Share of the runs that are red; of no change of those in which no service and no endpoint is undecided. */
  share: number;
}

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
  'memory +25 % of the service': () => of('memory-peak', 0.25, () => true),
  'CPU +15 % of one case (1000 connections, keep-alive off) without a database': (source) => {
    const endpoint = firstEndpoint(source, false);
    return moreCpu(
      0.15,
      (key) =>
        endpoint(key) && generatorOf(key) === 'wrk' && key.includes('/keep-alive-off/') && connectionsOf(key) === 1000,
    );
  },
};

export function lines(source: Source, runs: number, seed: number): Line[] {
  return LINE_ROUNDS.flatMap((rounds) => [
    ...Object.entries(CHANGES).map(([change, of]) => {
      const own = of(source);
      const random = seededRandom(seed);
      return { change, rounds, share: share(runs, () => isRed(source, rounds, own, random)) };
    }),
    { change: NOTHING, rounds, share: share(runs, decidedWithoutChange(source, rounds, seededRandom(seed))) },
  ]);
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
