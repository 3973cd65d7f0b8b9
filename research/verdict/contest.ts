import { decisionsOn } from '../../src/core/comparison/decision.ts';
import { type Random, seededRandom } from '../../src/core/statistics/random.ts';
import { isOfService } from './matrix.ts';
import type { RecordedSource } from './recorded.ts';
import { autoSampling } from './rivals/auto-sampling.ts';
import { lastRun } from './rivals/last-run.ts';
import { mannWhitney } from './rivals/mann-whitney.ts';
import type { Rival, Sides } from './rivals/rival.ts';
import { storedHistory } from './rivals/stored-history.ts';
import { atDefault, hypothesesOf, none, type Truth } from './source.ts';

const RIVALS: readonly Rival[] = [lastRun(105), lastRun(110), lastRun(200), storedHistory, mannWhitney, autoSampling];

export interface Showing {
  rule: string;
  source: string;
  threshold: '0' | 'default' | 'its own';
  rounds: number;
  /** How many runs the rules that look back have. */
  pastRuns: number;
  /** Share of matrices without any change that are red. */
  falseRed: number;
  /** Change → share of matrices with a change beyond a limit that are red; null where a change is beyond none. */
  found: Record<string, number | null>;
}

const CHANGES = [0.02, 0.05, 0.1];

/** A run of today and those before it: places of rounds that follow each other, and which side is which. */
interface Moment {
  today: number[];
  past: number[][];
  exchanged: boolean;
}

type Rule = (moment: Moment, truth: Truth) => boolean[];

/** Every rule on the same matrices: the same rounds in the same order, the same changes, and so the same seconds. */
export function contest(source: RecordedSource, rounds: number, matrices: number, seed: number): Showing[] {
  const thresholds = { '0': none, default: atDefault } as const;
  const pastRuns = Math.floor(source.mostRounds / rounds) - 1;
  const showing = (rule: string, from: string, name: Showing['threshold'], reds: Rule): Showing => {
    const threshold = name === 'default' ? thresholds.default : thresholds['0'];
    const shared = shares(source, { rounds, matrices, threshold }, seededRandom(seed), reds);
    return { rule, source: from, threshold: name, rounds, pastRuns, ...shared };
  };
  return [
    ...(['0', 'default'] as const).map((name) => showing('this product', '', name, ours(source))),
    ...RIVALS.flatMap((rival) =>
      (rival.thresholds ? (['0', 'default'] as const) : (['its own'] as const)).map((name) =>
        showing(rival.name, rival.source, name, theirs(rival, source)),
      ),
    ),
  ];
}

function ours(source: RecordedSource): Rule {
  return ({ today, exchanged }, truth) => {
    const draws = source.logRatios.map((own) => today.map((index) => (exchanged ? -own[index]! : own[index]!)));
    const hypotheses = hypothesesOf(source, draws, truth);
    return decisionsOn(hypotheses, { rounds: today.length, final: true }).map(
      ({ verdict }) => verdict === 'regression',
    );
  };
}

function theirs(rival: Rival, source: RecordedSource): Rule {
  return ({ today, past, exchanged }, { threshold, change }) => {
    const seen = (own: (Sides | null)[], run: readonly number[]) =>
      run.flatMap((index) => {
        const sides = own[index] ?? null;
        if (sides === null) return [];
        return [exchanged ? { baseline: sides.candidate, candidate: sides.baseline } : sides];
      });
    return rival.reds(
      source.series.map((series, index) => {
        const own = source.sides[index]!;
        const runs = past.map((run) => seen(own, run));
        const limits = { metric: series.metric, threshold: threshold(series), change: change(series) };
        return { ...limits, today: seen(own, today), past: runs };
      }),
    );
  };
}

function shares(
  source: RecordedSource,
  { rounds, matrices, threshold }: { rounds: number; matrices: number; threshold: Truth['threshold'] },
  random: Random,
  reds: Rule,
): Pick<Showing, 'falseRed' | 'found'> {
  const cases = source.series.filter((series) => !isOfService(series));
  let falseReds = 0;
  for (let matrix = 0; matrix < matrices; matrix += 1) {
    if (reds(momentOf(source, rounds, random), { threshold, change: none }).includes(true)) falseReds += 1;
  }
  const found: Record<string, number | null> = {};
  for (const change of CHANGES) {
    let [red, all] = [0, 0];
    for (let matrix = 0; matrix < matrices; matrix += 1) {
      // One case is changed, in all that its requests cost.
      const { caseKey } = cases[random.below(cases.length)]!;
      const changed = new Set(
        source.series.filter(({ caseKey: own, metric }) => own === caseKey && metric !== 'memory-peak'),
      );
      const truth: Truth = { threshold, change: (series) => (changed.has(series) ? change : 0) };
      const result = reds(momentOf(source, rounds, random), truth);
      if (![...changed].some((series) => change > threshold(series))) continue;
      all += 1;
      if (result.includes(true)) red += 1;
    }
    found[`${change * 100} %`] = all === 0 ? null : red / all;
  }
  return { falseRed: falseReds / matrices, found };
}

/** Any round may be the first; the first of the recording follows the last one. */
function momentOf({ mostRounds }: RecordedSource, rounds: number, random: Random): Moment {
  const first = random.below(mostRounds);
  const runs = Array.from({ length: Math.floor(mostRounds / rounds) }, (_, run) =>
    Array.from({ length: rounds }, (_, index) => (first + run * rounds + index) % mostRounds),
  );
  return { today: runs.at(-1)!, past: runs.slice(0, -1), exchanged: random.below(2) === 0 };
}
