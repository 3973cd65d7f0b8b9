import type { Case } from '../../../src/core/config/case.ts';
import type { Endpoint } from '../../../src/core/config/resolved.ts';
import type { InvocationRequest } from '../../../src/core/generators/definition.ts';
import type { CaseLoad } from '../../../src/core/generators/registry.ts';
import { keepAliveName } from '../../../src/core/measurement/names.ts';
import type { Protocol } from '../../../src/core/values/protocol.ts';

export const LOADS = {
  wrk: { generator: 'wrk', threads: 4, durationSeconds: 10, timeoutSeconds: 2 },
  k6: {
    generator: 'k6',
    arrival: { kind: 'share', shareOfCapacity: 0.6 },
    durationSeconds: 10,
    timeoutSeconds: 2,
    script: null,
  },
  ab: { generator: 'ab', requests: 10_000, timeoutSeconds: 30 },
  h2load: {
    generator: 'h2load',
    arrival: { kind: 'share', shareOfCapacity: 0.6 },
    threads: 1,
    streams: 10,
    durationSeconds: 10,
    timeoutSeconds: 2,
  },
} satisfies Record<string, CaseLoad>;

export interface CaseParts {
  endpoint?: Partial<Endpoint>;
  basePath?: string;
  keepAlive?: boolean;
  connections?: number;
  protocol?: Protocol;
}

/** A case of a service `go` whose endpoint is `GET /ping` unless told otherwise. */
export function caseOf(load: CaseLoad, parts: CaseParts = {}): Case {
  const { endpoint, basePath = '', keepAlive = true, connections = 100, protocol = 'h1' } = parts;
  return {
    key: `go/ping/direct/${load.generator}/${keepAliveName(keepAlive)}/${connections}`,
    service: {
      name: 'go',
      image: null,
      command: ['./server'],
      workingDirectory: '.',
      port: 8080,
      env: {},
      ready: { path: '/ping', timeoutSeconds: 30 },
      memoryBytes: null,
      openFiles: 65_536,
      basePath,
      network: 'open',
      protocol,
      role: 'subject',
    },
    endpoint: {
      name: 'ping',
      method: 'GET',
      path: '/ping',
      headers: {},
      body: null,
      ...endpoint,
      expect: { status: 200, contentType: null, body: null, sizeBytes: null, matches: null, ...endpoint?.expect },
    },
    route: 'direct',
    generator: load.generator,
    keepAlive,
    connections,
    load,
  };
}

export function requestOf(
  load: CaseLoad,
  parts: CaseParts = {},
  more: Partial<InvocationRequest> = {},
): InvocationRequest {
  return {
    case: caseOf(load, parts),
    origin: 'http://172.18.0.3:8080',
    durationSeconds: 10,
    rate: null,
    cpuCount: null,
    directory: '/run/trial',
    script: null,
    ...more,
  };
}

/** The endpoint of the event-pong preset. */
export const PONG: Partial<Endpoint> = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Trace': 'say "hi"\\' },
  body: '{"sequence": 2}',
};
