import type { Manifest } from '../../../../core/publication/manifest.ts';
import { listOf } from '../../address.ts';
import { caseTitle } from '../../case-title.ts';
import { type PlaceOfRun, usualCase, usualSeries } from '../../usual-case.ts';
import type { State } from '../../view.ts';
import { followsTheMachine } from './normalising.ts';
import { type Range, rangeOf } from './range.ts';

/** What the address asks of the trend, with what stands for all that it does not say. */
export interface Question {
  /** Place in the manifest. */
  metric: number;
  /** Places in the manifest, in the order of their lines. */
  cases: number[];
  range: Range;
  axis: 'commits' | 'time';
  changes: 'each' | 'sum';
  band: boolean;
  normalised: boolean;
  fromZero: boolean;
  /** Id of the run whose details are shown; null for the newest. */
  run: string | null;
  /** What the address names and nobody has, as sentences. */
  unknown: string[];
}

/** As many as colours that can be told apart. */
export const MOST_LINES = 6;

/**
 * `compared`: whether CPU per request was compared in the newest runs; then its changes say more than any absolute figure. `newest` is the
 * newest run with figures.
 */
export function questionOf(
  state: State,
  { cases, metrics }: Pick<Manifest, 'cases' | 'metrics'>,
  compared: boolean,
  newest: PlaceOfRun | undefined,
): Question {
  const unknown: string[] = [];
  const preferred = compared ? ['cpu-per-request', 'throughput'] : ['throughput'];
  const metric =
    metricOf(state.get('metric'), metrics, unknown) ?? usualSeries({ cases, metrics }, preferred, newest).metric;
  return {
    metric,
    cases: casesOf(state.get('case'), cases, unknown) ?? usualCases(cases, usualCase(cases, metric, newest)),
    range: rangeOf(state),
    axis: state.get('axis') === 'time' ? 'time' : 'commits',
    changes: state.get('changes') === 'sum' ? 'sum' : 'each',
    band: state.get('band') !== 'off',
    normalised: state.get('normalised') === 'on' && metrics[metric] !== undefined && followsTheMachine(metrics[metric]),
    fromZero: state.get('zero') === 'on',
    run: state.get('at') ?? null,
    unknown,
  };
}

/** Null where it asks for none that is known. */
function metricOf(asked: string | undefined, metrics: Manifest['metrics'], unknown: string[]): number | null {
  if (asked === undefined) return null;
  const found = metrics.findIndex(({ name }) => name === asked);
  if (found !== -1) return found;
  unknown.push(`No run has a metric called “${short(asked)}”: choose one of those in the list.`);
  return null;
}

/** Null where it asks for none that is known. */
function casesOf(asked: string | undefined, cases: Manifest['cases'], unknown: string[]): number[] | null {
  const found: number[] = [];
  if (asked !== undefined && asked !== '') {
    const named = (key: string) => cases.findIndex((each) => each.key === key);
    const whole = named(asked);
    for (const key of whole === -1 ? listOf(asked) : [asked]) {
      const place = named(key);
      if (place === -1) unknown.push(`No run has a case called “${short(key)}”: it may have been renamed or removed.`);
      else if (!found.includes(place)) found.push(place);
    }
    if (found.length > MOST_LINES) {
      unknown.push(
        `The address names ${found.length} cases, and one chart shows ${MOST_LINES} at most: the first ones.`,
      );
    }
  }
  return found.length > 0 ? found.slice(0, MOST_LINES) : null;
}

/** That case, and the same of all other services that are subjects. */
function usualCases(cases: Manifest['cases'], first: number): number[] {
  if (cases[first] === undefined) return [];
  const own = withoutService(cases[first]);
  const others = cases.flatMap((each, place) =>
    place !== first && !each.reference && withoutService(each) === own ? [place] : [],
  );
  return [first, ...others].slice(0, MOST_LINES);
}

function withoutService(entry: Manifest['cases'][number]): string {
  return entry.load === null ? entry.key : caseTitle({ ...entry, service: '' });
}

function short(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 100)}…`;
}
