import { describe, expect, it } from 'vitest';
import { wantedSearches } from '../../../src/app/run/run-searches.ts';
import type { CapacitySearch } from '../../../src/core/config/resolved.ts';
import type { JournalHeader } from '../../../src/core/record/journal.ts';
import { smallSpec } from '../support/comparing.ts';

const search: CapacitySearch = {
  ...{ find: 'rate', endpoint: null, generator: 'k6', from: 10, to: 20, connections: 5, durationSeconds: 1 },
  ...{ limits: { p99Ms: null, errorShare: 0 }, precision: 0.1 },
};
const spec = { ...smallSpec([{}, { name: 'news', path: '/news' }], ['go', 'rust']), search };
const side = { recordId: null, sha: null, text: 'made up' };

function wanted(changes: Partial<JournalHeader> = {}, of = spec as Omit<typeof spec, 'search'>) {
  const said: string[] = [];
  const header = { selection: { quick: false, only: null }, ...changes };
  const searches = wantedSearches(of, header, { say: (text) => said.push(text) });
  return { searches: searches.map(({ service, endpoint }) => `${service.name}/${endpoint.name}`), said };
}

describe('the searches of a run', () => {
  it('are those of each endpoint of each service, or of one endpoint', () => {
    expect(wanted()).toEqual({ searches: ['go/ping', 'go/news', 'rust/ping', 'rust/news'], said: [] });
    const one = { ...spec, search: { ...search, endpoint: 'news' } };
    expect(wanted({}, one).searches).toEqual(['go/news', 'rust/news']);
    expect(wanted({}, smallSpec())).toEqual({ searches: [], said: [] });
  });

  it('are those that --only asks for', () => {
    expect(wanted({ selection: { quick: false, only: 'rust' } }).searches).toEqual(['rust/ping', 'rust/news']);
    expect(wanted({ selection: { quick: false, only: '*/wrk/*' } })).toEqual({
      searches: [],
      said: ['The search for capacity is left out: --only leaves out all that it would ask.'],
    });
  });

  it('are left out, with a line, where a baseline is compared with, and on all machines but the first', () => {
    const unpaired = { wanted: 'auto', baseline: null, candidate: side, warnings: [], failed: false, accepted: [] };
    const said = ['The search for capacity is left out: this run compares with a baseline.'];
    expect(wanted({ unpaired })).toEqual({ searches: [], said });
    const shard = (index: number) => ({ selection: { quick: false, only: null, shard: { index, count: 2 } } });
    expect(wanted(shard(1)).searches).toHaveLength(4);
    expect(wanted(shard(2))).toEqual({
      searches: [],
      said: ['The search for capacity is left out: the first of the machines searches for all.'],
    });
  });
});
