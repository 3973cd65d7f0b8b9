import { describe, expect, it } from 'vitest';
import { RefusedStatement, TestbedError } from '../../../src/app/ports/testbed.ts';
import { connectAsService, setUp, withServer } from './given.ts';

describe('rows that a spec selects', () => {
  it('come as text, with the names of their columns, and are no statements of the service', async () => {
    await withServer({}, async (server) => {
      const session = await setUp(server);
      const client = await connectAsService(server);
      await client.query('CREATE TABLE articles (id bigint, slug text, made date, live bool)');
      await client.query(
        "INSERT INTO articles VALUES (9007199254740993, 'a ''b''', '2026-02-01', true), (2, NULL, NULL, false)",
      );
      await session.resetStatements();
      expect(await session.selected('select * from articles order by id desc ; ', 10)).toEqual({
        columns: ['id', 'slug', 'made', 'live'],
        rows: [
          ['9007199254740993', "a 'b'", '2026-02-01', 't'],
          ['2', null, null, 'f'],
        ],
      });
      expect(await session.statements()).toEqual([]);
      await client.end();
      await session.close();
    });
  });

  it('are no more than asked for and one, however many there are', async () => {
    await withServer({}, async (server) => {
      const session = await setUp(server);
      const all = 'select a from generate_series(1, 100000) a cross join generate_series(1, 100000) b';
      const { rows } = await session.selected(all, 5);
      expect(rows).toHaveLength(6);
      await session.close();
    });
  });

  it('are all of them, over more than one fetch, and refused where they hold megabytes', async () => {
    await withServer({}, async (server) => {
      const session = await setUp(server);
      const { rows } = await session.selected('select n from generate_series(1, 1234) n', 100_000);
      expect(rows.map(([number]) => Number(number))).toEqual(Array.from({ length: 1234 }, (_, index) => index + 1));
      const large = "select repeat('x', 1000000) from generate_series(1, 100)";
      await expect(session.selected(large, 100_000)).rejects.toThrow('its rows hold more than 32 MiB of text');
      await session.close();
    });
  });

  it('are refused where the statement is wrong, is several, or writes; the session goes on', async () => {
    await withServer({}, async (server) => {
      const session = await setUp(server);
      const client = await connectAsService(server);
      await client.query('CREATE SEQUENCE numbers');
      await client.end();
      const refused = async (sql: string) => {
        const failure = await session.selected(sql, 10).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(RefusedStatement);
        return (failure as Error).message;
      };
      expect(await refused('select slug from articles')).toBe('relation "articles" does not exist');
      expect(await refused('select 1; drop schema public cascade')).toContain('multiple commands');
      expect(await refused('insert into a values (1)')).toContain('syntax error');
      expect(await refused("select nextval('numbers')")).toContain('read-only transaction');
      expect((await session.selected('select 1 as one', 10)).rows).toEqual([['1']]);
      await session.close();
    });
  });

  it('are none where the server is gone', async () => {
    await withServer({}, async (server) => {
      const session = await setUp(server);
      await server.stop();
      await expect(session.selected('select 1', 10)).rejects.toThrow(TestbedError);
      await session.close();
    });
  });
});
