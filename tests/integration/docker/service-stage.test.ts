import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import type { Stage } from '../../../src/app/ports/stage.ts';
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

describe('a service alone on the Docker stage', () => {
  const runtime = dockerRuntime({ environment: process.env });
  const runId = newRunId();
  const service = serviceWith({ env: { PORT: '${port}' }, port: 3000, memoryBytes: 64 * 1024 * 1024 });
  let stage: Stage;

  beforeAll(async () => {
    buildFixtureImages('misbehaving');
    stage = await runtime.start(requestFor(runId, specWith(service)), never());
  });
  afterAll(async () => {
    await stage?.stop();
  });

  it('answers at its own address', async () => {
    expect(stage.origins.direct).toMatch(/^http:\/\/\d+\.\d+\.\d+\.\d+:3000$/);
    const answer = await fetch(`${stage.origins.direct}/ping`);
    expect(await answer.json()).toEqual({ ok: true, message: 'OK' });
    expect(stage.origins).not.toHaveProperty('gateway');
  });

  it('counts the connections that it has accepted', async () => {
    const before = stage.acceptedConnections('direct');
    for (let i = 0; i < 5; i += 1) await askOnce(`${stage.origins.direct}/ping`);
    expect(stage.acceptedConnections('direct') - before).toBe(5);
  });

  it('runs as it was started, and says what it printed', async () => {
    expect(await stage.failure()).toBeNull();
    expect(await stage.logLines('service', 5)).toEqual(['listening on port 3000']);
    expect(await stage.logLines('database', 5)).toEqual([]);
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

  it('reads what the service has used', async () => {
    const { service: meter } = stage.meters;
    expect(stage.meters).toMatchObject({ database: null, gateway: null });
    const before = meter.cpuNs();
    for (let i = 0; i < 300; i += 1) await fetch(`${stage.origins.direct}/ping`);
    expect(meter.cpuNs() - before).toBeGreaterThan(1_000_000);
    expect(meter.memoryBytes()).toBeGreaterThan(500_000);
    expect(meter.memoryBytes()).toBeLessThan(64 * 1024 * 1024);
  });

  it('leaves nothing when it stops, however often it is stopped', async () => {
    const cpu = stage.meters.service.cpuNs();
    const accepted = stage.acceptedConnections('direct');
    await Promise.all([stage.stop(), stage.stop()]);
    await stage.stop();
    expect(thingsOf(runId)).toEqual([]);
    expect(stage.meters.service.cpuNs()).toBeGreaterThanOrEqual(cpu);
    expect(stage.acceptedConnections('direct')).toBe(accepted);
  });
});
