import { atLeast, atMost, type BenchResult, rounded, type Target } from '../target.ts';
import { contest, type Showing } from './contest.ts';
import { coverage } from './coverage.ts';
import { type Detection, detections, singleDetections } from './detection.ts';
import { falseReds, SITUATIONS } from './false-reds.ts';
import { type ToldAndFound, toldAndFound } from './foretelling.ts';
import { recordedSource, recordingsIn } from './recorded.ts';
import { simulatedSources } from './simulated.ts';
import type { Source } from './source.ts';

export interface ReplayOptions {
  /** Folder of the recordings. */
  noise: string;
  matrices: number;
  seed: number;
}

export interface SourceResult {
  source: Source;
  /** By situation: share of matrices. */
  falseReds: { situation: string; matrices: number; share: number; falseNoChange: number }[];
  coverage: { instances: number; share: number }[];
  /** A whole matrix, and a case on its own. */
  matrix: Detection[];
  single: Detection[];
  contest: Showing[];
}

export interface Replay extends BenchResult {
  options: ReplayOptions;
  results: SourceResult[];
  foretold: ({ name: string } & ToldAndFound)[];
}

const COVERAGE_MATRICES = 200;
const REPETITIONS = 40;
const CONTEST_INSTANCES = [5, 10];
const CONTEST_MATRICES = 300;
const FORETOLD_DRAWS = 60;

/** Every source through the decision code; each part has a seed of its own, and all are printed. */
export function replayed(options: ReplayOptions, say: (line: string) => void): Replay {
  const { noise, matrices, seed } = options;
  const recordings = recordingsIn(noise);
  const recorded = recordings.map(({ name, header, slices }) => recordedSource(name, header, slices));
  if (recorded.length === 0) say(`no recordings in ${noise}: simulated noise alone`);
  const simulated = simulatedSources();
  const isRecorded = (source: Source) => recorded.some((each) => each === source);
  const results = [...recorded, ...simulated].map((source): SourceResult => {
    const startedMs = performance.now();
    const result = {
      source,
      // A model has no scale of its own: at a threshold of 0 it tells what it tells with the change at the threshold.
      falseReds: SITUATIONS.filter(({ ofModels }) => ofModels || isRecorded(source)).map((situation, index) => {
        const { red, falseNoChange } = falseReds(source, situation, matrices, seed + index);
        return { situation: situation.name, matrices, share: red / matrices, falseNoChange: falseNoChange / matrices };
      }),
      coverage: coverage(source, COVERAGE_MATRICES, seed + 10),
      // How much is found is a matter of the recordings; without any, of the first of the models, for an orientation.
      ...(isRecorded(source) || (recorded.length === 0 && source === simulated[0])
        ? {
            matrix: detections(source, REPETITIONS, seed + 20),
            single: singleDetections(source, REPETITIONS, seed + 30),
          }
        : { matrix: [], single: [] }),
      contest: [],
    };
    say(`${told(result)}; ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
    return result;
  });
  for (const source of recorded) {
    const startedMs = performance.now();
    const instances = CONTEST_INSTANCES.filter((each) => 3 * each <= source.mostInstances);
    const result = results.find((each) => each.source === source)!;
    result.contest = instances.flatMap((each) => contest(source, each, CONTEST_MATRICES, seed + 40));
    say(`${source.name}: beside other rules; ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  }
  const foretold = recordings.flatMap((recording) =>
    toldAndFound(recording.name, recording, FORETOLD_DRAWS, seed + 50).map((each) => ({
      name: recording.name,
      ...each,
    })),
  );
  say(`seeds ${seed} to ${seed + 50}, ${matrices} matrices for each situation and source`);
  const targets = [...results.flatMap(targetsOf), ...foretold.map(foretoldTarget)];
  return { options, results, foretold, figures: figuresOf(results), targets };
}

function told({ source, falseReds, coverage }: SourceResult): string {
  const red = falseReds.map(({ share }) => percent(share)).join(' / ');
  const held = coverage.map(({ instances, share }) => `${instances}: ${percent(share)}`).join(', ');
  return `${source.name}: matrices with a false red ${red}; coverage ${held}`;
}

function targetsOf({ source, falseReds, coverage }: SourceResult): Target[] {
  const red = falseReds.map(({ situation, share }) =>
    atMost(`${source.name}, ${situation}: matrices with a false red`, rounded(share), 0.01),
  );
  const shares = coverage.map(({ share }) => share);
  return [
    ...red,
    atLeast(`${source.name}: coverage of the marginal 99 % interval, least`, rounded(Math.min(...shares), 5), 0.98),
    atMost(`${source.name}: coverage of the marginal 99 % interval, most`, rounded(Math.max(...shares), 5), 0.999),
  ];
}

/** The larger by the smaller. */
function foretoldTarget({ name, metric, instances, factor }: Replay['foretold'][number]): Target {
  const apart = Math.max(factor, 1 / factor);
  return atMost(`${name}: ${metric} with ${instances} instances, foretold and found, factor`, rounded(apart, 3), 1.5);
}

function figuresOf(results: readonly SourceResult[]): BenchResult['figures'] {
  const entries = results.flatMap(({ source, matrix, single, contest }) => [
    ...matrix.map((each) => [nameOf(source, each, 'a matrix'), rounded(each.found)] as const),
    ...single.map((each) => [nameOf(source, each, 'a single case'), rounded(each.found)] as const),
    ...contest.map(({ rule, threshold, instances, falseRed }) => {
      const name = `${source.name}: ${rule} at threshold ${threshold}, ${instances} instances: red without a change`;
      return [name, rounded(falseRed)] as const;
    }),
  ]);
  return Object.fromEntries(entries);
}

function nameOf({ name }: Source, { metric, threshold, change, instances, seconds }: Detection, of: string): string {
  const size = `${percent(change)} at threshold ${threshold}`;
  return `${name}: ${metric} ${size} of ${of}, found with ${instances} instances (${Math.round(seconds)} s of load)`;
}

export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}
