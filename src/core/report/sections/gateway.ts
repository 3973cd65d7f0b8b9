import { absent, change, throughput } from '../../format/figures.ts';
import { gatewayCounterparts } from '../analysis/counterparts.ts';
import { right, type Section } from '../document.ts';
import { type Entry, metricOf, type ReportView } from '../view.ts';
import { endpointTitle, latencyFigure, shortTest } from '../wording.ts';
import { counterpartTables } from './counterpart-tables.ts';

const columns = ['RPS direct', 'RPS gateway', 'Change', 'p50 direct', 'p50 gateway', 'p99 direct', 'p99 gateway'];

/** What the gateway in front of a service costs. */
export function gateway(view: ReportView): Section | null {
  const named = view.generators.length > 1;
  const blocks = counterpartTables(gatewayCounterparts(view.tests), {
    label: 'Direct and through the gateway',
    title: ({ one }) => `${endpointTitle(one)}${named ? `, ${one.generator}` : ''}, ${shortTest(one)}`,
    columns: columns.map(right),
    cells: ({ entry, counter, one: direct, other: through }) => [
      throughput(direct),
      throughput(through),
      direct > 0 ? change(through / direct - 1) : absent,
      ...['p50', 'p99'].flatMap((part) => [latencyOf(entry, part), latencyOf(counter, part)]),
    ],
  });
  if (blocks.length === 0) return null;
  const text = 'The same requests to the service itself and through the gateway in front of it.';
  return { id: 'gateway', title: 'Gateway against direct', blocks: [{ kind: 'paragraph', text }, ...blocks] };
}

function latencyOf({ record }: Entry, part: string): string {
  const value = metricOf(record, `latency-${part}`);
  return value === null ? absent : latencyFigure(record.generator, value);
}
