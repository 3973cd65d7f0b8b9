import { atLeast, atMost, rounded, type Target } from '../../scripts/bench/target.ts';
import type { Recording } from '../noise/noise-line.ts';
import { type FalseAnswers, SITUATIONS, upperShare } from './false-reds.ts';
import { LINE_ROUNDS, NOTHING } from './lines.ts';
import { redShare } from './shares.ts';
import type { SourceResult } from './source-result.ts';

/** Of the longest recording in duets, of each condition. */
const LEAST_ROUNDS = 60;
/** Of matrices, false: as seen, and the upper end of what the truth may be. */
const MOST_FALSE = { seen: 0.01, upper: 0.016 };
/** Of all models together, where limits are the default ones. */
const MOST_FALSE_AT_DEFAULT = 0.005;
/** Of claims of no change where the change is as large as the limit. */
const MOST_FALSE_CLAIMS = 0.01;
/** Of marginal 99 % intervals. */
const COVERAGE = { least: 0.98, most: 0.999 };
/** A minimum detectable effect is found in nine of ten runs. */
const TOLD = { least: 0.85, most: 0.95 };
/** Beyond it a model scatters too much for most services and endpoints to be told anything. */
const MOST_REFUSED = 0.5;
/** What is found of a single case at a limit of 0, so that a decision that never says anything does not pass. */
const FLOORS = [
  { metric: 'cpu-per-request', change: 0.05, rounds: 12, found: 0.75 },
  { metric: 'cpu-per-request', change: 0.1, rounds: 12, found: 0.95 },
  { metric: 'latency-p50', change: 0.1, rounds: 12, found: 0.9 },
  { metric: 'throughput', change: 0.1, rounds: 12, found: 0.9 },
] as const;
/** What is found of both models of a usual machine at default limits with 12 rounds. */
const LINES: Record<string, number> = {
  'CPU +8 % of one endpoint without a database': 0.9,
  'throughput -10 % of one endpoint with a database': 0.9,
  'memory +25 % of the service': 0.9,
};
const LINES_AFTER = 12;
/** Of 200 runs at default limits, with the rounds that `auto` gives the matrix that people write first; of 18 in 20. */
const LEAST_FOUND = 0.9;
/** Whose lines are held to it; others are shown. */
const WITH_LINES = [
  'recorded: quiet',
  'recorded: quiet-epyc',
  'recorded: quiet-slow',
  'model: usual machine, 4 endpoints',
];
/** Of comparing, where nothing changed. */
const MOST_MINUTES = 5;

export function replayTargets(recordings: readonly Recording[], results: readonly SourceResult[]): Target[] {
  return [
    ...(['quiet', 'disturbed'] as const).map((condition) => recordedTarget(condition, recordings)),
    ...results
      .filter(isHeld)
      .flatMap((result) => [
        ...falseTargets(result),
        ...coverageTargets(result),
        ...detectableTargets(result),
        ...biasTarget(result),
        ...floorTargets(result),
      ]),
    ...defaultTargets(results.filter(({ source }) => source.about === null)),
    ...results.flatMap(lineTargets),
  ];
}

/** Models that are shown alone have nothing but false answers. */
function isHeld({ coverage }: SourceResult): boolean {
  return coverage.length > 0;
}

function recordedTarget(condition: 'quiet' | 'disturbed', recordings: readonly Recording[]): Target {
  const own = recordings.filter(({ header }) => header.condition === condition && header.pairing === 'duet');
  const rounds = own.map(({ trials }) => new Set(trials.map(({ round }) => round)).size);
  return atLeast(`rounds recorded in duets, ${condition}`, Math.max(0, ...rounds), LEAST_ROUNDS);
}

/** Of models at limits of 0: of a change as large as its limit the same numbers are asked. */
function falseTargets({ source, falseAnswers }: SourceResult): Target[] {
  const isModel = source.about === null;
  return falseAnswers
    .filter(({ situation }) => !isModel || situation === SITUATIONS[1]!.name)
    .flatMap(({ situation, atBudgets }) => {
      const name = `${source.name}, ${situation}: matrices with a false`;
      return [
        ...atBudgets.flatMap((each) => redTargets(`${name} red`, each, isModel)),
        worst(`${name} improvement, worst number of rounds`, atBudgets, ({ improvement }) => improvement),
        ...claimTarget(`${source.name}, ${situation}: false claims of no change`, atBudgets),
      ];
    });
}

