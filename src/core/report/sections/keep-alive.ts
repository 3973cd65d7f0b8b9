import { change, counted, factor, throughput } from '../../format/figures.ts';
import { type Counterpart, keepAliveCounterparts } from '../analysis/counterparts.ts';
import { right, type Section } from '../document.ts';
import type { ReportView } from '../view.ts';
import { endpointTitle } from '../wording.ts';
import { counterpartTables } from './counterpart-tables.ts';

const columns = [right('Keep-alive on'), right('Keep-alive off'), right('Drop factor')];

/** What a connection for every request costs each service. */
export function keepAlive(view: ReportView): Section | null {
  const named = view.generators.length > 1;
  const counterparts = keepAliveCounterparts(view.tests.filter(({ openModel }) => !openModel));
  const blocks = counterpartTables(counterparts, {
    label: 'Keep-alive impact',
    title: (counterpart) => titleOf(counterpart, named),
    columns,
    cells: ({ one, other }) => [throughput(one), throughput(other), dropFactor(one, other)],
  });
  if (blocks.length === 0) return null;
  const text =
    'Throughput with keep-alive on as a multiple of that with a connection for each request. A service that answers ' +
    'more without keep-alive shows by how much.';
  return { id: 'keep-alive', title: 'Keep-alive impact', blocks: [{ kind: 'paragraph', text }, ...blocks] };
}

function titleOf({ one }: Counterpart, named: boolean): string {
  const route = one.route === 'gateway' ? ', through the gateway' : '';
  return `${endpointTitle(one)}${named ? `, ${one.generator}` : ''}${route}, ${counted(one.connections, 'connection')}`;
}

/** `6.8x` where it drops, `+133%` where it rises. */
export function dropFactor(on: number, off: number): string {
  if (off > on && on > 0) return change(off / on - 1);
  return factor(on / off);
}
