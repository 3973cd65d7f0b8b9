import { describe, expect, it } from 'vitest';
import { standardNeeds } from '../../../src/core/doctor/needs.ts';
import { needs } from './machines.ts';

const MIB = 1024 ** 2;

describe('what a spec needs of a machine', () => {
  it('is what the largest case of its plan needs', () => {
    expect(needs()).toEqual({
      generators: { wrk: 4, k6: 1 },
      warmUpGenerators: ['wrk'],
      database: false,
      pooler: false,
      syscalls: false,
      gateway: false,
      withoutImage: [],
      withoutCommand: [],
      internal: [],
      partsOfCpu: [],
      openNetwork: true,
      connections: 1000,
      narrowServices: [],
      openFiles: { generator: 1256, service: 1256, gateway: 2256 },
      closingSeconds: 25,
      outputBytes: 8 * MIB + 5 * 128 * 1024,
      memoryBytes: 256 * MIB + 128 * MIB + 1000 * 32 * 1024,
    });
  });

  it('is the standard preset where there is no spec', () => {
    expect(standardNeeds()).toEqual(needs());
  });

  it('holds wrk where no case is driven by it, since it warms up for the others', () => {
    expect(needs('load: {ab: {connections: [8]}, k6: {connections: [4]}}').generators).toEqual({
      wrk: 0,
      k6: 2,
      ab: 1,
    });
  });

  it('holds database, pooler and gateway, with shared_buffers in Postgres notation', () => {
    const lines = (buffers: string) => `
database: {settings: {shared_buffers: "${buffers}"}, pooler: {kind: pgbouncer}}
gateway: {kind: nginx}`;
    expect(needs(lines('256MB'))).toMatchObject({ database: true, pooler: true, gateway: true });
    const taken = (buffers: string) => needs(lines(buffers)).memoryBytes - needs().memoryBytes - 128 * MIB;
    expect(taken('256MB')).toBe(256 * MIB);
    expect(taken('1GB')).toBe(1024 * MIB);
    expect(taken('16384')).toBe(128 * MIB);
    expect(taken('half of it')).toBe(128 * MIB);
  });

  it('takes the default of Postgres where shared_buffers is not set', () => {
    expect(needs('database: {}').memoryBytes - needs().memoryBytes).toBe(256 * MIB);
  });

  it('takes the memory limit of the largest service, since one runs at a time', () => {
    const limited = needs('', 'image: acme/api, memory: 2g');
    expect(limited.memoryBytes - needs().memoryBytes).toBe(2048 * MIB - 256 * MIB);
  });

  it('names services that cannot be started in one of the runtimes', () => {
    expect(needs('', 'image: acme/api')).toMatchObject({ withoutImage: [], withoutCommand: ['go'] });
    expect(needs('', 'command: [./api]')).toMatchObject({ withoutImage: ['go'], withoutCommand: [] });
  });

  it('leaves out optional services, which a run can go without', () => {
    expect(needs('', 'command: [./api], optional: true').withoutImage).toEqual([]);
    expect(needs('', 'image: acme/api, network: internal, optional: true')).toMatchObject({
      withoutCommand: [],
      internal: [],
      partsOfCpu: [],
    });
  });

  it('names services whose network is to have no way out', () => {
    expect(needs('', 'image: acme/api, network: internal')).toMatchObject({ internal: ['go'], openNetwork: false });
  });

  it('names services that may open fewer files than they get connections', () => {
    const narrow = needs('load: {preset: event-pong}', 'image: acme/api, open-files: 1024');
    expect(narrow.narrowServices).toEqual([{ service: 'go', openFiles: 1024 }]);
    expect(narrow.connections).toBe(20_000);
  });

  it('knows no closing connections where keep-alive is always on, and only the warm-up of ab', () => {
    expect(needs('load: {wrk: {keep-alive: [on]}}').closingSeconds).toBeNull();
    expect(needs('load: {preset: users-1000, warm-up: 3s}').closingSeconds).toBe(3);
  });
});
