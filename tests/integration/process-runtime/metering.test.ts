import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProcessTreeMeter } from '../../../src/adapters/process-runtime/process-tree-meter.ts';
import { PsMeter } from '../../../src/adapters/process-runtime/ps-meter.ts';
import { misbehavingProgram, restNodeProgram } from '../../support/server-programs.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { ask, MIB, remains, requestFor, running, serviceWith, specWith } from './given.ts';

let program = '';
beforeAll(async () => {
  program = await misbehavingProgram();
});

async function askOften(url: string, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) await ask(url);
}

describe('the meter of a part', () => {
  it('counts the CPU time that its requests cost', async () => {
    const spec = specWith(serviceWith({ command: [program], env: { PORT: '${port}', BURN_US: '10000' } }));
    await running(requestFor(spec), async ({ origins, meters }) => {
      const before = meters.service.cpuNs();
      await askOften(`${origins.direct}/ping`, 50);
      const spentMs = (meters.service.cpuNs() - before) / 1e6;
      // 500 ms are burnt; a request with its connection costs a fraction of 1 ms besides.
      expect(spentMs).toBeGreaterThan(495);
      expect(spentMs).toBeLessThan(800);
    });
  });

  it('counts the memory that it holds', async () => {
    const spec = specWith(serviceWith({ command: [program], env: { PORT: '${port}', HOLD_MB: '100' } }));
    await running(requestFor(spec), async ({ meters }) => {
      expect(meters.service.memoryBytes()).toBeGreaterThan(100 * MIB);
      expect(meters.service.memoryBytes()).toBeLessThan(130 * MIB);
    });
  });

  it('counts every worker, and never goes back when one dies', async () => {
    const command = ['node', await restNodeProgram()];
    const spec = specWith(serviceWith({ command, env: { PORT: '${port}', WORKERS: '3' } }));
    await running(requestFor(spec), async ({ origins, meters }) => {
      const workers = remains().filter((thing) => thing.endsWith(' node'));
      expect(workers).toHaveLength(4);
      await askOften(`${origins.direct}/ping`, 100);
      const spentNs = meters.service.cpuNs();
      process.kill(Math.max(...workers.map((thing) => Number.parseInt(thing, 10))), 'SIGKILL');
      for (let reading = 0, last = spentNs; reading < 50; reading += 1) {
        const now = meters.service.cpuNs();
        expect(now).toBeGreaterThanOrEqual(last);
        last = now;
        await new Promise((resolve) => setTimeout(resolve, 4));
      }
    });
    expect(remains()).toEqual([]);
  });

  it('counts children that come and go between two readings', async () => {
    const { spawn } = await import('node:child_process');
    const burn = 'const end = process.cpuUsage().user + 100_000; while (process.cpuUsage().user < end);';
    const script = `for n in 1 2 3; do '${process.execPath}' -e '${burn}'; done; read -r wait`;
    const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    try {
      const meter = new ProcessTreeMeter(child.pid!);
      const psMeter = new PsMeter(child.pid!);
      expect(meter.cpuNs()).toBeGreaterThanOrEqual(0);
      expect(psMeter.cpuNs()).toBeGreaterThanOrEqual(0);
      await expect.poll(() => meter.cpuNs() / 1e6, { timeout: 20_000, interval: 1_500 }).toBeGreaterThan(300);
    } finally {
      process.kill(-child.pid!, 'SIGKILL');
    }
  });

  it('costs little: 1000 readings of CPU time and memory in less than 2 s of our own', async () => {
    const spec = specWith(serviceWith({ command: [program] }));
    await running(requestFor(spec), async ({ meters }) => {
      const before = process.cpuUsage();
      for (let i = 0; i < 1000; i += 1) {
        meters.service.cpuNs();
        meters.service.memoryBytes();
      }
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1e6).toBeLessThan(2);
    });
  });
});

describe('the meter by ps, for systems without /proc', () => {
  it('reads the same in every language', () => {
    const folder = temporaryFolder();
    const row = (time: string) => `echo '    1     0     1  2048   ${time}'`;
    const program = join(folder, 'ps');
    writeFileSync(program, `#!/bin/sh\nif [ "$LC_ALL" = C ]; then ${row('0:01.50')}; else ${row('0:01,50')}; fi\n`);
    chmodSync(program, 0o755);
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    vi.stubEnv('LC_ALL', 'de_DE.UTF-8');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(new PsMeter(1).cpuNs()).toBe(1_500_000_000);
  });

  it('shows about what the meter by /proc shows', async () => {
    const spec = specWith(
      serviceWith({ command: [program], env: { PORT: '${port}', HOLD_MB: '100', BURN_US: '20000' } }),
    );
    await running(requestFor(spec), async ({ origins, meters }) => {
      const leader = Number(
        remains()
          .find((thing) => /^\d/.test(thing))
          ?.split(' ')[0],
      );
      const meter = new PsMeter(leader);
      await askOften(`${origins.direct}/ping`, 100);
      expect(meters.service.cpuNs() / 1e9 - meter.cpuNs() / 1e9).toBeLessThanOrEqual(1.1);
      expect(meter.memoryBytes()).toBeGreaterThan(100 * MIB);
      expect(meter.memoryBytes()).toBeLessThan(140 * MIB);
    });
  });
});
