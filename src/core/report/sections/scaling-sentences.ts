import { counted, factor, grouped, share, size } from '../../format/figures.ts';
import { metricNamed } from '../../metrics/registry.ts';
import type { Counterpart } from '../analysis/counterparts.ts';
import { type Scaling, type ScalingRow, validFigure } from '../analysis/scaling.ts';
import { type Inline, joined } from '../document.ts';
import { entryFigure } from '../metric-figure.ts';
import type { Entry } from '../view.ts';
import { latencyFigure } from '../wording.ts';

/** A figure that differs by less is said to stay what it is: two trials of one case differ by as much. */
const SAME_WITHIN = 0.05;

/**
 * What the step from the fewest to the most connections does to each service, in a sentence each:
 *
 *     From 100 to 1,000 connections go keeps 96% of its throughput; its p99 grows from 3.10 ms to 31.00 ms (10.0x).
 */
export function scalingSentences({ connections, rows }: Scaling): Inline[] {
  const [fewest, most] = [connections[0]!, connections.at(-1)!];
  return rows.flatMap((row): Inline[] => {
    const said = clauses(row);
    if (said.length === 0) return [];
    const step = `From ${grouped(fewest)} to ${counted(most, 'connection')} `;
    return [[step, { strong: row.label }, ' ', ...joined(said, '; '), '.']];
  });
}

function clauses({ entries }: ScalingRow): string[] {
  const [first = null, last] = [entries[0], entries.at(-1) ?? null];
  if (!first?.valid || !last?.valid) return [];
  const both = (metric: string): [number, number] | null => {
    const [one, other] = [validFigure(first, metric), validFigure(last, metric)];
    return one === null || other === null || one <= 0 ? null : [one, other];
  };
  const throughput = both('throughput');
  if (throughput === null) return [];
  const latency = (value: number) => latencyFigure(last.record.generator, value);
  return [
    kept(throughput[1] / throughput[0]),
    ...changed('its p99', both('latency-p99'), latency),
    ...changed('its memory', both('memory-peak'), size),
  ];
}

function kept(ratio: number): string {
  if (ratio >= 2) return `answers ${factor(ratio)} as many requests`;
  if (ratio > 1 + SAME_WITHIN) return `answers ${share(ratio - 1)} more requests`;
  if (ratio >= 1) return 'keeps its throughput';
  return ratio < 0.5 ? `falls to ${share(ratio)} of its throughput` : `keeps ${share(ratio)} of its throughput`;
}

function changed(what: string, both: [number, number] | null, figure: (value: number) => string): string[] {
  if (both === null) return [];
  const [from, to] = both;
  const ratio = to / from;
  if (Math.abs(ratio - 1) <= SAME_WITHIN) return [`${what} stays at ${figure(to)}`];
  const times = ratio >= 2 ? ` (${factor(ratio)})` : '';
  return [`${what} ${ratio > 1 ? 'grows' : 'falls'} from ${figure(from)} to ${figure(to)}${times}`];
}

/**
 * What keep-alive is worth to each service, over all numbers of connections of an endpoint, in a sentence each:
 *
 *     With keep-alive go answers 13.1x as many requests at 100 connections and 4.5x at 1,000 connections.
 */
export function keepAliveSentences(counterparts: readonly Counterpart[]): Inline[] {
  const found = counterparts.flatMap(({ one, services }) =>
    services.flatMap((service) => (service.other > 0 ? [{ connections: one.connections, ...service }] : [])),
  );
  const labels = [...new Set(found.map(({ entry }) => entry.label))];
  return labels.map((label): Inline => {
    const own = found.filter(({ entry }) => entry.label === label);
    const steps = own.map(({ connections, one, other }, at) => {
      const ratio = one / other;
      const times = ratio < 1 ? share(ratio) : factor(ratio);
      return `${times}${at === 0 ? ' as many requests' : ''} at ${counted(connections, 'connection')}`;
    });
    return ['With keep-alive ', { strong: label }, ` answers ${inWords(steps)}`, cost(own[0]!), '.'];
  });
}

function cost({ entry, counter, connections }: { entry: Entry; counter: Entry; connections: number }): string {
  const cpu = metricNamed('cpu-per-request')!;
  const [on, off] = [validFigure(entry, cpu.name), validFigure(counter, cpu.name)];
  if (on === null || off === null || off <= 0 || Math.abs(on / off - 1) <= SAME_WITHIN) return '';
  return `; a request costs ${entryFigure(entry, cpu)} of CPU time instead of ${entryFigure(counter, cpu)} (${counted(connections, 'connection')})`;
}

function inWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
