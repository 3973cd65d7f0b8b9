import { type Entry, metricOf, type ReportView, type Test } from '../view.ts';

/** A metric of all cases of one generator: a row for each endpoint and service, a column for each load. */
export interface HeatMap {
  generator: Test['generator'];
  loads: Test[];
  rows: { endpoint: string; service: string; cells: (HeatCell | null)[] }[];
  /** Lowest and highest valid figure; null without any. */
  extent: [number, number] | null;
  logarithmic: boolean;
}

export interface HeatCell {
  entry: Entry;
  value: number;
  /** From 1 to 7; null where the figure means nothing. */
  step: Step | null;
}

type Step = 1 | 2 | 3 | 4 | 5 | 6 | 7;

const STEPS = 7;
/** Where one figure is more than this many times another, equal differences would put all others into one step. */
const LOGARITHMIC_FROM = 8;

/** One for each generator: what they call latency is not the same, and so is nothing that stands on it. */
export function heatMaps({ tests, generators }: ReportView, metric: string): HeatMap[] {
  return generators.flatMap((generator): HeatMap[] => {
    const own = tests.filter((test) => test.generator === generator);
    const map = heatMap(own, metric, generator);
    return map.rows.length === 0 ? [] : [map];
  });
}

function heatMap(tests: Test[], metric: string, generator: Test['generator']): HeatMap {
  const loadOf = ({ route, keepAlive, connections, load }: Test) =>
    JSON.stringify([route, keepAlive, connections, load]);
  const loads = [...new Map(tests.map((test) => [loadOf(test), test])).values()];
  const values = tests.flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.valid ? (metricOf(entry.record, metric) ?? []) : [])),
  );
  const extent: HeatMap['extent'] = values.length === 0 ? null : [Math.min(...values), Math.max(...values)];
  const logarithmic = extent !== null && extent[0] > 0 && extent[1] / extent[0] > LOGARITHMIC_FROM;
  const rows = new Map<string, HeatMap['rows'][number]>();
  for (const test of tests) {
    const column = loads.findIndex((load) => loadOf(load) === loadOf(test));
    for (const entry of test.entries) {
      const value = metricOf(entry.record, metric);
      if (value === null) continue;
      const key = JSON.stringify([test.endpoint, entry.label]);
      const row = rows.get(key) ?? { endpoint: test.endpoint, service: entry.label, cells: loads.map(() => null) };
      row.cells[column] = { entry, value, step: entry.valid ? stepOf(value, extent!, logarithmic) : null };
      rows.set(key, row);
    }
  }
  const endpoints = [...new Set(tests.map(({ endpoint }) => endpoint))];
  const sorted = endpoints.flatMap((endpoint) => [...rows.values()].filter((row) => row.endpoint === endpoint));
  return { generator, loads, rows: sorted, extent, logarithmic };
}

function stepOf(value: number, [low, high]: [number, number], logarithmic: boolean): Step {
  if (high <= low) return 4;
  const part = logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return (Math.min(STEPS - 1, Math.floor(part * STEPS)) + 1) as Step;
}
