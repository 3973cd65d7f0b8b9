import { absent, grouped, size, tenths } from '../../format/figures.ts';
import { generators } from '../../generators/registry.ts';
import { type Block, left, type Row, right, type Section, type Table, withoutEmptyColumns } from '../document.ts';
import { type Panel, panels, toneOf } from '../panels.ts';
import { type Entry, metricOf, type ReportView } from '../view.ts';
import { latencyFigure } from '../wording.ts';

/** What the generators printed beside the metrics: deviation, further percentiles, transfer rate, and the phases of a request. */
export function latencyDetail(view: ReportView): Section | null {
  const tables = panels(view).flatMap((panel): Block[] => {
    const found = [detailTable(panel), phaseTable(panel)].filter((table) => table !== null);
    if (found.length === 0) return [];
    const blocks = found.map((table): Block => ({ kind: 'table', table }));
    return [{ kind: 'caption', text: `${panel.title}:` }, ...blocks];
  });
  if (tables.length === 0) return null;
  const hasPhases = view.cases.some(({ reported }) => reported?.phasesMs !== undefined);
  const named = hasPhases ? 'Deviation, transfer rate and phases' : 'Deviation and transfer rate';
  const text =
    'As the generator of each case printed them.' +
    (hasPhases
      ? " Phases of a request are as it divides them: ab's processing is from the open connection to the end of the answer, and its waiting the part up to the first byte; k6's waiting is from the sent request to the first byte."
      : '');
  const blocks: Block[] = [
    { kind: 'paragraph', text },
    { kind: 'details', summary: named, blocks: tables },
  ];
  return { id: 'latency-detail', title: 'Latency in detail', blocks };
}

const PERCENTILE = /^p(\d{1,2}(?:\.\d{1,6})?)$/;

function detailTable({ title, corner, rows }: Panel): Table | null {
  const shown = rows.filter(
    ({ entry: { record } }) =>
      record.reported?.latencyMs !== undefined || record.reported?.bytesPerSecond !== undefined,
  );
  const names = new Set(shown.flatMap(({ entry }) => Object.keys(entry.record.reported?.latencyMs ?? {})));
  const percentiles = [...names]
    .filter((name) => PERCENTILE.test(name))
    .sort((one, other) => Number(one.slice(1)) - Number(other.slice(1)));
  const columns = ['min', 'stdev', ...percentiles];
  const table = withoutEmptyColumns(
    {
      label: `Latency in detail: ${title}`,
      columns: [left(corner), ...columns.map((name) => right(TITLES[name] ?? name)), right('Transfer rate')],
      rows: shown.map(({ title: name, entry }): Row => {
        const { bytesPerSecond } = entry.record.reported!;
        return {
          tone: toneOf(entry, false),
          cells: [
            name,
            ...columns.map((column) => figureOf(entry, entry.record.reported?.latencyMs, column)),
            bytesPerSecond === undefined ? absent : `${size(bytesPerSecond)}/s`,
          ],
        };
      }),
    },
    absent,
  );
  return table.rows.length === 0 || table.columns.length === 1 ? null : table;
}

const TITLES: Readonly<Record<string, string>> = {
  min: 'Min',
  mean: 'Mean',
  stdev: 'Std. deviation',
  p50: 'Median',
  max: 'Max',
};
/** Of ab, k6 and h2load. */
const PHASES = ['connect', 'sending', 'processing', 'first byte', 'waiting', 'receiving'];
const OF_A_PHASE = ['min', 'mean', 'stdev', 'p50', 'max'];

function phaseTable({ title, corner, rows }: Panel): Table | null {
  const found = rows.flatMap(({ title: name, entry }): Row[] => {
    const phases = entry.record.reported?.phasesMs;
    if (phases === undefined) return [];
    const cellsOf = (phase: string, figures: Figures): Row => ({
      tone: toneOf(entry, false),
      cells: [name, phase, ...OF_A_PHASE.map((column) => figureOf(entry, figures, column))],
    });
    return [
      ...PHASES.flatMap((phase) => (Object.hasOwn(phases, phase) ? [cellsOf(phase, phases[phase]!)] : [])),
      cellsOf('total', totalOf(entry)),
    ];
  });
  if (found.length === 0) return null;
  const columns = [left(corner), left('Phase'), ...OF_A_PHASE.map((column) => right(TITLES[column]!))];
  return withoutEmptyColumns({ label: `Phases of a request: ${title}`, columns, rows: found }, absent);
}

type Figures = Readonly<Record<string, number>> | undefined;

/** Some of a request's own latencies are metrics. */
function totalOf({ record }: Entry): Record<string, number> {
  const metrics = ['mean', 'p50', 'max'].flatMap((name): [string, number][] => {
    const value = metricOf(record, `latency-${name}`);
    return value === null ? [] : [[name, value]];
  });
  return { ...record.reported?.latencyMs, ...Object.fromEntries(metrics) };
}

function figureOf({ record }: Entry, figures: Figures, name: string): string {
  if (figures === undefined || !Object.hasOwn(figures, name)) return absent;
  const value = figures[name]!;
  if (!generators[record.generator].wholeMilliseconds) return latencyFigure(record.generator, value);
  // As it prints them: a 0 is what is shorter than half a millisecond, and deviations have one decimal.
  return name === 'stdev' ? tenths(value) : `${grouped(value)} ms`;
}
