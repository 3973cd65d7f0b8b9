import { absent, change } from '../../format/figures.ts';
import type { MetricDefinition } from '../../metrics/definition.ts';
import { metricNamed, metrics } from '../../metrics/registry.ts';
import type { Counterpart } from '../analysis/counterparts.ts';
import { type Block, type Column, left, type Row, right } from '../document.ts';
import { entryFigure } from '../metric-figure.ts';
import { counterpartTables } from '../sections/counterpart-tables.ts';
import { metricOf, type Test, viewOf } from '../view.ts';
import { endpointTitle, entryTitle, shortTest } from '../wording.ts';
import { type LabelledRun, notComparable } from './runs.ts';

/** One run against another, case by case: direct and pooled, before and after. Empty where they have no case in common. */
export function acrossBlocks(one: LabelledRun, other: LabelledRun): Block[] {
  const reasons = notComparable(one, other);
  if (reasons.length > 0) {
    const text = `${reasons.join(' ')} Their figures are not comparable; only the counts of each request are.`;
    return [{ kind: 'warning', text }, ...countTable(one, other)];
  }
  const found = counterparts(one, other);
  const shown = SHOWN.filter((metric) =>
    found.some(({ services }) => services.some(({ entry, counter }) => bothOf(metric, entry, counter) !== null)),
  );
  const tables = counterpartTables(found, {
    label: `${one.label} and ${other.label}`,
    title: titleOf(one, other),
    columns: shown.flatMap((metric): Column[] => [
      right(`${titleIn(metric)}, ${one.label}`),
      right(`${titleIn(metric)}, ${other.label}`),
      right('Change'),
    ]),
    cells: ({ entry, counter }) =>
      shown.flatMap((metric) => {
        const both = bothOf(metric, entry, counter);
        const changed = both === null || both[0] === 0 ? absent : change(both[1] / both[0] - 1);
        return [entryFigure(entry, metric), entryFigure(counter, metric), changed];
      }),
  });
  if (tables.length === 0) return [];
  const text =
    `${one.label} and ${other.label} were measured at different times on machines of the same kind: a small change may be ` +
    "the machine's own. `wrkbench run --baseline` measures two versions side by side.";
  const [said, code, rest] = text.split('`');
  return [{ kind: 'paragraph', text: [said!, { code: code! }, rest!] }, ...tables];
}

const SHOWN = ['throughput', 'latency-p50', 'latency-p99', 'cpu-per-request'].flatMap(
  (name) => metricNamed(name) ?? [],
);

function titleIn({ name, columns, title }: MetricDefinition): string {
  return name === 'cpu-per-request' ? 'CPU per request' : (columns.results ?? title);
}

function bothOf(
  { name }: MetricDefinition,
  entry: Counterpart['services'][number]['entry'],
  counter: Counterpart['services'][number]['counter'],
): [number, number] | null {
  const [one, other] = [metricOf(entry.record, name), metricOf(counter.record, name)];
  return one === null || other === null ? null : [one, other];
}

function titleOf({ record: one }: LabelledRun, { record: other }: LabelledRun): (counterpart: Counterpart) => string {
  const named = new Set([...viewOf(one).generators, ...viewOf(other).generators]).size > 1;
  return ({ one: test }) => `${endpointTitle(test)}${named ? `, ${test.generator}` : ''}, ${shortTest(test)}`;
}

/** Tests that both runs have, with the services that are valid in both. */
function counterparts(one: LabelledRun, other: LabelledRun): Counterpart[] {
  const others = viewOf(other.record).tests;
  return viewOf(one.record).tests.flatMap((test): Counterpart[] => {
    const twin = others.find((each) => alike(test, each));
    if (twin === undefined) return [];
    const services = test.entries.flatMap((entry): Counterpart['services'] => {
      const counter = twin.entries.find(({ label }) => label === entry.label);
      if (counter === undefined || !entry.valid || !counter.valid) return [];
      const [own, its] = [metricOf(entry.record, 'throughput'), metricOf(counter.record, 'throughput')];
      return own === null || its === null ? [] : [{ entry, counter, one: own, other: its }];
    });
    return services.length === 0 ? [] : [{ one: test, other: twin, services }];
  });
}

function alike(one: Test, other: Test): boolean {
  const parts = ['endpoint', 'route', 'generator', 'keepAlive', 'connections', 'load'] as const;
  return parts.every((part) => one[part] === other[part]);
}

const COUNTED = metrics.filter(({ columns }) => columns.counts !== null);

/** Exact counts are the same on every machine. */
function countTable(one: LabelledRun, other: LabelledRun): Block[] {
  const rows = new Map<string, Row>();
  for (const { one: test, services } of counterparts(one, other)) {
    if (test.route === 'gateway') continue;
    for (const { entry, counter } of services) {
      const key = JSON.stringify([test.endpoint, entry.label]);
      const isCounted = COUNTED.some((metric) => bothOf(metric, entry, counter) !== null);
      if (rows.has(key) || !isCounted) continue;
      const cells = COUNTED.flatMap((metric) => [entryFigure(entry, metric), entryFigure(counter, metric)]);
      rows.set(key, {
        tone: 'plain',
        cells: [test.endpoint, entryTitle({ ...entry, warnings: [] }), ...cells],
      });
    }
  }
  if (rows.size === 0) return [];
  const columns = COUNTED.flatMap(({ columns: { counts } }) =>
    [one, other].map(({ label }) => right(`${counts}, ${label}`)),
  );
  const label = `Counts of ${one.label} and ${other.label}`;
  return [
    {
      kind: 'table',
      table: { label, columns: [left('Endpoint'), left('Service'), ...columns], rows: [...rows.values()] },
    },
  ];
}
