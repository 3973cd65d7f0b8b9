import type { Counterpart } from '../analysis/counterparts.ts';
import { type Block, type Column, left, type Row } from '../document.ts';
import { toneOf } from '../panels.ts';
import { entryTitle } from '../wording.ts';

type Service = Counterpart['services'][number];

/** What a table of counterparts says: its columns after the first, and their cells. */
export interface CounterpartTable {
  label: string;
  title(counterpart: Counterpart): string;
  columns: Column[];
  cells(service: Service): string[];
}

/** A table for each counterpart, with a row a service; one for all where each has but one service. */
export function counterpartTables(counterparts: Counterpart[], says: CounterpartTable): Block[] {
  const services = new Set(counterparts.flatMap(({ services: each }) => each.map(({ entry }) => entry.label)));
  if (counterparts.length > 1 && services.size === 1) {
    const rows = counterparts.map((counterpart) => rowOf(counterpart.services[0]!, says.title(counterpart), says));
    return [{ kind: 'table', table: { label: says.label, columns: [left('Case'), ...says.columns], rows } }];
  }
  return counterparts.flatMap((counterpart): Block[] => {
    const title = says.title(counterpart);
    const rows = counterpart.services.map((service) => rowOf(service, entryTitle(service.entry), says));
    const columns = [left('Service'), ...says.columns];
    return [
      { kind: 'caption', text: `${title}:` },
      { kind: 'table', table: { label: `${says.label}: ${title}`, columns, rows } },
    ];
  });
}

function rowOf(service: Service, name: string, says: CounterpartTable): Row {
  return { tone: toneOf(service.entry, false), cells: [name, ...says.cells(service)] };
}
