import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { dockerRuntime } from '../../src/adapters/docker/runtime.ts';
import { processRuntime } from '../../src/adapters/process-runtime/runtime.ts';
import type { Testbed, TestbedRequest, TestbedRuntime } from '../../src/app/ports/testbed.ts';
import type { PrepareStep } from '../../src/core/config/prepare.ts';
import { readSpec } from '../../src/core/config/read.ts';
import type { ResolvedSpec } from '../../src/core/config/resolved.ts';
import { median } from '../../src/core/statistics/quantile.ts';
import { IMAGES } from '../../tests/support/images.ts';
import { atMost, type BenchResult, rounded } from './target.ts';

const SIZES_MB = [10, 100, 1000];
/** Each way of putting data back, in turn. */
const TURNS = 5;
/** Of what a start of the whole side costs instead. */
const MOST_OF_RESTART = 1;

const signal = new AbortController().signal;

/** What it costs to put data back in a server that goes on, beside starting the whole side again with the same data. */
export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-bench-restore-'));
  const results: BenchResult[] = [];
  try {
    const program = path.join(folder, 'item-store.cjs');
    await buildServer(program);
    for (const size of SIZES_MB) {
      writeFileSync(path.join(folder, `${size}.sql`), filling(size));
      for (const each of [processSide(program, size), dockerSide(size)]) {
        results.push(await costs(each, size, folder, say));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    figures: Object.assign({}, ...results.map(({ figures }) => figures)),
    targets: results.flatMap(({ targets }) => targets),
  };
}

/** Plain JavaScript that looks for files beside itself: from where it lies, and not from within this bundle. */
async function buildServer(outfile: string): Promise<void> {
  const { buildServerBundle } = await import(pathToFileURL(path.resolve('fixtures/images/servers.mjs')).href);
  await buildServerBundle(outfile, 'item-store');
}

/** Rows of 1 kB beside the table that is written to, and an index of as many keys. */
function filling(megabytes: number): string {
  return `CREATE TABLE filling (id bigint PRIMARY KEY, text text NOT NULL);
ALTER TABLE filling ALTER COLUMN text SET STORAGE PLAIN;
INSERT INTO filling SELECT n, repeat(md5(n::text), 29) FROM generate_series(1, ${megabytes * 1000}) AS n;
INSERT INTO items (name) SELECT 'item ' || n FROM generate_series(1, 1000) AS n;
`;
}

interface BenchSide {
  name: string;
  runtime: TestbedRuntime;
  spec: ResolvedSpec;
}

function specOf(service: string, migrate: string[], size: number): ResolvedSpec {
  const spec = readSpec(
    `
name: restore
services:
  store: {${service}, port: 8080, env: {PORT: "\${port}", DATABASE_URL: "\${database.url}"}, ready: /ping}
database: {image: "${IMAGES.postgres}", settings: {fsync: "off", shared_buffers: 256MB}}
endpoints:
  create: {method: POST, path: /items, body: '{"name": "x"}', expect: 201}
`,
    'bench',
  );
  const job: PrepareStep = { kind: 'job', command: migrate, env: {}, timeoutSeconds: 60 };
  return { ...spec, prepare: [job, { kind: 'sql', files: [`${size}.sql`] }] };
}

function processSide(program: string, size: number): BenchSide {
  const command = JSON.stringify(['node', program, 'serve']);
  return {
    name: 'processes',
    runtime: processRuntime(),
    spec: specOf(`command: ${command}`, ['node', program, 'migrate'], size),
  };
}

function dockerSide(size: number): BenchSide {
  return {
    name: 'containers',
    runtime: dockerRuntime({ environment: process.env }),
    spec: specOf(`image: "${IMAGES.itemStore}"`, ['migrate'], size),
  };
}

async function costs(
  { name, runtime, spec }: BenchSide,
  size: number,
  folder: string,
  say: (line: string) => void,
): Promise<BenchResult> {
  const runId = `bench-restore-${process.pid}-${size}`;
  const service = spec.services[0]!;
  const prepared = { runId, spec, services: [service], specDirectory: folder, onLine: () => {} };
  const [had] = await runtime.prepare(prepared, signal);
  if (had?.failure) throw had.failure;
  let round = 0;
  const start = async (of: ResolvedSpec): Promise<Testbed> => {
    round += 1;
    const placement = { service: '0', database: '0', generator: '1' };
    const request: TestbedRequest = {
      ...{ runId, spec: of, service, variant: 'candidate', round, placement },
      ...{ specDirectory: folder, artifact: had?.artifact ?? '', isBrief: true },
    };
    return await runtime.start(request, signal);
  };
  const { prepare: _, ...unprepared } = spec;
  const empty: ResolvedSpec = { ...unprepared, endpoints: [] };
  const seconds = { restart: [] as number[], restore: [] as number[], start: [] as number[], empty: [] as number[] };
  const timed = async <T>(into: number[], work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await work();
    into.push((performance.now() - startedAt) / 1000);
    return result;
  };
  const first: number[] = [];
  let testbed = await timed(first, () => start(spec));
  try {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await create(testbed);
      await timed(seconds.restore, () => testbed.restoreData!(signal));
      await timed(seconds.restart, async () => {
        await testbed.stop();
        testbed = await timed(seconds.start, () => start(spec));
      });
      const other = await timed(seconds.empty, () => start(empty));
      await other.stop();
    }
  } finally {
    await testbed.stop();
    await runtime.release(runId);
  }
  const of = (values: number[]) => rounded(median(values), 3);
  const what = `${name}, ${size} MB`;
  say(
    `${what}: prepared in ${of(first)} s; put back in ${of(seconds.restore)} s, the side started again in ${of(seconds.restart)} s; ` +
      `a start with the data ${of(seconds.start)} s, without any ${of(seconds.empty)} s`,
  );
  const ratios = seconds.restore.map((value, at) => value / seconds.restart[at]!);
  return {
    figures: {
      [`${what}: preparing, s`]: of(first),
      [`${what}: putting back, s`]: of(seconds.restore),
      [`${what}: starting the side again, s`]: of(seconds.restart),
      [`${what}: start with the data / start without any`]: rounded(median(seconds.start) / median(seconds.empty), 3),
    },
    targets: [atMost(`${what}: putting back / starting the side again`, rounded(median(ratios), 3), MOST_OF_RESTART)],
  };
}

/** So that there is something to put back; also after the connections were lost. */
async function create({ origins }: Testbed): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await fetch(`${origins.direct}/items`, {
      ...{ method: 'POST', body: '{"name": "x"}', headers: { connection: 'close' } },
    });
    if (answer.status === 201) return;
  }
  throw new Error('The service does not take an item.');
}
