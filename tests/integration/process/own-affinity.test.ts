// needs: linux
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { stayOn } from '../../../src/adapters/process/own-affinity.ts';
import { readCpuTopology } from '../../../src/adapters/sampling/cpu-topology.ts';

const cpusOf = (status: string) => /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync(status, 'utf8'))![1]!;
const ofThreads = () =>
  new Set(readdirSync('/proc/self/task').map((thread) => cpusOf(`/proc/self/task/${thread}/status`)));

describe('a process that keeps to some CPUs', () => {
  const before = cpusOf('/proc/self/status');
  const only = String(readCpuTopology().cpus[0]!.id);

  afterEach(() => expect(cpusOf('/proc/self/status')).toBe(before));

  it('is there with all of its threads, and has all CPUs again afterwards', async () => {
    const leave = await stayOn(only);
    expect([...ofThreads()]).toEqual([only]);
    await leave();
    expect([...ofThreads()]).toEqual([before]);
    expect(readCpuTopology().cpus.length).toBeGreaterThan(1);
  });

  it('stays where it was where there is no such CPU', async () => {
    const leave = await stayOn('4095');
    expect([...ofThreads()]).toEqual([before]);
    await leave();
  });
});
