import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** What the fixture image builder exports; it is plain JavaScript, because it runs before anything is installed. */
interface Builder {
  buildStaticServer(directory: string, outfile: string): Promise<void>;
  buildServerBundle(outfile: string, server?: string): Promise<void>;
}
interface Inputs {
  hashOfInputs(paths: string[]): Promise<string>;
}

async function fixtureModule<T>(name: string): Promise<T> {
  return (await import(`${FIXTURES}images/${name}`)) as T;
}

/** Built once for each state of its sources, and kept. */
async function built(
  source: string,
  suffix: string,
  build: (builder: Builder, outfile: string) => Promise<void>,
): Promise<string> {
  const { hashOfInputs } = await fixtureModule<Inputs>('inputs.mjs');
  const folder = join(tmpdir(), `wrkbench-servers-${userInfo().uid}`);
  const outfile = join(folder, `${source}-${await hashOfInputs([`${FIXTURES}servers/${source}`])}${suffix}`);
  if (!existsSync(outfile)) {
    mkdirSync(folder, { recursive: true });
    await build(await fixtureModule<Builder>('servers.mjs'), outfile);
  }
  return outfile;
}

/** Path of the static Go server that misbehaves as its environment says, for the process runtime. */
export function misbehavingProgram(): Promise<string> {
  return built('misbehaving', '', (builder, outfile) =>
    builder.buildStaticServer(`${FIXTURES}servers/misbehaving`, outfile),
  );
}

/** Path of the bundled example server, one CommonJS file to start with `node`. */
export function restNodeProgram(): Promise<string> {
  return built('rest-node', '.cjs', (builder, outfile) => builder.buildServerBundle(outfile));
}

/** The same of the application that migrates and writes. */
export function itemStoreProgram(): Promise<string> {
  return built('item-store', '.cjs', (builder, outfile) => builder.buildServerBundle(outfile, 'item-store'));
}

/** SQL files of the bundled example, absolute, in the order that they are run. */
export const REST_NODE_SQL = [`${FIXTURES}servers/rest-node/schema.sql`, `${FIXTURES}servers/rest-node/users.sql`];
/** Their texts by their names, for the folder of a spec that has them as `init: [schema.sql, users.sql]`. */
export const REST_NODE_SQL_FILES = Object.fromEntries(
  REST_NODE_SQL.map((file) => [basename(file), readFileSync(file, 'utf8')]),
);
