import { change, counted, factor, throughput } from '../../format/figures.ts';
import { type Counterpart, keepAliveCounterparts } from '../analysis/counterparts.ts';
import { type Block, right, type Section } from '../document.ts';
import type { ReportView } from '../view.ts';
import { endpointTitle } from '../wording.ts';
import { counterpartTables } from './counterpart-tables.ts';
import { keepAliveSentences } from './scaling-sentences.ts';

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
  const sentences = inGroups(counterparts, named).flatMap(({ title, own }): Block[] => [
    { kind: 'caption', text: `${title}:` },
    { kind: 'list', items: keepAliveSentences(own) },
  ]);
  const text =
    'Throughput with keep-alive on as a multiple of that with a connection for each request. A service that answers ' +
    'more without keep-alive shows by how much.';
  return {
    id: 'keep-alive',
    title: 'Keep-alive impact',
    blocks: [{ kind: 'paragraph', text }, ...blocks, ...sentences],
  };
}

/** Of one endpoint, generator and route, whatever the connections. */
function inGroups(counterparts: Counterpart[], named: boolean): { title: string; own: Counterpart[] }[] {
  const groups = new Map<string, Counterpart[]>();
  for (const each of counterparts) {
    const title = withoutConnections(each, named);
    groups.set(title, [...(groups.get(title) ?? []), each]);
  }
  return [...groups].map(([title, own]) => ({ title, own }));
}

function titleOf(counterpart: Counterpart, named: boolean): string {
  return `${withoutConnections(counterpart, named)}, ${counted(counterpart.one.connections, 'connection')}`;
}

function withoutConnections({ one }: Counterpart, named: boolean): string {
  const route = one.route === 'gateway' ? ', through the gateway' : '';
  return `${endpointTitle(one)}${named ? `, ${one.generator}` : ''}${route}`;
}

/** `6.8x` where it drops, `+133%` where it rises. */
export function dropFactor(on: number, off: number): string {
  if (off > on && on > 0) return change(off / on - 1);
  return factor(on / off);
}
