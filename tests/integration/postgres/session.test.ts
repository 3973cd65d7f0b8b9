import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { connectDatabase } from '../../../src/adapters/postgres/session.ts';
import { TestbedError, UncountedStatements } from '../../../src/app/ports/testbed.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { never } from '../process-runtime/given.ts';
import { connectAsService, ROLE, setUp, withServer } from './given.ts';

function folderWith(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

describe('statements', () => {
  it('are counted exactly, and only those of the service', async () => {
    await withServer({}, async (server) => {
      const session = await setUp(server);
      const client = await connectAsService(server);
      await client.query('CREATE TABLE things (id int, name text)');
      await client.query("INSERT INTO things SELECT n, 'thing ' || n FROM generate_series(1, 10) n");
      await session.resetStatements();
      for (let i = 0; i < 200; i += 1) await client.query('SELECT name FROM things WHERE id <= $1', [3]);
      for (let i = 0; i < 20; i += 1) await client.query(`SELECT ${i}`);
      await client.query('BEGIN');
      await client.query('UPDATE things SET name = $1 WHERE id = 1', ['new']);
      await client.query('COMMIT');
      await client.query('DISCARD ALL');
      await session.statements();
      expect((await session.statements()).map(({ query, calls, rows }) => ({ query, calls, rows }))).toEqual([
        { query: 'SELECT name FROM things WHERE id <= $1', calls: 200, rows: 600 },
        { query: 'SELECT $1', calls: 20, rows: 20 },
        { query: 'BEGIN', calls: 1, rows: 0 },
        { query: 'COMMIT', calls: 1, rows: 0 },
        { query: 'UPDATE things SET name = $1 WHERE id = $2', calls: 1, rows: 1 },
      ]);
      await session.resetStatements();
      expect(await session.statements()).toEqual([]);
      await client.end();
      await session.close();
      await session.close();
    });
  });

  it('inside of functions are not counted', async () => {
    await withServer({}, async (server) => {
      const session = await setUp(server);
      const client = await connectAsService(server);
      await client.query(
        "CREATE FUNCTION twice() RETURNS int LANGUAGE plpgsql AS 'BEGIN PERFORM 1; PERFORM 2; RETURN 3; END'",
      );
      await session.resetStatements();
      await client.query('SELECT twice()');
      expect((await session.statements()).map(({ query, calls }) => [query, calls])).toEqual([['SELECT twice()', 1]]);
      await client.end();
      await session.close();
    });
  });
});

const off = 'pg_stat_statements.track = none';

describe('settings of counting that init SQL has set', () => {
  it.each([
    ['for the role', `ALTER ROLE app SET ${off}`],
    ['for the database', `ALTER DATABASE bench SET ${off}; ALTER DATABASE bench SET compute_query_id = off`],
    ['for the role in the database', `ALTER ROLE app IN DATABASE bench SET ${off}`],
    ['for all roles', `ALTER ROLE ALL SET ${off}; ALTER ROLE ALL SET pg_stat_statements.track_utility = off`],
    ['for the server', 'ALTER SYSTEM SET compute_query_id = off; SELECT pg_reload_conf()'],
  ])('are taken back: %s', async (_name, sql) => {
    const directory = folderWith({ 'off.sql': `${sql};` });
    await withServer({}, async (server) => {
      const session = await setUp(server, ['off.sql'], directory);
      const client = await connectAsService(server);
      await session.resetStatements();
      await session.markStatements();
      await client.query('BEGIN');
      await client.query('SELECT 7');
      await session.markStatements();
      const found = (await session.statements()).map(({ query, calls }) => [query, calls]);
      expect(found.sort()).toEqual([
        ['BEGIN', 1],
        ['SELECT $1', 1],
      ]);
      await client.end();
      await session.close();
    });
  });

  it('go, and those of the workload stay', async () => {
    const sql = `ALTER ROLE app SET work_mem = '7MB'; ALTER ROLE app SET ${off}; ALTER DATABASE bench SET jit = off;`;
    const directory = folderWith({ 'settings.sql': sql });
    await withServer({}, async (server) => {
      const session = await setUp(server, ['settings.sql'], directory);
      const client = await connectAsService(server);
      const { rows } = await client.query(
        "SELECT current_setting('work_mem') AS memory, current_setting('jit') AS jit",
      );
      expect(rows).toEqual([{ memory: '7MB', jit: 'off' }]);
      await client.end();
      await session.close();
    });
  });
});

describe('counting that is off all the same', () => {
  const message = (seen: number) =>
    `Of 2 known statements Postgres has counted ${seen}. Something switched its counting off or reset it (init SQL, a setting, the ` +
    'service itself), or the service sent more different statements than it keeps: then raise pg_stat_statements.max in the ' +
    'settings of the database.';

  it.each([
    ['before the first mark', 0],
    ['between both', 1],
  ])('is seen: %s', async (_when, seen) => {
    await withServer({}, async (server) => {
      const session = await setUp(server);
      const owner = new pg.Client({ ...server.owner });
      await owner.connect();
      const switchOff = () => owner.query('ALTER ROLE app SET pg_stat_statements.track = none');
      await session.resetStatements();
      if (seen === 0) await switchOff();
      await session.markStatements();
      if (seen === 1) await switchOff();
      await session.markStatements();
      await expect(session.statements()).rejects.toThrow(new UncountedStatements(message(seen)));
      await session.resetStatements();
      expect(await session.statements()).toEqual([]);
      await owner.end();
      await session.close();
    });
  });

  it('is seen where statistics were reset, or too many statements came between', async () => {
    await withServer({ settings: { 'pg_stat_statements.max': '100' } }, async (server) => {
      const session = await setUp(server);
      const client = await connectAsService(server);
      await session.resetStatements();
      await session.markStatements();
      for (let count = 1; count <= 300; count += 1) {
        const columns = Array.from({ length: count }, (_, at) => `${at} AS c${count}`).join(', ');
        for (let times = 0; times < 3; times += 1) await client.query(`SELECT ${columns}`);
      }
      await session.markStatements();
      await expect(session.statements()).rejects.toBeInstanceOf(UncountedStatements);
      await client.end();
      await session.close();
    });
  });

  it('is not taken for off where the server takes no more clients', async () => {
    await withServer({ settings: { max_connections: '8', superuser_reserved_connections: '3' } }, async (server) => {
      const session = await setUp(server);
      const clients = await Promise.all([1, 2, 3, 4].map(() => connectAsService(server)));
      await session.resetStatements();
      await session.markStatements();
      await clients[0]!.query('SELECT 1');
      expect((await session.statements()).map(({ query, calls }) => [query, calls])).toEqual([['SELECT $1', 1]]);
      await Promise.all(clients.map((client) => client.end()));
      await session.close();
    });
  });
});

describe('the init SQL', () => {
  it('runs as the owner; what it makes is then the service’s, without making that a superuser', async () => {
    const directory = folderWith({
      'one.sql': `
        CREATE EXTENSION pg_trgm;
        CREATE TYPE mood AS ENUM ('good', 'bad');
        CREATE TABLE people (id serial PRIMARY KEY, mood mood, number int GENERATED ALWAYS AS IDENTITY);
        CREATE SEQUENCE own_sequence;
        CREATE VIEW names AS SELECT id FROM people;
        CREATE MATERIALIZED VIEW counts AS SELECT count(*) FROM people;
        CREATE FUNCTION one() RETURNS int LANGUAGE sql RETURN 1;
        CREATE SCHEMA other; CREATE TABLE other.things (id int) PARTITION BY RANGE (id);
        CREATE TABLE other.first PARTITION OF other.things FOR VALUES FROM (0) TO (10);
        CREATE ROLE reader; CREATE TABLE kept (id int); ALTER TABLE kept OWNER TO reader;
        VACUUM ANALYZE people;
        SELECT pg_catalog.set_config('search_path', '', false);`,
      'two.sql': "\uFEFFINSERT INTO public.people (mood) VALUES ('good');",
    });
    await withServer({}, async (server) => {
      const session = await setUp(server, ['one.sql', 'two.sql'], directory);
      const client = await connectAsService(server);
      await client.query("ALTER TABLE people ADD COLUMN name text; ALTER TYPE mood ADD VALUE 'fair'");
      await client.query(
        'DROP FUNCTION one(); DROP MATERIALIZED VIEW counts; DROP VIEW names; DROP SEQUENCE own_sequence',
      );
      await client.query(
        'DROP TABLE other.things; CREATE TABLE other.more (id int); CREATE TABLE more (id int); CREATE SCHEMA third',
      );
      expect((await client.query('SELECT id, mood FROM people')).rows).toEqual([{ id: 1, mood: 'good' }]);
      await expect(client.query('SELECT * FROM kept')).rejects.toThrow('permission denied');
      await expect(client.query('CREATE ROLE another')).rejects.toThrow('permission denied');
      await client.end();
      await session.close();
    });
  });

  it.each([
    [
      'an error with a place',
      "SELECT 1;\n\n  SELECT 'ä😀', true + 1\n  FROM pg_class;\n",
      'The init SQL failed at bad.sql:3:21: operator does not exist: boolean + integer. Hint: No operator matches the given name and argument types. You might need to add explicit type casts.',
    ],
    [
      'a word that is none',
      'CREATE TABLE a (id int);\nCRATE TABLE b (id int);',
      'The init SQL failed at bad.sql:2:1: syntax error at or near "CRATE".',
    ],
    [
      'an error without a place: where its statement begins',
      'CREATE TABLE a (id int PRIMARY KEY);\n-- twice\nINSERT INTO a VALUES (1), (1);',
      'The init SQL failed at bad.sql:3:1: duplicate key value violates unique constraint "a_pkey". Key (id)=(1) already exists.',
    ],
  ])('%s', async (_name, sql, message) => {
    const directory = folderWith({ 'bad.sql': sql });
    await withServer({}, async (server) => {
      const failure = await setUp(server, ['bad.sql'], directory).catch((error: unknown) => error as TestbedError);
      expect(failure).toBeInstanceOf(TestbedError);
      expect((failure as TestbedError).code).toBe('init-sql-failed');
      expect((failure as TestbedError).message).toBe(message);
    });
  });

  it('that is not there is named with the place that was looked at', async () => {
    await withServer({}, async (server) => {
      await expect(setUp(server, ['sql/none.sql'], '/nowhere')).rejects.toThrow(
        /^The init file sql\/none\.sql cannot be read \(ENOENT.*\)\. Its path is relative to the spec file; looked for \/nowhere\/sql\/none\.sql\.$/,
      );
    });
  });

  it('that takes too long is given up when the run is interrupted', async () => {
    const directory = folderWith({ 'slow.sql': 'SELECT pg_sleep(100);' });
    await withServer({}, async (server) => {
      const abort = new AbortController();
      setTimeout(() => abort.abort(new Error('interrupted')), 500);
      await expect(setUp(server, ['slow.sql'], directory, abort.signal)).rejects.toThrow('interrupted');
    });
  });
});

describe('a server that is in trouble', () => {
  it('does not answer: after the timeout, with the last attempt’s words', async () => {
    const address = {
      host: '127.0.0.1',
      port: 1,
      user: 'postgres',
      password: '',
      database: 'bench',
      readyTimeoutSeconds: 0.5,
    };
    const failure = await connectDatabase(
      { address, role: ROLE, init: { files: [], directory: '/', psql: async () => null } },
      never(),
    ).catch((error) => error);
    expect(failure).toBeInstanceOf(TestbedError);
    expect(failure.code).toBe('database-not-ready');
    expect(failure.message).toBe(
      "Postgres at 127.0.0.1:1 did not answer a query within 0.5 s; the last attempt ended with: connect ECONNREFUSED 127.0.0.1:1. Look at its log, or raise the database's ready timeout.",
    );
  });

  it('is restarted after its first answers, as the first start of an image does: the second one counts', async () => {
    await withServer({}, async (server) => {
      // A door in front of the server that is shut once, in the middle of the first conversation.
      let shutAgain = 0;
      const door = createServer((client) => {
        const inner = connect({ path: `${server.owner.host}/.s.PGSQL.${server.port}` });
        client.pipe(inner).pipe(client);
        client.on('error', () => {});
        inner.on('error', () => {});
        if (shutAgain < 2) setTimeout(() => client.destroy(), 60);
        shutAgain += 1;
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => door.once('listening', resolve));
      const { port } = door.address() as { port: number };
      const address = { ...server.owner, host: '127.0.0.1', port };
      const session = await connectDatabase(
        { address, role: ROLE, init: { files: [], directory: '/', psql: async () => null } },
        never(),
      );
      expect(shutAgain).toBeGreaterThanOrEqual(3);
      expect(await session.statements()).toEqual([]);
      await session.close();
      door.close();
    });
  });

  it('dies under its owner: every call says so, and this process lives on', async () => {
    await withServer({}, async (server) => {
      const session = await setUp(server);
      expect(session.lost()).toBeNull();
      process.kill(server.group.pid, 'SIGKILL');
      await expect.poll(() => session.lost()).not.toBeNull();
      await expect(session.statements()).rejects.toMatchObject({ code: 'database-exited' });
      await expect(session.resetStatements()).rejects.toThrow(/no longer answers its owner: .* its log says why\./);
      expect(server.failure()?.code).toBe('database-exited');
      await session.close();
    });
  });
});
