import type { BarsPicture, LinesPicture, MeasureBar, Picture, StacksPicture } from '../pictures.ts';
import { escapeHtml } from './escape.ts';

/**
 * Places across are percentages, so that a picture takes what width there is and its text keeps its size. Colours are classes: an
 * attribute for style is what a strict policy refuses. Hidden from those who are read to: the table says the same.
 */
export function pictureHtml(picture: Picture): string {
  switch (picture.form) {
    case 'bars':
      return barsFigure(picture);
    case 'stacks':
      return stacksFigure(picture);
    case 'lines':
      return linesFigure(picture);
  }
}

/** The least that is still seen. */
const LEAST_PERCENT = 0.5;

export function barPercent(value: number, most: number): number {
  return percentOf(most > 0 ? Math.max(LEAST_PERCENT, (value / most) * 100) : LEAST_PERCENT);
}

function percentOf(value: number): number {
  return Number(Math.min(100, Math.max(0, value)).toFixed(2));
}

function figureHtml(kind: string, { title, note }: Pick<Picture, 'title' | 'note'>, body: string): string {
  const caption = `<figcaption>${escapeHtml(title)} <small>${escapeHtml(note)}</small></figcaption>`;
  return `<figure class="picture ${kind}">${caption}\n<div class="drawn" aria-hidden="true">\n${body}\n</div></figure>`;
}

function barsFigure(picture: BarsPicture): string {
  const { measures, rows } = picture;
  const most = measures.map((_, at) =>
    Math.max(0, ...rows.flatMap(({ bars }) => (bars[at] ? [bars[at].value, ...(bars[at].range ?? [])] : []))),
  );
  const head = measures.map(
    ({ title, note }) => `<span class="measure-title">${escapeHtml(title)} <small>${escapeHtml(note)}</small></span>`,
  );
  const drawn = rows.map(({ label, tone, bars }) => {
    const cells = bars.map((bar, at) => measureHtml(bar, most[at]!, tone, measures[at]!.title));
    return `<div class="bar-row ${tone}"><span class="bar-label">${escapeHtml(label)}</span>${cells.join('')}</div>`;
  });
  const first = `<div class="bar-row bar-head"><span></span>${head.join('')}</div>`;
  return figureHtml(`measures measures-${measures.length}`, picture, [first, ...drawn].join('\n'));
}

function measureHtml(bar: MeasureBar | null, most: number, tone: string, title: string): string {
  const name = `<span class="measure-name">${escapeHtml(title)}</span>`;
  if (bar === null)
    return `<span class="measure">${name}<svg class="bar"></svg><span class="bar-figure">–</span></span>`;
  const width = barPercent(bar.value, most);
  const drawn = `<rect width="${width}%" height="100%"/>${whisker(bar.range, most)}`;
  const figure = `<span class="bar-figure">${escapeHtml(bar.figure)}</span>`;
  return `<span class="measure">${name}<svg class="bar ${tone}">${drawn}</svg>${figure}</span>`;
}

function whisker(range: [number, number] | null, most: number): string {
  if (range === null || most <= 0) return '';
  const [low, high] = range.map((value) => percentOf((value / most) * 100)) as [number, number];
  const end = (at: number) => `<line x1="${at}%" x2="${at}%" y1="20%" y2="80%"/>`;
  return `<g class="whisker"><line x1="${low}%" x2="${high}%" y1="50%" y2="50%"/>${end(low)}${end(high)}</g>`;
}

