import { decisionsOn } from '../../src/core/comparison/decision.ts';
import type { Hypothesis } from '../../src/core/comparison/hypothesis.ts';
import { seesTwiceEachLimit } from '../../src/core/comparison/sensitivity.ts';
import { waitedFor } from '../../src/core/comparison/waiting.ts';
import { AUTO_BUDGET_SECONDS, DUET_SECONDS, mostWarmUpSeconds, RED_SECONDS } from '../../src/core/plan/duets.ts';
import { EXPECTED_SECONDS } from '../../src/core/plan/estimate.ts';
import { plannedLooks } from '../../src/core/statistics/interim-analyses.ts';
import { asksDatabase, endpointOf, generatorOf, isOfService } from './matrix.ts';
import { hypothesesOf, isRequired, type Source, type Truth } from './source.ts';

/** One run as the product does it: what is decided is no longer measured, and the budget ends what is not. */
export interface Comparing {
  isRed: boolean;
  /** The service and each endpoint. */
  isDecided: boolean;
  /** Comparing, without the figures before it. */
  seconds: number;
}

/** An automatic one: a machine that takes longer for what it was made for, or scatters more, has the longest one for it. */
export interface Budget {
  seconds: number;
  rounds: number;
}

/**
 * Rounds of `draws` (one row for each series) until all is decided or the budget is spent. A case that is no longer measured keeps
 * the rounds that it has.
 */
export function comparing(
  source: Source,
  draws: readonly (readonly number[])[],
  truth: Truth,
  budget: Budget,
): Comparing {
  const cases = casesOf(source);
  const mostRounds = Math.min(...draws.map((own) => own.length));
  /** Case key → how many rounds it was measured in. */
  const measured = new Map([...cases].map((key) => [key, 0]));
  let open = cases;
  let seconds = 0;
  for (let rounds = 1; ; rounds += 1) {
    for (const key of open) measured.set(key, rounds);
    seconds += roundSeconds(source, open);
    const ended = hypothesesOf(source, seen(source, draws, measured), truth);
    const look = plannedLooks(rounds).length === 0 ? null : lookAt(source, ended, rounds);
    const next = look?.waiting ?? open;
    const isLast = rounds === mostRounds || isSpent(seconds + roundSeconds(source, next), rounds, look, budget);
    if (next.size > 0 && !isLast) {
      open = next;
      continue;
    }
    const decisions = decisionsOn(ended, { rounds, final: true });
    return {
      isRed: decisions.some(({ verdict }) => verdict === 'regression'),
      isDecided: decisions.every(({ verdict }, index) => verdict !== 'inconclusive' || !isRequired(ended[index]!)),
      seconds,
    };
  }
}

/** As `mostSecondsAfter` has it; a run that is red ends sooner. */
function isSpent(seconds: number, rounds: number, look: Look | null, budget: Budget): boolean {
  if (look?.isRed) return seconds > RED_SECONDS;
  if (seconds <= budget.seconds) return false;
  if (seconds > AUTO_BUDGET_SECONDS.most) return true;
  return rounds >= budget.rounds && look !== null && look.seesTwiceEachLimit();
}

/** Memory of the service is read in whatever is measured. */
function seen(
  { series }: Source,
  draws: readonly (readonly number[])[],
  measured: ReadonlyMap<string, number>,
): number[][] {
  const most = Math.max(...measured.values());
  return series.map((one, index) => draws[index]!.slice(0, isOfService(one) ? most : measured.get(one.caseKey)!));
}

interface Look {
  isRed: boolean;
  /** Keys of the cases that another round is measured for. */
  waiting: Set<string>;
  seesTwiceEachLimit(): boolean;
}

/** As `decidedSoFar` has it of a record. */
function lookAt(source: Source, hypotheses: readonly Hypothesis[], rounds: number): Look {
  const decisions = new Map(decisionsOn(hypotheses, { rounds, final: false }).map((each) => [each.id, each]));
  const judged = hypotheses.map((hypothesis) => ({
    hypothesis,
    caseKeys: caseKeys(source, hypothesis),
    acceptance: null,
    isToldApart: false,
    // What is watched here is of cases.
    isWatched: false,
  }));
  const waiting = waitedFor(judged, decisions);
  return {
    isRed: [...decisions.values()].some(({ verdict }) => verdict === 'regression'),
    waiting: new Set(judged.flatMap(({ hypothesis, caseKeys: own }) => (waiting.has(hypothesis.id) ? own : []))),
    seesTwiceEachLimit: () => seesTwiceEachLimit(hypotheses, waiting, rounds),
  };
}

/** `node/users/* cpu-per-request` is of all cases of the endpoint that have the metric. */
function caseKeys({ series }: Source, { id, metric }: Hypothesis): string[] {
  const unit = id.slice(0, id.lastIndexOf(' '));
  const isWithin = (key: string) => key === unit || (unit.endsWith('/*') && key.startsWith(unit.slice(0, -1)));
  return series.flatMap((one) =>
    !isOfService(one) && one.metric === metric && isWithin(one.caseKey) ? [one.caseKey] : [],
  );
}

/** As `plan` expects it; of a recording with the trials that it has, and the rest in proportion to what its rounds took. */
function roundSeconds(source: Source, cases: ReadonlySet<string>): number {
  const { load, rest } = expectedSeconds(source, cases);
  if (source.roundSeconds === null) return load + rest;
  const whole = expectedSeconds(source, casesOf(source));
  return load + rest * ((source.roundSeconds - whole.load) / whole.rest);
}

function expectedSeconds({ caseSeconds }: Source, cases: ReadonlySet<string>): { load: number; rest: number } {
  const { roundStart, roundDatabase, warmUpTogether, briefVerification, duetRest } = EXPECTED_SECONDS;
  const keys = [...cases];
  const endpoints = new Set(keys.map(endpointOf)).size;
  const database = keys.some(asksDatabase) ? roundDatabase : 0;
  const warm = Math.min(warmUpTogether, mostWarmUpSeconds(endpoints));
  const preparing = roundStart + database + endpoints * (warm + 2 * briefVerification);
  return {
    load: keys.reduce((sum, key) => sum + Math.max(caseSeconds(key), DUET_SECONDS[generatorOf(key)]), 0),
    rest: preparing + keys.length * duetRest,
  };
}

function casesOf({ series }: Source): Set<string> {
  return new Set(series.flatMap((one) => (isOfService(one) ? [] : [one.caseKey])));
}
