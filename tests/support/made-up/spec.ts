import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import type { MadeUpCase } from './case-record.ts';

export function specOf(services: string[], gate: ResolvedSpec['gate'], cases: MadeUpCase[]): ResolvedSpec {
  const endpoints = [...new Set(cases.map(({ endpoint = 'ping' }) => endpoint))];
  return {
    name: 'rest-api',
    services: services.map((name) => ({
      name,
      image: { kind: 'image', reference: `bench/${name}:1` },
      command: null,
      workingDirectory: '.',
      port: 8080,
      env: {},
      ready: { path: '/ping', timeoutSeconds: 30 },
      memoryBytes: null,
      openFiles: 1_048_576,
      basePath: '',
      network: 'open',
      protocol: 'h1',
      role: name === 'nginx' ? 'reference' : 'subject',
    })),
    database: null,
    gateway: null,
    endpoints: endpoints.map((name) => ({
      name,
      method: 'GET',
      path: `/${name.replace('-', '/')}`,
      headers: {},
      body: null,
      expect: { status: 200, contentType: null, body: null, sizeBytes: null, matches: null },
    })),
    load: {
      wrk: { threads: 4, connections: [100, 1000], keepAlive: [true, false], durationSeconds: 10, timeoutSeconds: 2 },
      k6: {
        arrival: { kind: 'share', shareOfCapacity: 0.6 },
        connections: [100],
        keepAlive: [true, false],
        durationSeconds: 10,
        timeoutSeconds: 10,
        script: null,
      },
      ab: null,
      h2load: null,
      warmUp: { kind: 'auto', windowSeconds: 1, tolerance: 0.02, maxSeconds: 15 },
      coolDownSeconds: 1,
    },
    placement: 'auto',
    gate,
  };
}
