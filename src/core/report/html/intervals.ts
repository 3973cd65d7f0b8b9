import type { IntervalChart, IntervalRow } from '../document.ts';
import { escapeHtml } from './escape.ts';

/**
 * A row for each case: the band in which a change is none, the adjusted interval as a thin line, the marginal one as a
 * thick line, the estimate as a point. Places are percentages, so that the picture takes what width there is and its
 * text keeps its size. Hidden from those who are read to: the table says the same.
 */
export function intervalsHtml({ title, note, rows, extent, ticks }: IntervalChart): string {
  const [low, high] = extent;
  const at = (value: number) =>
    Number((((Math.min(high, Math.max(low, value)) - low) / (high - low)) * 100).toFixed(2));
  const grid = ticks.map(({ value }) => line(`tick${value === 0 ? ' zero' : ''}`, at(value), at(value), 0, height));
  const drawn = rows.map((row) =>
    [
      '<div class="interval-row">',
      `<span class="interval-label">${escapeHtml(row.label)}</span>`,
      `<svg class="interval ${row.mark}" height="${height}">${band(row, at)}${grid.join('')}${estimate(row, at)}</svg>`,
      `<span class="interval-figure">${escapeHtml(row.figure)}</span></div>`,
    ].join(''),
  );
  const figures = ticks.map(
    ({ value, figure }) => `<text x="${at(value)}%" y="14" text-anchor="middle">${escapeHtml(figure)}</text>`,
  );
  const axis = `<div class="interval-row"><span></span><svg class="interval-axis" height="18">${figures.join('')}</svg><span></span></div>`;
  return [
    `<figure class="intervals"><figcaption>${escapeHtml(title)} <small>${escapeHtml(note)}</small></figcaption>`,
    `<div class="interval-rows" aria-hidden="true">${[...drawn, axis].join('\n')}</div></figure>`,
  ].join('\n');
}

/** Pixels of a row. */
const height = 24;
const middle = height / 2;

/** Said once for all pictures. */
export const intervalLegendHtml = `<ul class="interval-legend">\n${[
  ['<circle cx="50%" cy="12" r="5"/>', 'Point: the change.'],
  [line('marginal', 0, 100, middle, middle), 'Thick line: the interval of this change by itself, as in the table.'],
  [
    line('adjusted', 0, 100, middle, middle),
    'Thin line: the wider interval that decides the verdict, corrected for all endpoints, cases and metrics and for looking at the data several times.',
  ],
  [`<rect class="band" x="0%" width="100%" y="0" height="${height}"/>`, 'Grey band: changes smaller than the limit.'],
]
  .map(
    ([sample, text]) =>
      `<li><svg class="interval none" height="${height}" aria-hidden="true">${sample}</svg>${text}</li>`,
  )
  .join('\n')}\n</ul>`;

type Place = (value: number) => number;

function line(kind: string, from: number, to: number, top: number, bottom: number): string {
  return `<line class="${kind}" x1="${from}%" x2="${to}%" y1="${top}" y2="${bottom}"/>`;
}

function band({ threshold }: IntervalRow, at: Place): string {
  if (threshold === null || threshold === 0) return '';
  const [from, to] = [at(-threshold), at(threshold)];
  return `<rect class="band" x="${from}%" width="${Number((to - from).toFixed(2))}%" y="0" height="${height}"/>`;
}

function estimate({ change, interval, adjusted }: IntervalRow, at: Place): string {
  const parts = [
    adjusted === null ? '' : line('adjusted', at(adjusted[0]), at(adjusted[1]), middle, middle),
    interval === null ? '' : line('marginal', at(interval[0]), at(interval[1]), middle, middle),
    `<circle cx="${at(change)}%" cy="${middle}" r="5"/>`,
  ];
  return parts.join('');
}
