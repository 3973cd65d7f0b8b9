import { element } from '../../element.ts';
import { type Drawing, drawnChart, type TrendChart } from './chart.ts';
import { type Colours, coloursOf } from './colours.ts';
import { LEVEL_SIGN, MARKS, markedPlaces, markStyles } from './marks.ts';
import type { Line } from './model.ts';
import type { Pointer } from './overlays.ts';
import { zoomable } from './zooming.ts';

/** A chart with its caption, legend and words. */
export interface Panel {
  figure: HTMLElement;
  /** Once it is in the page, which gives it its size. */
  draw(printing: boolean): void;
  /** With the pointer where it is now. */
  repaint(): void;
  destroy(): void;
}

export interface PanelContent {
  title: string;
  note: string;
  /** What the chart shows, for those who cannot see it. */
  description: string;
  lines: readonly Line[];
  /** Of the lines in this chart. */
  showsDoubts: boolean;
  words: readonly string[];
  drawing(colours: Colours, width: number): Drawing;
  pointer: Pointer;
  choose(place: number): void;
  /** To between two places of the axis. */
  zoom(from: number, to: number): void;
  step(move: 'in' | 'out', around: number): void;
}

export function panel(content: PanelContent): Panel {
  const canvas = element('canvas', { role: 'img', 'aria-label': content.description });
  const frame = element('div', { class: 'canvas' }, canvas);
  const legend = element('ul', { class: 'legend' });
  const figure = element(
    'figure',
    {},
    element('figcaption', {}, content.title, element('small', {}, content.note)),
    legend,
    frame,
    ...content.words.map((sentence) => element('p', { class: 'quiet' }, sentence)),
  );
  let chart: TrendChart | null = null;
  const draw = (printing: boolean) => {
    chart?.destroy();
    const colours = coloursOf(printing);
    legend.replaceChildren(...legendItems(content, colours));
    chart = drawnChart(canvas, content.drawing(colours, frame.clientWidth), content.pointer, colours);
  };
  zoomable(canvas, () => chart, content);
  return { figure, draw, repaint: () => chart?.draw(), destroy: () => chart?.destroy() };
}

/** The lines where there are several, and the marks that the chart has. */
function legendItems({ lines, showsDoubts }: PanelContent, colours: Colours): HTMLElement[] {
  const item = (sign: string, colour: string, text: string) => {
    const swatch = element('span', { class: 'sign', 'aria-hidden': 'true' }, sign);
    swatch.style.color = colour;
    return element('li', {}, swatch, text);
  };
  const ofLines = lines.length < 2 ? [] : lines.map(({ title }, index) => item('●', colours.lines[index]!, title));
  const ofMarks = MARKS.filter((mark) => showsDoubts || (mark !== 'invalid' && mark !== 'generator-bound')).flatMap(
    (mark) => {
      const { sign, title, colour } = markStyles[mark];
      return markedPlaces(lines, mark).length === 0 ? [] : [item(sign, colour(colours), title)];
    },
  );
  const hasLevels = showsDoubts && lines.some(({ levels }) => levels.length > 0);
  return [...ofLines, ...ofMarks, ...(hasLevels ? [item(LEVEL_SIGN, colours.quiet, 'level')] : [])];
}
