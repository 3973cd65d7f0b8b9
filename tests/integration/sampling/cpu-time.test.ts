import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cpuTimeMeter, createCpuMeter, sumOfSystem } from '../../../src/adapters/sampling/cpu-meter.ts';
import { readCpuTopology } from '../../../src/adapters/sampling/cpu-topology.ts';
import { placementOf } from '../../../src/core/topology/placement.ts';

const folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the CPU time of a set of CPUs', () => {
  const stat = join(folder, 'stat');
  const lines = (busy: number) =>
    `cpu  9999 9 9 9 9 9 9 9 9 9\ncpu0 ${busy} 10 5 7777 300 2 3 4 40 0\ncpu1 1000 0 0 0 0 0 0 0 0 0\n` +
    `cpu2 7 7 7 7 7 7 7 7 7 7\ncpu10 1 0 0 0 0 0 0 100 0 0\nintr 1 2 3 ${'0 '.repeat(2000)}\n`;

  it('adds up user, nice and system; interrupts, steal and idle (waiting with it) apart; guest time not at all', () => {
    writeFileSync(stat, lines(100));
    const meter = cpuTimeMeter('0', stat);
    expect(meter.read()).toEqual({
      busyNs: 1_150_000_000,
      interruptNs: 50_000_000,
      stealNs: 40_000_000,
      idleNs: 80_770_000_000,
    });
    writeFileSync(stat, lines(200));
    expect(meter.read().busyNs).toBe(2_150_000_000);
    meter.close();
  });

  it('keeps CPU 1 apart from CPU 10', () => {
    writeFileSync(stat, lines(100));
    const [one, ten, both] = ['1', '10', '0-1,10'].map((cpus) => cpuTimeMeter(cpus, stat));
    expect(one?.read()).toEqual({ busyNs: 10_000_000_000, interruptNs: 0, stealNs: 0, idleNs: 0 });
    expect(ten?.read()).toEqual({ busyNs: 10_000_000, interruptNs: 0, stealNs: 1_000_000_000, idleNs: 0 });
    expect(both?.read()).toEqual({
      busyNs: 11_160_000_000,
      interruptNs: 50_000_000,
      stealNs: 1_040_000_000,
      idleNs: 80_770_000_000,
    });
    for (const meter of [one, ten, both]) meter?.close();
  });

  it('refuses what is not a list of CPUs', () => {
    expect(() => cpuTimeMeter('auto')).toThrow("'auto' is not a list of CPUs.");
  });

  it('sees on this machine what a process burns on one CPU', async () => {
    const [cpu] = readCpuTopology().cpus;
    const meter = cpuTimeMeter(String(cpu?.id));
    const before = meter.read();
    const script = 'const end = Date.now() + 600; while (Date.now() < end);';
    const burner = spawn('taskset', ['--cpu-list', String(cpu?.id), 'node', '-e', script]);
    await new Promise((resolve) => burner.on('exit', resolve));
    // The CPU was busy all the time with it or with somebody else.
    expect(meter.read().busyNs - before.busyNs).toBeGreaterThan(400_000_000);
    meter.close();
  });
});

describe('the CPU time of a set of CPUs, where the kernel has no file of it', () => {
  const times = (user: number, nice: number, sys: number, idle: number, irq: number) => ({
    times: { user, nice, sys, idle, irq },
  });

  it('is what the system tells of those, in milliseconds', () => {
    const all = [times(100, 20, 3, 5000, 7), times(9, 9, 9, 9, 9), times(1, 0, 0, 10, 0)];
    expect(sumOfSystem(all, new Set([0, 2, 11]))).toEqual({
      busyNs: 124_000_000,
      interruptNs: 7_000_000,
      stealNs: 0,
      idleNs: 5_010_000_000,
    });
  });

  it('is the same as by the file on this machine', () => {
    const all = readCpuTopology().cpus.map(({ id }) => id);
    const byFile = cpuTimeMeter(all.join());
    const bySystem = cpuTimeMeter(all.join(), join(folder, 'nowhere'));
    const ofFile = byFile.read();
    const ofSystem = bySystem.read();
    // The file counts what a CPU waits for a disk as idle, and the system tells of it nowhere: minutes, where much was copied.
    const waitedNs = Number(/^cpu(?: +\d+){4} +(\d+)/.exec(readFileSync('/proc/stat', 'utf8'))![1]) * 10_000_000;
    for (const [kind, missingNs] of [
      ['busyNs', 0],
      ['idleNs', waitedNs],
    ] as const) {
      // Read one after the other, each in ticks of 10 ms.
      expect(Math.abs(ofSystem[kind] + missingNs - ofFile[kind])).toBeLessThan(ofFile[kind] * 0.05 + 2e9);
    }
    byFile.close();
    bySystem.close();
  });

  it('tells a run what nobody used, and of nothing that others did: nothing holds its parts to those CPUs', () => {
    const { busyNs, stealNs, idleNs } = createCpuMeter(join(folder, 'nowhere')).read('0');
    expect({ busyNs, stealNs }).toEqual({ busyNs: 0, stealNs: 0 });
    expect(idleNs).toBeGreaterThan(0);
    expect(createCpuMeter().read('0').busyNs).toBeGreaterThan(0);
  });

  it('is not told of what is no list of CPUs', () => {
    expect(() => cpuTimeMeter('auto', join(folder, 'nowhere'))).toThrow("'auto' is not a list of CPUs.");
  });
});

describe('the CPUs of this machine', () => {
  it('are those that this process may use', () => {
    const { cpus } = readCpuTopology();
    expect(cpus).toHaveLength(availableParallelism());
    for (const cpu of cpus) expect(Object.values(cpu).every(Number.isInteger)).toBe(true);
    expect(placementOf({ cpus }, 'auto').service).toMatch(/^\d/);
  });

  it('are as many as there are, where the kernel does not tell', () => {
    expect(readCpuTopology(join(folder, 'nowhere'), join(folder, 'nowhere'))).toEqual({
      cpus: Array.from({ length: availableParallelism() }, (_, id) => ({ id, core: id, package: 0 })),
    });
  });

  it('are fewer where fewer are allowed, and cores of their own where the kernel shows no topology', () => {
    const status = join(folder, 'status');
    writeFileSync(status, 'Name:\tnode\nCpus_allowed:\t0e\nCpus_allowed_list:\t1-2,7\nMems_allowed_list:\t0\n');
    expect(readCpuTopology(join(folder, 'nowhere'), status)).toEqual({
      cpus: [
        { id: 1, core: 1, package: 0 },
        { id: 2, core: 2, package: 0 },
        { id: 7, core: 7, package: 0 },
      ],
    });
  });
});
