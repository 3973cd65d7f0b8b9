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

/** A table for each counterpart, with a row per service; one for each generator where there is but one service. */
export function counterpartTables(counterparts: Counterpart[], says: CounterpartTable): Block[] {
  const services = new Set(counterparts.flatMap(({ services: each }) => each.map(({ entry }) => entry.label)));
  if (services.size > 1) return counterparts.flatMap((counterpart) => serviceTable(counterpart, says));
  const generators = [...new Set(counterparts.map(({ one }) => one.generator))];
  return generators.map((generator): Block => {
    const own = counterparts.filter(({ one }) => one.generator === generator);
    const rows = own.map((counterpart) => rowOf(counterpart.services[0]!, says.title(counterpart), says));
    const label = `${says.label}, ${generator}`;
    return { kind: 'table', table: { label, columns: [left('Case'), ...says.columns], rows } };
  });
}

function serviceTable(counterpart: Counterpart, says: CounterpartTable): Block[] {
  const title = says.title(counterpart);
  const rows = counterpart.services.map((service) => rowOf(service, entryTitle(service.entry), says));
  const columns = [left('Service'), ...says.columns];
  return [
    { kind: 'caption', text: `${title}:` },
    { kind: 'table', table: { label: `${says.label}: ${title}`, columns, rows } },
  ];
}

function rowOf(service: Service, name: string, says: CounterpartTable): Row {
  return { tone: toneOf(service.entry, false), cells: [name, ...says.cells(service)] };
}
