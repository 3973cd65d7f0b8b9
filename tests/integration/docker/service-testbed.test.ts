import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import { machineMemoryBytes } from '../../../src/adapters/process/machine-memory.ts';
import type { Testbed } from '../../../src/app/ports/testbed.ts';
import {
  askOnce,
  buildFixtureImages,
  docker,
  expectedParent,
  never,
  newRunId,
  requestFor,
  serviceWith,
  specWith,
  thingsOf,
} from './given.ts';

describe('a service alone on the Docker testbed', () => {
  const runtime = dockerRuntime({ environment: process.env });
  const runId = newRunId();
  const service = serviceWith({ env: { PORT: '${port}' }, port: 3000, memoryBytes: 64 * 1024 * 1024 });
  let testbed: Testbed;

  beforeAll(async () => {
    buildFixtureImages('misbehaving');
    testbed = await runtime.start(requestFor(runId, specWith(service)), never());
  });
  afterAll(async () => {
    await testbed?.stop();
  });

  it('answers at its own address', async () => {
    expect(testbed.origins.direct).toMatch(/^http:\/\/\d+\.\d+\.\d+\.\d+:3000$/);
    const answer = await fetch(`${testbed.origins.direct}/ping`);
    expect(await answer.json()).toEqual({ ok: true, message: 'OK' });
    expect(testbed.origins).not.toHaveProperty('gateway');
  });

  it('counts the connections that it has accepted', async () => {
    const before = testbed.acceptedConnections('direct');
    for (let i = 0; i < 5; i += 1) await askOnce(`${testbed.origins.direct}/ping`);
    expect(testbed.acceptedConnections('direct') - before).toBe(5);
  });

  it('runs as it was started, and says what it printed', async () => {
    expect(await testbed.failure()).toBeNull();
    expect(await testbed.logLines('service', 5)).toEqual(['listening on port 3000']);
    expect(await testbed.logLines('database', 5)).toEqual([]);
  });

  it('is hardened, limited and placed', () => {
    const [name = ''] = thingsOf(runId);
    expect(name).toBe(`wrkbench-${runId}-plain-candidate-1-service`);
    const [{ HostConfig: host, Config: config }] = JSON.parse(docker('container', 'inspect', name));
    expect(host).toMatchObject({
      Privileged: false,
      SecurityOpt: ['no-new-privileges'],
      CapDrop: ['ALL'],
      Memory: 67_108_864,
      MemorySwap: 67_108_864,
      CpusetCpus: '0',
      CpuShares: 1024,
      PidsLimit: 16_384,
      CgroupParent: expectedParent(runId, 'plain'),
      PublishAllPorts: false,
      Ulimits: [{ Name: 'nofile', Soft: 4096, Hard: 4096 }],
    });
    expect(host.CapAdd.map((name: string) => name.replace('CAP_', '')).sort()).toEqual([
      'CHOWN',
      'DAC_OVERRIDE',
      'FOWNER',
      'KILL',
      'SETGID',
      'SETUID',
    ]);
    expect(host.Binds).toBeNull();
    expect(docker('container', 'port', name)).toBe('');
    expect(config.Env).toContain('PORT=3000');
    expect(config.Labels['wrkbench.owner']).toMatch(new RegExp(`^[0-9a-f-]{36}:\\d+:${process.pid}:\\d+$`));
  });

  it('may have 40 % of the memory of the machine where its spec sets no limit', async () => {
    const unlimited = newRunId();
    const other = await runtime.start(requestFor(unlimited, specWith(serviceWith({ memoryBytes: null }))), never());
    try {
      const format = '{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}}';
      const name = `wrkbench-${unlimited}-plain-candidate-1-service`;
      const [memory, withSwap] = docker('container', 'inspect', '--format', format, name).trim().split(' ').map(Number);
      expect(memory! / machineMemoryBytes()).toBeCloseTo(0.4, 2);
      expect(withSwap).toBe(memory);
    } finally {
      await other.stop();
    }
  });

  it('reads what the service has used', async () => {
    const { service: meter } = testbed.meters;
    expect(testbed.meters).toMatchObject({ database: null, gateway: null });
    const before = meter.cpuNs();
    for (let i = 0; i < 300; i += 1) await fetch(`${testbed.origins.direct}/ping`);
    expect(meter.cpuNs() - before).toBeGreaterThan(1_000_000);
    expect(meter.memoryBytes()).toBeGreaterThan(500_000);
    expect(meter.memoryBytes()).toBeLessThan(64 * 1024 * 1024);
  });

  it('leaves nothing when it stops, however often it is stopped', async () => {
    const cpu = testbed.meters.service.cpuNs();
    const accepted = testbed.acceptedConnections('direct');
    await Promise.all([testbed.stop(), testbed.stop()]);
    await testbed.stop();
    expect(thingsOf(runId)).toEqual([]);
    expect(testbed.meters.service.cpuNs()).toBeGreaterThanOrEqual(cpu);
    expect(testbed.acceptedConnections('direct')).toBe(accepted);
  });
});

describe('what the engine is asked', () => {
  /** An environment whose `docker` notes its first two words, and those words so far. */
  function noting(): { environment: Record<string, string | undefined>; calls(): string[] } {
    const folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [program, notes] = [join(folder, 'docker'), join(folder, 'notes')];
    const real = execFileSync('sh', ['-c', 'command -v docker'], { encoding: 'utf8' }).trim();
    writeFileSync(program, `#!/bin/sh\necho "$1 $2" >> ${notes}\nexec ${real} "$@"\n`);
    chmodSync(program, 0o755);
    return {
      environment: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
      calls: () => readFileSync(notes, 'utf8').trim().split('\n'),
    };
  }
  const service = serviceWith({ openFiles: 5000 });
  const limitsOf = (runId: string) =>
    JSON.parse(
      docker(
        'container',
        'inspect',
        '--format',
        '{{json .HostConfig.Ulimits}}',
        `wrkbench-${runId}-plain-candidate-1-service`,
      ),
    );

  it('is where it is and what it is like, once for all runtimes of a process', async () => {
    const { environment, calls } = noting();
    for (const round of [1, 2]) {
      const runtime = dockerRuntime({ environment });
      await runtime.sweep();
      const request = requestFor(newRunId(), specWith(serviceWith()), { round });
      await (await runtime.start(request, never())).stop();
    }
    expect(calls().filter((call) => call.startsWith('info'))).toEqual(['info --format']);
    expect(calls().filter((call) => call.startsWith('context')).length).toBeLessThanOrEqual(1);
  });

  it('is not for more open files than it can give, so that no container is made twice', async () => {
    const { environment, calls } = noting();
    const runId = newRunId();
    const runtime = dockerRuntime({ environment, mostOpenFiles: () => 4999 });
    const testbed = await runtime.start(requestFor(runId, specWith(service)), never());
    try {
      expect(limitsOf(runId) ?? []).toEqual([]);
      expect(calls().filter((call) => call === 'container create')).toHaveLength(1);
    } finally {
      await testbed.stop();
    }
  });

  it('is for as many open files as it can give', async () => {
    const runId = newRunId();
    const runtime = dockerRuntime({ environment: process.env, mostOpenFiles: () => 5000 });
    const testbed = await runtime.start(requestFor(runId, specWith(service)), never());
    try {
      expect(limitsOf(runId)).toEqual([{ Name: 'nofile', Soft: 5000, Hard: 5000 }]);
    } finally {
      await testbed.stop();
    }
  });
});
