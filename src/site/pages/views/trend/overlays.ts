import type { Chart, Plugin } from 'chart.js';
import { shortened } from '../../../../core/format/text.ts';
import type { Colours } from './colours.ts';

/** What is drawn on a chart beside its lines. All `x` are on its axis. */
export interface Overlay {
  /** A run with something to tell of it: a release by its name, an acceptance. */
  flags: readonly { x: number; text: string }[];
  /** Where the CPU model is another one. */
  breaks: readonly number[];
  /** Of each line, in its colour: what was to be expected. */
  bands: readonly { colour: string; points: readonly { x: number; low: number; high: number; middle: number }[] }[];
  /** Of each line, in its colour: where it stayed for a while. */
  levels: readonly { colour: string; points: readonly { from: number; to: number; figure: number }[] }[];
  /** Of each line, in its colour: intervals. */
  bars: readonly { colour: string; points: readonly { x: number; low: number; high: number }[] }[];
  /** A line across. */
  level: number | null;
}

/** What changes without a new chart. */
export interface Pointer {
  /** Of the run that is shown in detail; null for none. */
  x: number | null;
  /** What the mouse is drawing out, to zoom into it. */
  dragged: readonly [number, number] | null;
}

export function overlayPlugin(overlay: Overlay, pointer: Pointer, colours: Colours): Plugin<'line'> {
  return {
    id: 'overlay',
    beforeDatasetsDraw(chart) {
      clipped(chart, (context) => {
        for (const { colour, points } of overlay.bands) drawBand(chart, context, colour, points);
        if (overlay.level !== null) acrossLine(chart, context, overlay.level, colours);
        context.strokeStyle = colours.quiet;
        context.setLineDash([1, 4]);
        for (const x of overlay.breaks) downLine(chart, context, x);
        context.setLineDash([4, 4]);
        for (const { x } of overlay.flags) downLine(chart, context, x);
        context.setLineDash([]);
        for (const { colour, points } of overlay.levels) drawLevels(chart, context, colour, points);
        for (const { colour, points } of overlay.bars) drawBars(chart, context, colour, points);
      });
      drawFlagTexts(chart, overlay.flags, colours);
    },
    afterDatasetsDraw(chart) {
      clipped(chart, (context) => {
        if (pointer.x !== null) {
          context.strokeStyle = colours.text;
          downLine(chart, context, pointer.x);
        }
        if (pointer.dragged === null) return;
        const [from, to] = pointer.dragged.map((x) => chart.scales.x!.getPixelForValue(x)) as [number, number];
        context.fillStyle = colours.lines[0]!;
        context.globalAlpha = 0.15;
        context.fillRect(from, chart.chartArea.top, to - from, chart.chartArea.bottom - chart.chartArea.top);
      });
    },
  };
}

type LineChart = Chart<'line'>;
type Context = LineChart['ctx'];

function clipped(chart: LineChart, draw: (context: Context) => void): void {
  const { ctx, chartArea } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(chartArea.left, chartArea.top, chartArea.right - chartArea.left, chartArea.bottom - chartArea.top);
  ctx.clip();
  ctx.lineWidth = 1;
  draw(ctx);
  ctx.restore();
}

function downLine({ scales, chartArea }: LineChart, context: Context, x: number): void {
  // On the middle of a pixel, so that it is one pixel wide.
  const at = Math.round(scales.x!.getPixelForValue(x)) + 0.5;
  context.beginPath();
  context.moveTo(at, chartArea.top);
  context.lineTo(at, chartArea.bottom);
  context.stroke();
}

function acrossLine({ scales, chartArea }: LineChart, context: Context, y: number, { quiet }: Colours): void {
  const at = Math.round(scales.y!.getPixelForValue(y)) + 0.5;
  context.strokeStyle = quiet;
  context.beginPath();
  context.moveTo(chartArea.left, at);
  context.lineTo(chartArea.right, at);
  context.stroke();
}

/** Its points come in stretches, with NaN between them. */
function drawBand(
  { scales }: LineChart,
  context: Context,
  colour: string,
  points: Overlay['bands'][number]['points'],
): void {
  const [across, down] = [scales.x!, scales.y!];
  let stretch: Overlay['bands'][number]['points'][number][] = [];
  const close = () => {
    if (stretch.length > 1) {
      context.beginPath();
      for (const { x, high } of stretch) context.lineTo(across.getPixelForValue(x), down.getPixelForValue(high));
      for (const { x, low } of stretch.toReversed())
        context.lineTo(across.getPixelForValue(x), down.getPixelForValue(low));
      context.fillStyle = colour;
      context.globalAlpha = 0.12;
      context.fill();
      context.beginPath();
      for (const { x, middle } of stretch) context.lineTo(across.getPixelForValue(x), down.getPixelForValue(middle));
      context.strokeStyle = colour;
      context.globalAlpha = 0.45;
      context.stroke();
      context.globalAlpha = 1;
    }
    stretch = [];
  };
  for (const point of points) {
    if (Number.isNaN(point.middle)) close();
    else stretch.push(point);
  }
  close();
}

function drawLevels(
  { scales }: LineChart,
  context: Context,
  colour: string,
  points: Overlay['levels'][number]['points'],
): void {
  context.beginPath();
  for (const { from, to, figure } of points) {
    const y = scales.y!.getPixelForValue(figure);
    context.moveTo(scales.x!.getPixelForValue(from), y);
    context.lineTo(scales.x!.getPixelForValue(to), y);
  }
  context.strokeStyle = colour;
  context.globalAlpha = 0.45;
  context.lineWidth = 5;
  context.stroke();
  context.globalAlpha = 1;
  context.lineWidth = 1;
}

function drawBars(
  { scales }: LineChart,
  context: Context,
  colour: string,
  points: Overlay['bars'][number]['points'],
): void {
  context.beginPath();
  for (const { x, low, high } of points) {
    const at = scales.x!.getPixelForValue(x);
    context.moveTo(at, scales.y!.getPixelForValue(low));
    context.lineTo(at, scales.y!.getPixelForValue(high));
  }
  context.strokeStyle = colour;
  context.globalAlpha = 0.5;
  context.lineWidth = points.length > 200 ? 1 : 2;
  context.stroke();
  context.globalAlpha = 1;
}

/** Above the chart, as many as have room beside each other; the list below the chart has them all. */
function drawFlagTexts(chart: LineChart, flags: Overlay['flags'], { quiet }: Colours): void {
  const { ctx, scales, chartArea } = chart;
  ctx.save();
  ctx.font = '11px system-ui, sans-serif';
  ctx.fillStyle = quiet;
  ctx.textBaseline = 'bottom';
  ctx.textAlign = 'center';
  let free = chartArea.left - 20;
  for (const { x, text } of flags) {
    const at = scales.x!.getPixelForValue(x);
    if (at < chartArea.left - 1 || at > chartArea.right + 1) continue;
    const label = shortened(text, 14);
    const half = ctx.measureText(label).width / 2;
    const middle = Math.min(Math.max(at, half + 2), chart.width - half - 2);
    if (middle - half < free) continue;
    ctx.fillText(label, middle, chartArea.top - 4);
    free = middle + half + 8;
  }
  ctx.restore();
}