function redTargets(name: string, { rounds, red, matrices }: FalseAnswers, withBound: boolean): Target[] {
  const where = rounds === 'decided' ? 'until decided' : `${rounds} rounds`;
  return [
    atMost(`${name}, ${where}`, rounded(red / matrices), MOST_FALSE.seen),
    ...(withBound
      ? [atMost(`${name}, ${where}, upper 95 % bound`, rounded(upperShare(red, matrices)), MOST_FALSE.upper)]
      : []),
  ];
}

function worst(name: string, atBudgets: readonly FalseAnswers[], of: (each: FalseAnswers) => number): Target {
  return atMost(name, rounded(Math.max(...atBudgets.map((each) => of(each) / each.matrices))), MOST_FALSE.upper);
}

function claimTarget(name: string, atBudgets: readonly FalseAnswers[]): Target[] {
  const claims = atBudgets.reduce((sum, { noChangeClaims }) => sum + noChangeClaims, 0);
  const wrong = atBudgets.reduce((sum, { noChange }) => sum + noChange, 0);
  return claims === 0 ? [] : [atMost(name, rounded(wrong / claims), MOST_FALSE_CLAIMS)];
}

function defaultTargets(models: readonly SourceResult[]): Target[] {
  return [SITUATIONS[0]!, SITUATIONS[2]!].flatMap(({ name }) => {
    const all = models.flatMap(({ falseAnswers }) =>
      falseAnswers.filter(({ situation }) => situation === name).flatMap(({ atBudgets }) => atBudgets),
    );
    if (all.length === 0) return [];
    return [atMost(`all models, ${name}: matrices with a false red`, rounded(redShare(all)), MOST_FALSE_AT_DEFAULT)];
  });
}

/** Of recordings: of a model it is a matter of the model. */
function coverageTargets({ source, coverage }: SourceResult): Target[] {
  if (source.about === null) return [];
  const shares = coverage.map(({ share }) => share);
  const name = `${source.name}: coverage of the marginal 99 % interval`;
  return [
    atLeast(`${name}, least`, rounded(Math.min(...shares), 5), COVERAGE.least),
    atMost(`${name}, most`, rounded(Math.max(...shares), 5), COVERAGE.most),
  ];
}

function detectableTargets({ source, detectable }: SourceResult): Target[] {
  return detectable
    .filter(({ refused }) => refused <= MOST_REFUSED)
    .flatMap(({ rounds, found }) => {
      const name = `${source.name}: minimum detectable effect found in another run, ${rounds} rounds`;
      return [
        atLeast(`${name}, least`, rounded(found), TOLD.least),
        atMost(`${name}, most`, rounded(found), TOLD.most),
      ];
    });
}

function biasTarget({ source, bias }: SourceResult): Target[] {
  if (bias === null) return [];
  const name = `${source.name}: t of the side that differs most, ${bias.series}`;
  return [atMost(name, rounded(Math.abs(bias.t), 3), rounded(bias.limit, 3))];
}

function floorTargets({ source, single }: SourceResult): Target[] {
  if (source.pairing !== 'duet') return [];
  return FLOORS.flatMap(({ metric, change, rounds, found }) => {
    const seen = single.find((each) => each.metric === metric && each.change === change && each.rounds === rounds);
    const name = `${source.name}: ${metric} +${change * 100} % of a single case found with ${rounds} rounds`;
    return seen === undefined ? [] : [atLeast(name, rounded(seen.found), found)];
  });
}

function lineTargets({ source, lines }: SourceResult): Target[] {
  const most = LINE_ROUNDS.at(-1)!;
  return lines.flatMap(({ change, rounds, share, minutes }) => {
    const isHeld = WITH_LINES.includes(source.name);
    if (minutes !== null) {
      if (!isHeld) return [];
      const name = `${source.name}: ${change}, until decided`;
      return [
        atLeast(`${name}: found`, rounded(share), LEAST_FOUND),
        ...(change === NOTHING
          ? [atMost(`${name}: minutes of comparing, nine of ten runs`, rounded(minutes.ninety), MOST_MINUTES)]
          : []),
      ];
    }
    const ofModels = source.about === null && rounds === LINES_AFTER ? LINES[change] : undefined;
    const ofAuto = isHeld && rounds === most ? LEAST_FOUND : undefined;
    const least = ofModels ?? ofAuto;
    return least === undefined
      ? []
      : [atLeast(`${source.name}: ${change}, found with ${rounds} rounds`, rounded(share), least)];
  });
}
