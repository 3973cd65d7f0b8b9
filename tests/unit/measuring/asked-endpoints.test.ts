import { describe, expect, it } from 'vitest';
import { askedEndpoints, filledCases } from '../../../src/app/measuring/asked-endpoints.ts';
import { RefusedStatement, type SelectedRows, type Testbed, TestbedError } from '../../../src/app/ports/testbed.ts';
import type { Endpoint } from '../../../src/core/config/resolved.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import { UnusableRequests } from '../../../src/core/requests/request-set.ts';
import { caseOf, LOADS } from '../generators/cases.ts';

const VALUES: Partial<Endpoint> = {
  name: 'articles',
  path: '/{id}',
  values: { id: { sql: 'select id from articles' } },
};
const FILE: Partial<Endpoint> = { name: 'traffic', path: '/', requests: 'traffic.txt' };

interface Given {
  rows?: SelectedRows | Error;
  files?: Record<string, string>;
}

/** What cases of these endpoints come to. */
async function asked(endpoints: Partial<Endpoint>[], { rows, files = {} }: Given = {}) {
  const cases = endpoints.map((endpoint) => caseOf(LOADS.wrk, { endpoint }));
  const journal: JournalEntry[] = [];
  const database = {
    async selected() {
      if (rows instanceof Error) throw rows;
      return rows;
    },
  };
  const testbed = {
    ...{ service: cases[0]!.service, variant: 'baseline' },
    database: rows === undefined ? null : database,
  } as unknown as Testbed;
  const adapters = {
    store: { journal: { append: async (entry: JournalEntry) => void journal.push(entry) } },
    requestFiles: {
      async read(file: string) {
        if (files[file] === undefined) throw new UnusableRequests(`no ${file}`);
        return new TextEncoder().encode(files[file]);
      },
    },
  } as unknown as Parameters<typeof askedEndpoints>[3];
  const found = await askedEndpoints(
    testbed,
    cases,
    cases.map(({ endpoint }) => endpoint),
    adapters,
  );
  return { found, cases, journal, ...filledCases(cases, found) };
}

describe('an endpoint that is asked as it stands', () => {
  it('is asked so, and nothing is said of it', async () => {
    const { filled, journal, cases } = await asked([{}]);
    expect(filled).toEqual(cases);
    expect(journal).toEqual([]);
  });
});

describe('an endpoint whose requests differ', () => {
  it('is asked for the rows of the testbed’s own database', async () => {
    const { filled, lost } = await asked([VALUES], { rows: { columns: ['id'], rows: [['2'], ['1']] } });
    expect(lost.size).toBe(0);
    expect(filled[0]!.endpoint.requestSet!.requests.map(({ path }) => path)).toEqual(['/1', '/2']);
  });

  it('has count and digest in the journal, never its requests', async () => {
    const { journal } = await asked([FILE], { files: { 'traffic.txt': '/a\n/b\n/c\n' } });
    expect(journal).toEqual([
      {
        ...{ kind: 'request-set', service: 'go', variant: 'baseline', endpoint: 'traffic', requests: 3 },
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      },
    ]);
  });

  it('has another digest where its file is another one, or what the spec says of it', async () => {
    const digestOf = async (endpoint: Partial<Endpoint>, text: string) => {
      const { journal } = await asked([endpoint], { files: { 'traffic.txt': text } });
      return 'digest' in journal[0]! ? journal[0].digest : null;
    };
    const first = await digestOf(FILE, '/a\n/b\n');
    expect(await digestOf(FILE, '/a\n/b\n')).toBe(first);
    expect(await digestOf(FILE, '/b\n/a\n')).not.toBe(first);
    expect(await digestOf({ ...FILE, headers: { accept: '*/*' } }, '/a\n/b\n')).not.toBe(first);
  });

  it('has the same digest whatever keys its database has made up', async () => {
    const digestOf = async (ids: string[]) => {
      const { journal } = await asked([VALUES], { rows: { columns: ['id'], rows: ids.map((id) => [id]) } });
      return 'digest' in journal[0]! ? journal[0].digest : null;
    };
    expect(await digestOf(['1', '2'])).toBe(await digestOf(['3', '4']));
  });
});

describe('requests that cannot be had', () => {
  const reasonOf = async (endpoint: Partial<Endpoint>, given: Given = {}) => {
    const { filled, lost } = await asked([endpoint, {}], given);
    expect(filled.map(({ endpoint: { name } }) => name)).toEqual(['ping']);
    return [...lost.values()];
  };

  it('cost the cases of their endpoint, and say why', async () => {
    expect(await reasonOf(FILE)).toEqual([{ code: 'unusable-requests', message: 'no traffic.txt' }]);
    expect(await reasonOf(VALUES)).toEqual([
      {
        code: 'unusable-requests',
        message:
          'The values of articles are read from the database, and the spec has none: add `database`, or write the values out.',
      },
    ]);
    expect(await reasonOf(VALUES, { rows: new RefusedStatement('relation "articles" does not exist') })).toEqual([
      {
        code: 'unusable-requests',
        message:
          'The values of articles cannot be read from the database: relation "articles" does not exist. Correct the statement in the spec.',
      },
    ]);
  });

  it('reject where the database is gone', async () => {
    const rows = new TestbedError('database-exited', 'it ended');
    await expect(asked([VALUES], { rows })).rejects.toThrow('it ended');
  });

  it('cost the cases of a generator that cannot send them', async () => {
    const cases = [LOADS.wrk, LOADS.ab].map((load) => caseOf(load, { endpoint: FILE }));
    const { found } = await asked([FILE], { files: { 'traffic.txt': '/a\n/b' } });
    const { filled, lost } = filledCases(cases, found);
    expect(filled.map(({ generator }) => generator)).toEqual(['wrk']);
    expect([...lost.values()]).toEqual([
      {
        code: 'unsendable-requests',
        message:
          'The requests of traffic differ from each other, and ab sends one URL again and again: measure them with wrk or k6.',
      },
    ]);
  });
});
