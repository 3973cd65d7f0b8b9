import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  type ChartDataset,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  type Plugin,
  PointElement,
  Tooltip,
} from 'chart.js';
import { shortened, wrapped } from '../core/format/text.ts';
import type { PageFigures, PageRow } from '../core/report/html/page-data.ts';
import type { Tone } from '../core/report/pictures.ts';
import type { ChartKind } from './chart-kinds.ts';
import type { Palette } from './palette.ts';

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  Tooltip,
);

type Data = (number | [number, number] | null)[];
type Configuration = ChartConfiguration<'bar' | 'line', Data, string[]>;
type Dataset = ChartDataset<'bar' | 'line', Data>;

/** Each percentile has a shape of its own beside its colour. */
const shapes = ['circle', 'triangle', 'rectRot', 'rect'] as const;

/** What is drawn in a line of its own: a case, or the baseline of the case above it. */
interface Line {
  label: string;
  isBaseline: boolean;
  tone: Tone;
  figures: PageFigures;
}

function linesOf(rows: PageRow[]): Line[] {
  return rows.flatMap(({ label, tone, baseline, ...figures }): Line[] => {
    const own: Line = { label, isBaseline: false, tone, figures };
    if (baseline === null) return [own];
    return [own, { label: `${label}, baseline`, isBaseline: true, tone: 'reference', figures: baseline }];
  });
}

/** Only the series that have a figure; null where none has. */
export function chartOf(kind: ChartKind, rows: PageRow[], colours: Palette, width: number): Configuration | null {
  const lines = linesOf(rows);
  const series = kind.series
    .map(({ name, of }, place) => ({ name, place, values: lines.map(({ figures }) => of(figures)) }))
    .filter(({ values }) => values.some((value) => value !== null && value > 0));
  if (series.length === 0) return null;
  const datasets = series.map(({ name, place, values }): Dataset => {
    const colour = colours.series[place % colours.series.length]!;
    if (kind.form === 'dots') {
      return {
        type: 'line',
        label: name,
        // A logarithmic axis has no place for 0.
        data: values.map((value) => (value !== null && value > 0 ? value : null)),
        showLine: false,
        pointStyle: shapes[place % shapes.length]!,
        pointRadius: 5,
        pointHoverRadius: 7,
        // Hollow where it is the baseline's.
        backgroundColor: lines.map(({ isBaseline }) => (isBaseline ? 'transparent' : colour)),
        borderColor: colour,
        borderWidth: 2,
      };
    }
    const fill = lines.map((line) => {
      if (series.length === 1) return toneColour(line, colours);
      return line.isBaseline ? `${colour}80` : colour;
    });
    return { type: 'bar', label: name, data: values, backgroundColor: fill, maxBarThickness: 22, borderRadius: 3 };
  });
  return {
    type: 'bar',
    data: {
      labels: lines.map(labelOf(width)),
      datasets: kind.form === 'dots' ? [...datasets, rangeOf(series, colours)] : datasets,
    },
    options: options(kind, lines, series.length, colours),
    plugins: series.length === 1 ? [figuresBeside(kind, colours)] : [],
  };
}

/** In words, for those who cannot see it. */
export function description(kind: ChartKind, rows: PageRow[]): string {
  const said = linesOf(rows).map((line) => {
    const figures = kind.series.flatMap(({ name, of }) => {
      const value = of(line.figures);
      return value === null ? [] : [`${kind.series.length === 1 ? '' : `${name} `}${kind.figure(value)}`];
    });
    return `${line.label}: ${figures.join(', ') || 'not measured'}`;
  });
  return `${kind.title}, ${kind.note}. ${said.join('; ')}.`;
}

/** Pixels that the rows need. */
export function heightOf(kind: ChartKind, rows: PageRow[]): number {
  const lines = linesOf(rows);
  const isPaired = lines.length > rows.length;
  const perLine = kind.form === 'bars' && kind.series.length > 1 ? (isPaired ? 44 : 54) : isPaired ? 26 : 34;
  return lines.length * perLine + (kind.series.length > 1 ? 90 : 50);
}

