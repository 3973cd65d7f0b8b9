import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../src/core/config/read.ts';
import type { GateRules } from '../../../src/core/config/resolved.ts';
import { diagnosticsOf, leastWith, RIGHT_SPECS } from './specs.ts';

const DEFAULT_LIMITS: GateRules['metrics'] = {
  throughput: { maxDecrease: { kind: 'ratio', value: 0.05 } },
  'latency-p50': { maxIncrease: { kind: 'ratio', value: 0.05 } },
  'cpu-per-request': { maxIncrease: { kind: 'ratio', value: 0.03 } },
  'memory-peak': { maxIncrease: { kind: 'ratio', value: 0.1 } },
  'throughput-solo': { maxDecrease: { kind: 'ratio', value: 0.1, watched: true } },
  'latency-p90': { maxIncrease: { kind: 'ratio', value: 0.1, watched: true } },
  'latency-p99': { maxIncrease: { kind: 'ratio', value: 0.5, watched: true } },
  'memory-growth': { maxIncrease: { kind: 'absolute', value: 100, watched: true } },
  'start-up': { maxIncrease: { kind: 'ratio', value: 0.2, watched: true } },
  'queries-per-request': { maxIncrease: { kind: 'absolute', value: 0 } },
};

describe('a spec of four lines', () => {
  it('has every default filled in', () => {
    expect(readSpec(RIGHT_SPECS['least.yml']!, 'least.yml')).toEqual({
      name: 'rest-api',
      services: [
        {
          name: 'go',
          image: { kind: 'build', context: '.', dockerfile: 'Dockerfile', target: null, args: {} },
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
          role: 'subject',
        },
      ],
      database: null,
      gateway: null,
      endpoints: [
        {
          name: 'ping',
          method: 'GET',
          path: '/ping',
          headers: {},
          body: null,
          expect: { status: 200, contentType: null, body: null, sizeBytes: null, matches: null },
        },
      ],
      load: {
        wrk: { threads: 4, connections: [100, 1000], keepAlive: [true, false], durationSeconds: 10, timeoutSeconds: 2 },
        k6: {
          arrival: { kind: 'share', shareOfCapacity: 0.6 },
          connections: [50],
          keepAlive: [true],
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
      gate: {
        baseline: 'auto',
        metrics: DEFAULT_LIMITS,
        cases: {},
        budgetSeconds: null,
      },
    });
  });
});

it('has names as they are written, also where YAML reads a number or true', () => {
  const text = `name: a\nservices: {1.10: {image: x, port: 80, env: {TRUE: a}}, 08: {image: x, port: 81}}\nendpoints: {2.0: /}\n`;
  const { services, endpoints } = readSpec(text, 'x.yml');
  expect(services.map(({ name, env }) => [name, env])).toEqual([
    ['1.10', { TRUE: 'a' }],
    ['08', {}],
  ]);
  expect(endpoints.map(({ name }) => name)).toEqual(['2.0']);
});

describe('the spec of the contract', () => {
  const spec = readSpec(RIGHT_SPECS['everything.yml']!, 'everything.yml');

  it('has its services in the order of the file', () => {
    expect(spec.services).toEqual([
      {
        name: 'go',
        image: { kind: 'build', context: '.', dockerfile: 'Dockerfile', target: null, args: {} },
        command: null,
        workingDirectory: '.',
        port: 8080,
        env: { WORKERS: '4', DATABASE_URL: `\${database.url}` },
        ready: { path: '/api/v4/ping', timeoutSeconds: 30 },
        memoryBytes: 512 * 1024 ** 2,
        openFiles: 1_048_576,
        basePath: '/api/v4',
        network: 'open',
        protocol: 'h1',
        role: 'subject',
      },
      {
        name: 'nginx',
        image: { kind: 'image', reference: 'nginx:1.29' },
        command: null,
        workingDirectory: '.',
        port: 80,
        env: {},
        ready: { path: '/ping', timeoutSeconds: 30 },
        memoryBytes: null,
        openFiles: 1_048_576,
        basePath: '',
        network: 'open',
        protocol: 'h1',
        role: 'reference',
      },
    ]);
  });

  it('has a service optional only where it says so', () => {
    const optional = (text: string) =>
      readSpec(`name: api\nservices: {go: {image: a, port: 80${text}}}\nendpoints: {ping: /ping}\n`, 'wrkbench.yml')
        .services[0]!.optional;
    expect([optional(', optional: true'), optional(', optional: false'), optional('')]).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  it('is ready by its port alone where it says so', () => {
    const ready = (text: string) =>
      readSpec(
        `name: api\nservices: {go: {image: a, port: 80, ready: ${text}}}\nendpoints: {ping: /ping}\n`,
        'wrkbench.yml',
      ).services[0]!.ready;
    expect(ready('port')).toEqual({ path: null, timeoutSeconds: 30 });
    expect(ready('{port: true, timeout: 5s}')).toEqual({ path: null, timeoutSeconds: 5 });
    expect(ready('/up')).toEqual({ path: '/up', timeoutSeconds: 30 });
  });

  it('has what may pass of a service: that it closes connections, and how many errors', () => {
    const [go, rust] = readSpec(
      'name: api\nservices: {go: {image: a, port: 80, keep-alive: closes, errors: {max: 5%}}, rust: {image: a, port: 80, keep-alive: keeps}}\nendpoints: {ping: /ping}\n',
      'wrkbench.yml',
    ).services;
    expect(go).toMatchObject({ keepAlive: 'closes', errors: { max: 0.05 } });
    expect(Object.keys(rust!)).not.toContain('keepAlive');
    expect(Object.keys(rust!)).not.toContain('errors');
  });

  it('keeps a service without a way out where it says so', () => {
    const { services } = readSpec(
      'name: api\nservices: {go: {image: a, port: 80, network: internal}}\nendpoints: {ping: /ping}\n',
      'wrkbench.yml',
    );
    expect(services[0]!.network).toBe('internal');
  });

  it('has its database, pooler and gateway', () => {
    expect(spec.database).toEqual({
      image: 'postgres:18',
      settings: { fsync: 'off', shared_buffers: '256MB', max_connections: '200' },
      init: ['sql/schema.sql', 'sql/users.sql'],
      name: 'bench',
      user: 'bench',
      pooler: {
        kind: 'pgbouncer',
        image: 'edoburu/pgbouncer:v1.24.1-p1',
        mode: 'session',
        defaultPoolSize: 50,
        maxClientConnections: 500,
      },
      readyTimeoutSeconds: 60,
    });
    expect(spec.gateway).toEqual({ kind: 'nginx', image: 'nginx:1.29' });
  });

  it('has its endpoints with what each answer must be', () => {
    expect(
      spec.endpoints.map(({ name, method, path, headers, body }) => ({ name, method, path, headers, body })),
    ).toEqual([
      { name: 'ping', method: 'GET', path: '/ping', headers: {}, body: null },
      { name: 'db-ping', method: 'GET', path: '/db/ping', headers: {}, body: null },
      {
        name: 'pong',
        method: 'POST',
        path: '/ping',
        headers: { 'content-type': 'application/json' },
        body: '{"sequence": 2}',
      },
    ]);
    expect(spec.endpoints[0]!.expect).toEqual({
      status: 200,
      contentType: 'application/json',
      body: null,
      json: { ok: true, message: 'OK' },
      sizeBytes: null,
      matches: null,
    });
  });

  it('has its gate in the units of the metrics', () => {
    const ratio = (value: number) => ({ kind: 'ratio', value });
    expect(spec.gate).toEqual({
      baseline: 'auto',
      metrics: {
        ...DEFAULT_LIMITS,
        'cpu-per-request': { maxIncrease: ratio(0.03) },
        throughput: { maxDecrease: ratio(0.05) },
        'latency-p50': { maxIncrease: ratio(0.05) },
        'memory-peak': { maxIncrease: ratio(0.1) },
        'queries-per-request': { maxIncrease: { kind: 'absolute', value: 0 } },
        'latency-p99': { max: 50 },
      },
      cases: { '/db/*': { 'cpu-per-request': { maxIncrease: ratio(0.05) } } },
      budgetSeconds: 300,
    });
  });
});

describe('short ways to write', () => {
  const spec = readSpec(RIGHT_SPECS['shorthand.yml']!, 'shorthand.yml');
  const [go, node] = spec.services;

  it('take a path for a build, a readiness, a database, a gateway and an endpoint', () => {
    expect(go!.image).toEqual({
      kind: 'build',
      context: 'servers/go',
      dockerfile: 'Dockerfile',
      target: null,
      args: {},
    });
    expect(go!.ready).toEqual({ path: '/ping', timeoutSeconds: 30 });
    expect(spec.database).toMatchObject({ image: 'postgres:17', name: 'bench', user: 'bench', pooler: null });
    expect(spec.gateway).toEqual({ kind: 'nginx', image: 'nginx:1.29' });
    expect(spec.endpoints[0]).toMatchObject({ name: 'ping', method: 'GET', path: '/ping' });
  });

  it('make numbers and truth values into text where text is meant', () => {
    expect(go!.env).toEqual({ WORKERS: '4', DEBUG: 'false', RATIO: '0.5', LITERAL: `$\${HOME}` });
    expect(node!.command).toEqual(['node', 'server.js', '--port', `\${port}`, '4']);
  });

  it('take a status or a size for a whole expectation', () => {
    expect(spec.endpoints.map(({ expect }) => [expect.status, expect.sizeBytes])).toEqual([
      [200, null],
      [201, null],
      [200, { min: 13, max: 13 }],
      [200, { min: 1024, max: Number.MAX_SAFE_INTEGER }],
    ]);
  });

  it('tell a JSON null that is expected from JSON that is not checked', () => {
    expect(spec.endpoints.map(({ expect }) => Object.hasOwn(expect, 'json'))).toEqual([false, false, false, true]);
  });

  it('drop the slash at the end of a base path, and put the base path before the default readiness', () => {
    expect(go!.basePath).toBe('/api/v4');
    const text = leastWith('').replace('port: 8080', 'port: 8080, base-path: /api/');
    expect(readSpec(text, 'x').services[0]!.ready.path).toBe('/api/ping');
  });

  it('take one value for a list of one, and on for a generator with its defaults', () => {
    expect(spec.load.wrk).toMatchObject({ connections: [2], keepAlive: [false], threads: 4 });
    expect(spec.load.k6).toMatchObject({ arrival: { kind: 'rate', requestsPerSecond: 2000 }, connections: [100] });
    expect(spec.load.ab).toEqual({ requests: 10_000, connections: [128], keepAlive: [false], timeoutSeconds: 30 });
    expect(spec.load.warmUp).toEqual({ kind: 'fixed', seconds: 3 });
  });

  it('place the database with the service', () => {
    expect(spec.placement).toEqual({ service: '0', database: '0', generator: '1-2' });
  });

  it('read absolute limits with their units', () => {
    expect(spec.gate.metrics).toEqual({
      ...DEFAULT_LIMITS,
      errors: { max: 0.001 },
      'latency-p99': { max: 1000, maxIncrease: { kind: 'absolute', value: 2 } },
      'cpu-per-request': { max: 120 },
    });
    const text = leastWith(
      'gate: {memory-peak: {max-increase: 64m, max: 1g}, throughput: {min: 2000/s, max-decrease: 50}}',
    );
    expect(readSpec(text, 'x').gate.metrics).toEqual({
      ...DEFAULT_LIMITS,
      'memory-peak': { maxIncrease: { kind: 'absolute', value: 67_108_864 }, max: 1_073_741_824 },
      throughput: { min: 2000, maxDecrease: { kind: 'absolute', value: 50 } },
    });
  });

  it('replace the default of their metric whole; off leaves a metric without a limit', () => {
    const text = leastWith('gate: {latency-p50: {max: 5ms}, throughput: off, cases: {go: {memory-peak: "off"}}}');
    const { metrics, cases } = readSpec(text, 'x').gate;
    expect(metrics).toEqual({ ...DEFAULT_LIMITS, 'latency-p50': { max: 5 }, throughput: {} });
    expect(cases).toEqual({ go: { 'memory-peak': {} } });
  });
});

describe('keys that are absent where nothing is written', () => {
  it('are the price, the password of the database, and the configuration and endpoints of the gateway', () => {
    const written = readSpec(
      leastWith(`price: {cpu-hour: 0.04, gib-hour: 0, currency: EUR}
database: {password: a b}
gateway: {kind: nginx, config: load/own.conf, endpoints: ping}
`),
      'wrkbench.yml',
    );
    expect(written.price).toEqual({ cpuHour: 0.04, gibHour: 0, currency: 'EUR' });
    expect(written.database?.password).toBe('a b');
    expect(written.gateway).toMatchObject({ config: 'load/own.conf', endpoints: ['ping'] });
    const bare = readSpec(leastWith('database: {}\ngateway: nginx\n'), 'wrkbench.yml');
    expect(bare).not.toHaveProperty('price');
    expect(bare.database).not.toHaveProperty('password');
    expect(Object.keys(bare.gateway!)).toEqual(['kind', 'image']);
  });
});

describe('builds of each side', () => {
  it('are one, which is not kept, or as many as are written', () => {
    expect(readSpec(leastWith(''), 'x').gate).not.toHaveProperty('builds');
    expect(readSpec(leastWith('gate: {builds: 1}'), 'x').gate).not.toHaveProperty('builds');
    expect(readSpec(leastWith('gate: {builds: 5}'), 'x').gate.builds).toBe(5);
  });
});

describe('a readiness that is not written', () => {
  it('is the first endpoint that is asked by GET, else /', () => {
    const text = (endpoints: string) => `name: a\nservices: {go: {build: ., port: 80}}\nendpoints: ${endpoints}\n`;
    const pathOf = (endpoints: string) => readSpec(text(endpoints), 'x').services[0]!.ready.path;
    expect(pathOf('{made: {method: POST, path: /made}, ping: /ping}')).toBe('/ping');
    expect(pathOf('{made: {method: POST, path: /made}}')).toBe('/');
  });
});

describe('anchors, aliases and merged maps', () => {
  it('are the values that they stand for', () => {
    const { services } = readSpec(RIGHT_SPECS['anchors.yml']!, 'anchors.yml');
    expect(services.map(({ name, image, port, env }) => ({ name, image, port, env }))).toEqual([
      { name: 'one', image: { kind: 'image', reference: 'ghcr.io/acme/one:1' }, port: 8080, env: { WORKERS: '4' } },
      { name: 'two', image: { kind: 'image', reference: 'ghcr.io/acme/two:1' }, port: 8080, env: { WORKERS: '4' } },
      { name: 'three', image: { kind: 'image', reference: 'ghcr.io/acme/one:1' }, port: 9090, env: { WORKERS: '4' } },
    ]);
  });
});

describe('the examples of the reference', () => {
  const examples = ['spec', 'applications', 'services'].flatMap((page) =>
    [...readFileSync(`docs/${page}.md`, 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text!),
  );

  it('are right specs', () => {
    expect(examples.length).toBeGreaterThan(3);
    expect(examples.flatMap((text) => diagnosticsOf(text).map(({ message }) => message))).toEqual([]);
  });

  it('show every key at the top', () => {
    const spec = readSpec(examples[1]!, 'docs/spec.md');
    expect(spec.services.map(({ name }) => name)).toEqual(['go', 'node', 'nginx']);
    expect(spec.load.wrk && spec.load.k6 && spec.load.ab).not.toBeNull();
  });
});
