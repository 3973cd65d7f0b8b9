import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cgroupMeterOf, sumOfMeters } from '../../../src/adapters/sampling/cgroup.ts';
import type { CgroupMeter } from '../../../src/adapters/sampling/cgroup-meter.ts';
import { buildFixtureImages, docker } from '../docker/given.ts';

const MIB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const treeOf = (name: string) => {
  const root = join('fixtures/cgroup-v2', name);
  return { proc: join(root, 'proc'), mountPrefix: root };
};

describe('a container of this machine', () => {
  const name = `wrkbench-sampling-${process.pid}`;
  let meter: CgroupMeter;
  const run = (script: string) => docker('exec', name, 'bash', '-c', script);

  beforeAll(() => {
    buildFixtureImages('debian');
    docker('run', '--detach', '--name', name, '--memory', '256m', 'wrkbench-fixture/debian:bookworm', 'sleep', '600');
    meter = cgroupMeterOf(Number(docker('inspect', '--format', '{{.State.Pid}}', name)));
  });
  afterAll(() => {
    meter.close();
    docker('rm', '--force', name);
  });

  it('counts the CPU time of its processes and of no others', () => {
    const before = meter.cpuNs();
    const used = run('for ((i = 0; i < 300000; i++)); do :; done; times');
    const [, minutes = '0', seconds = '0'] = /^(\d+)m([\d.]+)s/.exec(used) ?? [];
    const burntNs = (Number(minutes) * 60 + Number(seconds)) * 1e9;
    expect(burntNs).toBeGreaterThan(100_000_000);
    const counted = meter.cpuNs() - before;
    expect(counted).toBeGreaterThan(burntNs * 0.9);
    expect(counted).toBeLessThan(burntNs * 1.5 + 200_000_000);
    expect(meter.cpuNs() - before - counted).toBeLessThan(50_000_000);
  });

  it('counts anonymous memory, and no page cache', () => {
    const idle = meter.memoryBytes();
    expect(idle).toBeLessThan(20 * MIB);
    run('head -c 80M /dev/zero > /var/tmp/cached && cat /var/tmp/cached > /dev/null');
    expect(meter.memoryBytes() - idle).toBeLessThan(10 * MIB);
    const holder = spawn('docker', [
      'exec',
      name,
      'bash',
      '-c',
      'x=$(head -c 60M /dev/zero | tr "\\0" x); echo held; sleep 60; :',
    ]);
    return new Promise<void>((resolve, reject) => {
      holder.on('error', reject);
      holder.stdout.once('data', () => {
        const held = meter.memoryBytes() - idle;
        holder.kill();
        try {
          expect(held).toBeGreaterThan(55 * MIB);
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
  });

  it('counts processes that the kernel has ended for want of memory', () => {
    expect(meter.oomKills()).toBe(0);
    expect(() => run('x=$(head -c 400M /dev/zero | tr "\\0" x)')).toThrow();
    expect(meter.oomKills()).toBeGreaterThanOrEqual(1);
  });

  it('keeps the last figures after the container has gone', () => {
    const cpu = meter.cpuNs();
    docker('rm', '--force', name);
    expect(meter.cpuNs()).toBeGreaterThanOrEqual(cpu);
    expect(meter.oomKills()).toBeGreaterThanOrEqual(1);
    meter.close();
    meter.close();
    expect(meter.cpuNs()).toBeGreaterThanOrEqual(cpu);
  });
});

describe('cgroup v2', () => {
  it('has CPU time from usage_usec and memory from anon, sock and kernel', () => {
    const meter = cgroupMeterOf(4242, treeOf('kernel-6.8'));
    expect(meter.cpuNs()).toBe(157_687_122_000);
    expect(meter.memoryBytes()).toBe(25_473_024 + 69_632 + 4_200_000);
    expect(meter.oomKills()).toBe(2);
    meter.close();
  });

  it('adds up the parts of kernel memory where the kernel does not', () => {
    const meter = cgroupMeterOf(4242, treeOf('kernel-5.10'));
    expect(meter.cpuNs()).toBe(2_500_017_000);
    expect(meter.memoryBytes()).toBe(10_000_000 + 1_000 + 300_000 + 20_000 + 5_000_000);
    expect(meter.oomKills()).toBe(0);
    meter.close();
  });

  it('reads the files anew each time, and CPU time never goes back', () => {
    const root = join(folder, 'tree');
    cpSync('fixtures/cgroup-v2/kernel-5.10', root, { recursive: true });
    const meter = cgroupMeterOf(4242, { proc: join(root, 'proc'), mountPrefix: root });
    const file = join(root, 'sys/fs/cgroup/wrkbench/wrkbench-r1-go-candidate-1/5f0c/cpu.stat');
    writeFileSync(file, 'usage_usec 3000000\nuser_usec 1\n');
    expect(meter.cpuNs()).toBe(3_000_000_000);
    writeFileSync(file, 'usage_usec 2999999\nuser_usec 1\n');
    expect(meter.cpuNs()).toBe(3_000_000_000);
    meter.close();
  });

  it('adds a pooler to its database', () => {
    const meters = ['kernel-6.8', 'kernel-5.10'].map((name) => cgroupMeterOf(4242, treeOf(name)));
    const sum = sumOfMeters(meters);
    expect(sum.cpuNs()).toBe(157_687_122_000 + 2_500_017_000);
    expect(sum.memoryBytes()).toBe(29_742_656 + 15_321_000);
    for (const meter of meters) meter.close();
  });
});

describe('cgroup v1', () => {
  it('finds a container below the part of the hierarchy that a mount shows', () => {
    const root = join(folder, 'v1');
    const container = '5f0c';
    for (const name of ['cpu,cpuacct', 'memory'])
      mkdirSync(join(root, 'sys/fs/cgroup', name, container), { recursive: true });
    mkdirSync(join(root, 'proc/4242'), { recursive: true });
    mkdirSync(join(root, 'proc/self'), { recursive: true });
    const at = (path: string, text: string) => writeFileSync(join(root, path), text);
    at('proc/4242/cgroup', '4:memory:/docker/outer/5f0c\n2:cpu,cpuacct:/docker/outer/5f0c\n0::/docker/outer/5f0c\n');
    at(
      'proc/self/mountinfo',
      '32 31 0:29 /docker/outer /sys/fs/cgroup/cpu,cpuacct ro,relatime - cgroup cgroup rw,cpu,cpuacct\n' +
        '35 31 0:32 /docker/outer /sys/fs/cgroup/memory ro,relatime - cgroup cgroup rw,memory\n',
    );
    at('sys/fs/cgroup/cpu,cpuacct/5f0c/cpuacct.usage', '123456789\n');
    at(
      'sys/fs/cgroup/memory/5f0c/memory.stat',
      'cache 5000\nrss 700\ntotal_cache 5000\ntotal_rss 7000\ntotal_shmem 9\n',
    );
    at('sys/fs/cgroup/memory/5f0c/memory.oom_control', 'oom_kill_disable 0\nunder_oom 0\noom_kill 4\n');
    at('sys/fs/cgroup/memory/5f0c/memory.kmem.usage_in_bytes', '300\n');
    const meter = cgroupMeterOf(4242, { proc: join(root, 'proc'), mountPrefix: root });
    expect([meter.cpuNs(), meter.memoryBytes(), meter.oomKills()]).toEqual([123_456_789, 7_300, 4]);
    meter.close();
  });

  it('says which process it was where there is no cgroup to be found', () => {
    const root = join(folder, 'bare');
    mkdirSync(join(root, '7'), { recursive: true });
    mkdirSync(join(root, 'self'), { recursive: true });
    writeFileSync(join(root, '7', 'cgroup'), '0::/x\n');
    writeFileSync(join(root, 'self', 'mountinfo'), '');
    expect(() => cgroupMeterOf(7, { proc: root, mountPrefix: root })).toThrow(
      'The cgroup of process 7 is not to be found under the mounts of this machine.',
    );
  });
});