/** On a narrow screen a long name goes on in a second line. */
function labelOf(width: number): (line: Line) => string[] {
  const longest = width < 640 ? 16 : 30;
  return ({ label, tone, isBaseline }) => {
    if (isBaseline) return ['baseline'];
    const [first = '', second, third] = wrapped(tone === 'invalid' ? `✗ ${label}` : label, longest);
    if (second === undefined) return [first];
    return [first, third === undefined ? second : shortened(`${second} ${third}`, longest)];
  };
}

function toneColour({ tone }: Line, colours: Palette): string {
  if (tone === 'invalid') return `${colours.invalid}66`;
  return tone === 'reference' ? colours.reference : colours.accent;
}

/** A thin line from the lowest percentile to the highest. */
function rangeOf(series: { values: (number | null)[] }[], colours: Palette): Dataset {
  const data = series[0]!.values.map((_, row): [number, number] | null => {
    const values = series.map(({ values: each }) => each[row]).filter((value): value is number => (value ?? 0) > 0);
    return values.length < 2 ? null : [Math.min(...values), Math.max(...values)];
  });
  return { type: 'bar', label: '', data, backgroundColor: colours.quiet, barThickness: 2 };
}

function options(kind: ChartKind, lines: Line[], series: number, colours: Palette): Configuration['options'] {
  const ticks = { color: colours.quiet };
  const most = Math.max(...lines.flatMap(({ figures }) => kind.series.map(({ of }) => of(figures) ?? 0)));
  return {
    indexAxis: 'y',
    responsive: true,
    maintainAspectRatio: false,
    animation: false,
    layout: { padding: { right: series === 1 ? 64 : 8 } },
    scales: {
      x: {
        type: kind.form === 'dots' ? 'logarithmic' : 'linear',
        stacked: kind.form === 'stack',
        ...(kind.form === 'dots' ? { grace: '5%' } : { beginAtZero: true }),
        grid: { color: colours.grid },
        ticks: { ...ticks, maxTicksLimit: 6, maxRotation: 0, callback: (value) => tick(kind, Number(value), most) },
      },
      y: {
        stacked: kind.form === 'stack',
        grid: { display: false },
        ticks: { color: colours.text, autoSkip: false, crossAlign: 'far' },
      },
    },
    plugins: {
      legend: {
        display: series > 1,
        position: 'bottom',
        labels: { color: colours.text, usePointStyle: true, boxHeight: 7, filter: ({ text }) => text !== '' },
      },
      tooltip: {
        filter: ({ dataset }) => dataset.label !== '',
        callbacks: {
          title: (items) => lines[items[0]?.dataIndex ?? -1]?.label ?? '',
          label: ({ dataset, raw }) => `${dataset.label}: ${kind.figure(Number(raw))}`,
        },
      },
    },
  };
}

/** A logarithmic axis offers a tick for each digit: those at 1, and at 3 for what lies between, are enough. */
function tick(kind: ChartKind, value: number, most: number): string | null {
  if (kind.form !== 'dots') return kind.tick(value, most);
  const digit = Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
  return digit === 1 || digit === 3 ? kind.tick(value, most) : null;
}

/** The figure at the end of each bar, so that nobody has to hover. */
function figuresBeside(kind: ChartKind, colours: Palette): Plugin<'bar' | 'line'> {
  return {
    id: 'figures',
    afterDatasetsDraw(chart) {
      const { ctx, data } = chart;
      ctx.save();
      ctx.fillStyle = colours.text;
      ctx.font = '12px system-ui, sans-serif';
      ctx.textBaseline = 'middle';
      chart.getDatasetMeta(0).data.forEach((bar, index) => {
        const value = data.datasets[0]?.data[index];
        if (typeof value === 'number') ctx.fillText(kind.figure(value), bar.x + 6, bar.y);
      });
      ctx.restore();
    },
  };
}
