import { type BenchResult, rounded } from '../../scripts/bench/target.ts';
import { upperShare } from './false-reds.ts';
import type { SourceResult } from './source-result.ts';

/** All that was found, by name. */
export function figuresOf(results: readonly SourceResult[]): BenchResult['figures'] {
  return Object.fromEntries(
    results.flatMap((result) => [...falseFigures(result), ...resultFigures(result), ...contestFigures(result)]),
  );
}

type Figure = readonly [string, number];

function falseFigures({ source, falseAnswers }: SourceResult): Figure[] {
  return falseAnswers.flatMap(({ situation, atBudgets }) =>
    atBudgets.flatMap(({ rounds, red, matrices }): Figure[] => {
      const name = `${source.name}, ${situation}, ${roundsOf(rounds)}: matrices with a false red`;
      return [
        [name, rounded(red / matrices)],
        [`${name}, upper 95 % bound`, rounded(upperShare(red, matrices))],
      ];
    }),
  );
}

function roundsOf(rounds: number | 'decided'): string {
  return rounds === 'decided' ? 'until decided' : `${rounds} rounds`;
}

function resultFigures({ source, coverage, single, lines, detectable }: SourceResult): Figure[] {
  return [
    ...coverage.map(({ rounds, least }): Figure => {
      return [`${source.name}: coverage of the 99 % interval, worst metric, ${rounds} rounds`, rounded(least)];
    }),
    ...single.map(({ metric, change, rounds, found }): Figure => {
      const name = `${metric} +${change * 100} % of a single case at a limit of 0, found with ${rounds} rounds`;
      return [`${source.name}: ${name}`, rounded(found)];
    }),
    ...lines.flatMap(({ change, rounds, share, minutes }): Figure[] => {
      const name = `${source.name}: ${change}, ${roundsOf(rounds)}`;
      if (minutes === null) return [[name, rounded(share)]];
      return [
        [name, rounded(share)],
        [`${name}: minutes of comparing, half of the runs`, rounded(minutes.median)],
        [`${name}: minutes of comparing, nine of ten runs`, rounded(minutes.ninety)],
      ];
    }),
    ...detectable.flatMap(({ rounds, found, detectable: change, refused }): Figure[] => {
      const name = `${source.name}: minimum detectable effect, ${rounds} rounds`;
      return [
        [`${name}: found in another run`, rounded(found)],
        [`${name}: median`, rounded(Math.expm1(change))],
        [`${name}: too large to be told`, rounded(refused)],
      ];
    }),
  ];
}

function contestFigures({ source, contest }: SourceResult): Figure[] {
  return contest.flatMap(({ rule, threshold, rounds, falseRed, found }): Figure[] => {
    const name = `${source.name}: ${rule} at limit ${threshold}, ${rounds} rounds`;
    const shares = Object.entries(found).filter((entry): entry is [string, number] => entry[1] !== null);
    return [
      [`${name}: red without a change`, rounded(falseRed)],
      ...shares.map(([change, share]): Figure => [`${name}: ${change} found`, rounded(share)]),
    ];
  });
}
