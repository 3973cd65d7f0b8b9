import type { Colours } from './colours.ts';
import type { Line } from './model.ts';

/** What a point of a chart is marked with, beside its line. */
export type Mark = 'regression' | 'improvement' | 'inconclusive' | 'invalid' | 'generator-bound';

export interface MarkStyle {
  title: string;
  /** In the legend. */
  sign: string;
  /** Of Chart.js. */
  shape: 'triangle' | 'circle' | 'crossRot' | 'rectRot';
  rotation: number;
  isHollow: boolean;
  colour(colours: Colours): string;
}

export const markStyles: Record<Mark, MarkStyle> = {
  regression: {
    title: 'regression',
    sign: '▼',
    shape: 'triangle',
    rotation: 180,
    isHollow: false,
    colour: ({ bad }) => bad,
  },
  improvement: {
    title: 'improvement',
    sign: '▲',
    shape: 'triangle',
    rotation: 0,
    isHollow: false,
    colour: ({ good }) => good,
  },
  inconclusive: {
    title: 'inconclusive',
    sign: '○',
    shape: 'circle',
    rotation: 0,
    isHollow: true,
    colour: ({ open }) => open,
  },
  invalid: {
    title: 'invalid: not part of the line',
    sign: '✕',
    shape: 'crossRot',
    rotation: 0,
    isHollow: true,
    colour: ({ bad }) => bad,
  },
  'generator-bound': {
    title: 'limited by the generator: not part of the line',
    sign: '◇',
    shape: 'rectRot',
    rotation: 0,
    isHollow: true,
    colour: ({ quiet }) => quiet,
  },
};

/** In the legend and in words: the bars over which a line stayed at a level. */
export const LEVEL_SIGN = '▬';

export const MARKS = Object.keys(markStyles) as Mark[];

/** What is wrong with the figure comes before what was found of it. Null where there is nothing to mark. */
export function markOf({ columns }: Pick<Line, 'columns'>, place: number): Mark | null {
  const doubt = columns.doubt[place] ?? null;
  if (doubt !== null) return doubt;
  const verdict = columns.verdict[place];
  return verdict === 'regression' || verdict === 'improvement' || verdict === 'inconclusive' ? verdict : null;
}

/** Places of the runs that have it, in any line. */
export function markedPlaces(lines: readonly Line[], mark: Mark): number[] {
  const places = new Set<number>();
  for (const line of lines) {
    for (const place of line.columns.value.keys()) {
      if (markOf(line, place) === mark) places.add(place);
    }
  }
  return [...places];
}
