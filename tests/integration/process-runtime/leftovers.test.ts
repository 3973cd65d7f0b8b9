import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textTemplates } from '../../../scripts/text-templates.mjs';
import { linkPrefix, networkNamespaceObstacle } from '../../../src/adapters/process/network-namespace.ts';
import { isProvenDead, ownIdentity } from '../../../src/adapters/process/owner.ts';
import { processIds, processStat } from '../../../src/adapters/process/process-table.ts';
import type { TestbedRequest } from '../../../src/app/ports/testbed.ts';
import type { Service } from '../../../src/core/config/resolved.ts';
import { REST_NODE_SQL, restNodeProgram } from '../../support/server-programs.ts';
import { ask, databaseWith, remains, requestFor, runtime, serviceWith, specWith } from './given.ts';

const folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
const program = join(folder, 'parent.mjs');

beforeAll(async () => {
  const entryPoints = ['tests/integration/process-runtime/servers/parent.ts'];
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
  await build({
    entryPoints,
    outfile: program,
    bundle: true,
    plugins: [textTemplates],
    platform: 'node',
    format: 'esm',
    banner,
    external: ['pg-native'],
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Resolves to the program and the origin of what it has started. */
async function startParent(request: TestbedRequest): Promise<{ parent: ChildProcess; origin: string }> {
  const parent = spawn(process.execPath, [program, JSON.stringify(request)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const origin = await new Promise<string>((resolve, reject) => {
    parent.stdout?.once('data', (chunk) => resolve(String(chunk).trim()));
    parent.once('exit', (code) => reject(new Error(`the parent exited with ${code}`)));
  });
  return { parent, origin };
}

async function killed(parent: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => parent.once('exit', resolve));
  parent.kill('SIGKILL');
  await gone;
}

/** A service with workers, one that ignores everything among them, beside a database and behind a gateway. */
async function fullRequest(network: Service['network'] = 'open'): Promise<TestbedRequest> {
  const command = ['/bin/sh', '-c', `trap '' TERM; sleep 1000 & exec node ${await restNodeProgram()}`];
  const env = { PORT: '${port}', DATABASE_URL: '${database.url}', WORKERS: '2' };
  const pooler = {
    kind: 'pgbouncer',
    image: '',
    mode: 'session',
    defaultPoolSize: 20,
    maxClientConnections: 100,
  } as const;
  const database = databaseWith({ init: REST_NODE_SQL, pooler });
  const service = serviceWith({ command, env, network });
  return requestFor(specWith(service, { database, gateway: { kind: 'nginx', image: '' } }));
}

const NETWORKS: Service['network'][] = networkNamespaceObstacle() === null ? ['open', 'internal'] : ['open'];

describe('a run that is killed', () => {
  it.each(NETWORKS)(
    'leaves nothing running, no folder and no network (%s), whatever its parts think of it',
    async (network) => {
      const { parent, origin } = await startParent(await fullRequest(network));
      expect((await ask(`${origin}/users`)).status).toBe(200);
      const links = remains(parent.pid).filter((thing) => thing.startsWith(linkPrefix(parent.pid!)));
      expect(links).toHaveLength(network === 'internal' ? 1 : 0);
      expect(remains(parent.pid).length).toBeGreaterThan(8);
      await killed(parent);
      await expect.poll(() => remains(parent.pid), { timeout: 15_000 }).toEqual([]);
    },
  );

  it.each(NETWORKS)('whose guard is killed too is swept at the next start (%s)', async (network) => {
    const { parent } = await startParent(await fullRequest(network));
    const guard = processIds().find((pid) => {
      const stat = processStat(pid);
      return (
        stat?.parent === parent.pid &&
        stat?.name === 'sh' &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('trap')
      );
    });
    process.kill(guard!, 'SIGKILL');
    await killed(parent);
    const left = remains(parent.pid);
    expect(left.some((thing) => thing.startsWith('/tmp/wrkbench-testbed-'))).toBe(true);

    const swept = await runtime.sweep();
    expect(
      swept.some((line) => /^Ended process \d+ \(sleep\), left behind by a run that has ended\.$/.test(line)),
    ).toBe(true);
    expect(swept.some((line) => /^Ended process \d+ \(nginx\)/.test(line))).toBe(true);
    expect(swept.some((line) => /^Removed the folder \/tmp\/wrkbench-testbed-\w+, left behind/.test(line))).toBe(true);
    // The kernel takes a moment for a network.
    await expect.poll(() => remains(parent.pid)).toEqual([]);
  });
});

describe('the sweep', () => {
  it('leaves alone what belongs to a run that still runs', async () => {
    const testbed = await runtime.start(
      requestFor(specWith(serviceWith({ command: ['node', await restNodeProgram()] }))),
      new AbortController().signal,
    );
    try {
      const standing = remains();
      await runtime.sweep();
      expect(standing.length).toBeGreaterThan(1);
      expect(remains()).toEqual(standing);
      expect((await ask(`${testbed.origins.direct}/ping`)).status).toBe(200);
    } finally {
      await testbed.stop();
    }
  });
});

describe('an owner', () => {
  const [boot, namespace, pid, start] = ownIdentity().split(':') as [string, string, string, string];

  it('is alive while its process runs', () => {
    expect(isProvenDead(ownIdentity())).toBe(false);
  });

  it('is dead where another process has its number, or none, or the machine was started anew', () => {
    expect(isProvenDead([boot, namespace, pid, Number(start) + 1].join(':'))).toBe(true);
    expect(isProvenDead([boot, namespace, 4_194_303, start].join(':'))).toBe(true);
    expect(isProvenDead(['00000000-0000-0000-0000-000000000000', namespace, pid, start].join(':'))).toBe(true);
  });

  it('is not proven dead where its numbers count in another namespace, or mean nothing', () => {
    expect(isProvenDead([boot, Number(namespace) + 1, pid, start].join(':'))).toBe(false);
    expect(isProvenDead('')).toBe(false);
    expect(isProvenDead('probe-12')).toBe(false);
  });
});