function stacksFigure(picture: StacksPicture): string {
  const { parts, rows } = picture;
  const most = Math.max(0, ...rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  const legend = parts.map(
    (part, at) =>
      `<li><svg class="swatch part-${at + 1}"><rect width="100%" height="100%"/></svg>${escapeHtml(part)}</li>`,
  );
  const drawn = rows.map(({ label, tone, values, figure }) => {
    let from = 0;
    const rects = values.map((value, at) => {
      const start = percentOf(most > 0 ? (from / most) * 100 : 0);
      from += Math.max(0, value);
      const width = percentOf(most > 0 ? (Math.max(0, value) / most) * 100 : 0);
      return `<rect class="part-${at + 1}" x="${start}%" width="${width}%" height="100%"/>`;
    });
    return [
      `<div class="stack-row ${tone}"><span class="bar-label">${escapeHtml(label)}</span>`,
      `<svg class="stack">${rects.join('')}</svg><span class="bar-figure">${escapeHtml(figure)}</span></div>`,
    ].join('');
  });
  return figureHtml('stacks', picture, [...drawn, `<ul class="legend">${legend.join('')}</ul>`].join('\n'));
}

/** Pixels of the plot. */
const HEIGHT = 260;
/** Each line has a shape beside its colour, from -5 to 5. */
const SHAPES = ['M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0', 'M0-5L5 4H-5Z', 'M0-5.5L5.5 0L0 5.5L-5.5 0Z', 'M-4-4H4V4H-4Z'];
/** As many as the style sheet has. */
const COLOURS = 8;

function linesFigure(picture: LinesPicture): string {
  const { steps, ticks, lines, extent, logarithmic } = picture;
  const [low, high] = logarithmic ? (extent.map((end) => Math.log(end)) as [number, number]) : extent;
  const across = (step: number) => percentOf(steps.length < 2 ? 50 : 3 + (step / (steps.length - 1)) * 94);
  const up = (value: number) => {
    const part = high > low ? ((logarithmic ? Math.log(value) : value) - low) / (high - low) : 0.5;
    return Number((HEIGHT * (1 - Math.min(1, Math.max(0, part)))).toFixed(1));
  };
  const grid = ticks.map(({ value }) => `<line class="grid" x1="0" x2="100%" y1="${up(value)}" y2="${up(value)}"/>`);
  const names = ticks.map(({ value, figure }) => `<text x="100%" y="${up(value) + 4}">${escapeHtml(figure)}</text>`);
  const feet = steps.map((step, at) => `<text x="${across(at)}%" y="${HEIGHT + 20}">${escapeHtml(step)}</text>`);
  const drawn = lines.map(({ label, points }, at) => {
    const places = points.flatMap((point, step) =>
      point === null ? [] : [{ ...point, x: across(step), y: up(point.value) }],
    );
    const parts = places.slice(1).map((to, index) => {
      const from = places[index]!;
      return `<line x1="${from.x}%" y1="${from.y}" x2="${to.x}%" y2="${to.y}"/>`;
    });
    const marks = places.map(
      ({ x, y, figure }) =>
        `<svg class="mark-place" x="${x}%" y="${y}"><title>${escapeHtml(`${label}: ${figure}`)}</title>${shape(at)}</svg>`,
    );
    return `<g class="${lineClass(at)}">${parts.join('')}${marks.join('')}</g>`;
  });
  const legend = lines.map(
    ({ label }, at) =>
      `<li><svg class="sample ${lineClass(at)}"><line x1="0" x2="100%" y1="50%" y2="50%"/><svg class="mark-place" x="50%" y="50%">${shape(at)}</svg></svg>${escapeHtml(label)}</li>`,
  );
  const body = [
    `<div class="plot"><svg class="plot-names" height="${HEIGHT + 28}">${names.join('')}</svg>`,
    `<svg class="plot-lines" height="${HEIGHT + 28}">${grid.join('')}${feet.join('')}${drawn.join('')}</svg></div>`,
    `<ul class="legend">${legend.join('')}</ul>`,
  ];
  return figureHtml('lines', picture, body.join('\n'));
}

function shape(line: number): string {
  return `<path d="${SHAPES[line % SHAPES.length]!}"/>`;
}

/** Beyond the colours there are the same again, dashed. */
function lineClass(line: number): string {
  const dashed = Math.floor(line / COLOURS) % 2 === 1 ? ' dashed' : '';
  return `series-${(line % COLOURS) + 1}${dashed}`;
}
