import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { costsOf } from './restore/costs.ts';
import { fillingSql, postgresSide, REDIS_WAYS, redisSide, waysOf } from './restore/sides.ts';
import type { BenchResult } from './target.ts';

const SIZES_MB = [10, 100, 1000];
const KEYS = 100_000;

/** What it costs to keep what was prepared: the snapshot, a start with it, and putting it back in servers that go on, beside another start. */
export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-bench-restore-'));
  const results: BenchResult[] = [];
  try {
    const program = path.join(folder, 'item-store.cjs');
    await buildServer(program);
    for (const size of SIZES_MB) writeFileSync(path.join(folder, `${size}.sql`), fillingSql(size));
    const ways = waysOf(program);
    const sides = [
      ...REDIS_WAYS.flatMap((redis) => ways.map((way) => redisSide(way, KEYS, redis))),
      ...SIZES_MB.flatMap((size) => ways.map((way) => postgresSide(way, size))),
    ];
    for (const side of sides) results.push(await costsOf(side, folder, say));
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
