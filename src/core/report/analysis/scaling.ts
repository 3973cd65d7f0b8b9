import { type Entry, metricOf, type Test } from '../view.ts';
import { areOfSeveralMachines } from './machines.ts';

/** How services answer as connections grow, all else being the same. */
export interface Scaling {
  /** The one with the fewest connections. */
  test: Test;
  connections: number[];
  rows: ScalingRow[];
}

export interface ScalingRow {
  label: string;
  /** One for each number of connections; null where it was not measured. */
  entries: (Entry | null)[];
}

/**
 * Of the tests that differ from `test` in the connections alone, in its order of services; null where there are fewer than two, and
 * where they were measured on different CPU models.
 */
export function scalingOf(tests: readonly Test[], test: Test): Scaling | null {
  const own = tests.filter((each) => SAME.every((part) => each[part] === test[part]));
  if (own.length < 2 || areOfSeveralMachines(own)) return null;
  const labels = [...new Set([test, ...own].flatMap(({ entries }) => entries.map(({ label }) => label)))];
  return {
    test: own[0]!,
    connections: own.map(({ connections }) => connections),
    rows: labels.map((label) => ({
      label,
      entries: own.map(({ entries }) => entries.find((entry) => entry.label === label) ?? null),
    })),
  };
}

const SAME = ['endpoint', 'generator', 'route', 'keepAlive', 'load'] as const;

/**
 * All of closed loops: services in the order of the test with the most connections, of those alone that have a valid figure for
 * two numbers of connections at least.
 */
export function scalings(tests: readonly Test[]): Scaling[] {
  const closed = tests.filter(({ openModel }) => !openModel);
  const last = closed.filter(
    (test, at) => !closed.some((other, later) => later > at && SAME.every((part) => other[part] === test[part])),
  );
  return last.flatMap((test): Scaling[] => {
    const found = scalingOf(closed, test);
    if (found === null) return [];
    const rows = found.rows.filter(
      ({ entries }) => entries.filter((entry) => validFigure(entry, 'throughput') !== null).length > 1,
    );
    return rows.length === 0 ? [] : [{ ...found, rows }];
  });
}

/** Null where the entry has no figure that means something. */
export function validFigure(entry: Entry | null, metric: string): number | null {
  return entry?.valid ? metricOf(entry.record, metric) : null;
}
