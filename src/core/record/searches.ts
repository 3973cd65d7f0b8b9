import { capacityOf } from '../capacity/result.ts';
import { searchesOf } from '../capacity/search-case.ts';
import { entriesOf } from '../capacity/search-entries.ts';
import type { JournalEntry, JournalHeader } from './journal.ts';
import type { RunRecord } from './run-record.ts';

/** The searches that a journal holds a try of, or the reason why there is none. */
export function searchRecords(
  entries: readonly JournalEntry[],
  { spec, selection }: Pick<JournalHeader, 'spec' | 'selection'>,
): { searches?: NonNullable<RunRecord['searches']> } {
  const found = searchesOf(spec, selection.only).flatMap((each) => {
    const { probes, lost } = entriesOf(each, entries);
    if (probes.length === 0 && lost === null) return [];
    const { search, service, endpoint, levels } = each;
    const { find, generator, connections, limits } = search;
    return [
      {
        service: service.name,
        endpoint: endpoint.name,
        find,
        generator,
        connections: find === 'rate' ? connections : null,
        limits,
        ...capacityOf(levels, probes),
        lost,
        probes: probes.map(({ kind: _, service: __, endpoint: ___, ...probe }) => probe),
      },
    ];
  });
  return found.length === 0 ? {} : { searches: found };
}
