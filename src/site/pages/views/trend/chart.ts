import {
  Chart,
  type ChartConfiguration,
  type ChartDataset,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import type { Colours } from './colours.ts';
import { type Mark, markOf, markStyles } from './marks.ts';
import type { Line } from './model.ts';
import { type Overlay, overlayPlugin, type Pointer } from './overlays.ts';
import { linePoints, type Point, thinned } from './thinning.ts';

Chart.register(LinearScale, LineController, LineElement, PointElement, Tooltip);

type Dataset = ChartDataset<'line', Point[]>;
export type TrendChart = Chart<'line', Point[]>;

/** What is drawn over the runs of a range, whatever it is of. */
export interface Drawing {
  lines: readonly { line: Line; values: readonly number[]; sound: readonly number[] }[];
  cpus: readonly string[];
  overlay: Overlay;
  x(place: number): number;
  /** Of the axis below. */
  ends: readonly [number, number];
  ticks: readonly { value: number; label: string | string[] }[];
  figure(value: number): string;
  tick(value: number, step: number): string;
  fromZero: boolean;
  /** A line between the points, or the points alone. */
  isJoined: boolean;
  marks: readonly Mark[];
  /** Lowest and highest that is to be seen; a mark beyond stands at the edge. */
  heights: readonly [number, number];
  tooltip: { title(place: number): string; label(line: number, place: number): string };
}

/** `pointer` is looked at whenever the chart is drawn. */
export function drawnChart(
  canvas: HTMLCanvasElement,
  drawing: Drawing,
  pointer: Pointer,
  colours: Colours,
): TrendChart {
  const width = canvas.parentElement?.clientWidth ?? 800;
  const configuration: ChartConfiguration<'line', Point[]> = {
    type: 'line',
    data: { datasets: drawing.lines.flatMap((_, index) => datasetsOf(drawing, index, width, colours)) },
    options: optionsOf(drawing, colours),
    plugins: [overlayPlugin(drawing.overlay, pointer, colours)],
  };
  return new Chart(canvas, configuration);
}

/** Of one line: the line itself, and one for each kind of mark. */
function datasetsOf(drawing: Drawing, index: number, width: number, colours: Colours): Dataset[] {
  const { line, values, sound } = drawing.lines[index]!;
  const colour = colours.lines[index % colours.lines.length]!;
  const all = linePoints(sound, drawing.x, drawing.isJoined ? drawing.cpus : []);
  const points = thinned(all, width);
  const radius = all.length <= 60 ? 3 : all.length <= 250 ? 2 : drawing.isJoined ? 0 : 1.5;
  /** A figure between two gaps, which no line would show. */
  const isDot = ({ y }: Point, at: number) =>
    !Number.isNaN(y) && Number.isNaN(points[at - 1]?.y ?? Number.NaN) && Number.isNaN(points[at + 1]?.y ?? Number.NaN);
  const own: Dataset = {
    label: String(index),
    data: points,
    showLine: drawing.isJoined,
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: all.length > 1000 ? 1 : 1.75,
    // One for all where possible: Chart.js works out every option of every point anew where one of them has its own.
    pointRadius: radius === 0 && points.some(isDot) ? points.map((point, at) => (isDot(point, at) ? 1.5 : 0)) : radius,
    pointBorderWidth: 0,
    pointHoverRadius: 5,
    pointHoverBackgroundColor: colour,
    pointHoverBorderColor: colours.page,
  };
  const [lowest, highest] = drawing.heights;
  const marks = drawing.marks.flatMap((mark): Dataset[] => {
    const marked = values.flatMap((y, place) =>
      Number.isNaN(y) || markOf(line, place) !== mark
        ? []
        : [{ x: drawing.x(place), y: Math.min(highest, Math.max(lowest, y)), place }],
    );
    if (marked.length === 0) return [];
    const { shape, rotation, isHollow, colour: colourOf } = markStyles[mark];
    const own = colourOf(colours);
    return [
      {
        label: String(index),
        data: thinned(marked, width),
        showLine: false,
        pointStyle: shape,
        pointRotation: rotation,
        pointRadius: shape === 'triangle' ? 7 : 5,
        pointHoverRadius: 8,
        pointBorderColor: isHollow ? own : colours.page,
        pointHoverBorderColor: isHollow ? own : colours.page,
        pointBackgroundColor: isHollow ? 'transparent' : own,
        pointHoverBackgroundColor: isHollow ? 'transparent' : own,
        pointBorderWidth: isHollow ? 2 : 1,
        // Over every line.
        order: -1,
      },
    ];
  });
  return [own, ...marks];
}

function optionsOf(drawing: Drawing, colours: Colours): ChartConfiguration<'line', Point[]>['options'] {
  const [min, max] = drawing.ends;
  const [lowest, highest] = drawing.heights;
  return {
    responsive: true,
    maintainAspectRatio: false,
    animation: false,
    parsing: false,
    normalized: true,
    events: ['mousemove', 'mouseout', 'touchstart', 'touchmove'],
    interaction: { mode: 'nearest', axis: 'x', intersect: false },
    layout: { padding: { top: 18, right: 6 } },
    scales: {
      x: {
        type: 'linear',
        min,
        max,
        grid: { display: false },
        border: { color: colours.grid },
        ticks: {
          color: colours.quiet,
          maxRotation: 0,
          autoSkip: true,
          callback: (_, at, ticks) => drawing.ticks.find(({ value }) => value === ticks[at]?.value)?.label ?? '',
        },
        afterBuildTicks: (axis) => {
          axis.ticks = drawing.ticks.map(({ value }) => ({ value }));
        },
      },
      y: {
        type: 'linear',
        beginAtZero: drawing.fromZero,
        grace: '4%',
        grid: { color: colours.grid, drawTicks: false },
        border: { display: false },
        ticks: {
          color: colours.quiet,
          maxTicksLimit: 7,
          padding: 6,
          callback: (value, _, ticks) =>
            drawing.tick(Number(value), Math.abs((ticks[1]?.value ?? 0) - (ticks[0]?.value ?? 0))),
        },
        suggestedMin: lowest,
        // Room below would begin a step below zero.
        ...(lowest >= 0 && lowest < (highest - lowest) / 20 ? { min: 0 } : {}),
        suggestedMax: highest,
      },
    },
    plugins: {
      tooltip: {
        backgroundColor: colours.page,
        borderColor: colours.grid,
        borderWidth: 1,
        titleColor: colours.text,
        bodyColor: colours.text,
        displayColors: drawing.lines.length > 1,
        usePointStyle: true,
        boxHeight: 7,
        padding: 10,
        // A mark lies on a point of its line: told once.
        filter: ({ datasetIndex, chart, dataIndex }, __, ___, data) => {
          const { label } = data.datasets[datasetIndex]!;
          const first = chart
            .getActiveElements()
            .find(({ datasetIndex: other }) => data.datasets[other]!.label === label);
          return first === undefined || (first.datasetIndex === datasetIndex && first.index === dataIndex);
        },
        callbacks: {
          title: ([item]) => (item === undefined ? '' : drawing.tooltip.title((item.raw as Point).place)),
          label: ({ dataset, raw }) => drawing.tooltip.label(Number(dataset.label), (raw as Point).place),
          labelPointStyle: () => ({ pointStyle: 'circle', rotation: 0 }),
        },
      },
    },
  };
}

/** The run whose place is nearest to where the chart was pointed at; null where it shows none. */
export function placeAt(chart: TrendChart, event: MouseEvent): number | null {
  const [nearest] = chart.getElementsAtEventForMode(event, 'nearest', { axis: 'x', intersect: false }, false);
  if (nearest === undefined) return null;
  return chart.data.datasets[nearest.datasetIndex]?.data[nearest.index]?.place ?? null;
}

/** On the axis below, within the chart. */
export function axisValueAt(chart: TrendChart, event: MouseEvent): number {
  const { left, right } = chart.chartArea;
  const at = event.clientX - chart.canvas.getBoundingClientRect().left;
  return chart.scales.x!.getValueForPixel(Math.min(right, Math.max(left, at))) ?? 0;
}
