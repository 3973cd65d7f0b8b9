import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/core/config/diagnostics.ts';
import { diagnosticsOf, leastWith } from './specs.ts';

const service = (inner: string) => leastWith('').replace('build: .', `image: x, ${inner}`);
const endpoint = (inner: string) => leastWith('load: {k6: on}').replace('ping: /ping', `ping: ${inner}`);
const search = (inner: string) => leastWith(`search: {generator: h2load, from: 10, to: 20, ${inner}}`);

/** Each kind of value that a spec may hold. */
const PLACES: Record<string, (value: string) => string> = {
  port: (value) => leastWith('').replace('8080', value),
  env: (value) => service(`env: {A: ${value}}`),
  command: (value) => service(`command: ${value}`),
  memory: (value) => service(`memory: ${value}`),
  'open-files': (value) => service(`open-files: ${value}`),
  cpus: (value) => service(`cpus: ${value}`),
  ready: (value) => service(`ready: ${value}`),
  'ready.path': (value) => service(`ready: {path: ${value}}`),
  'ready.port': (value) => service(`ready: {port: ${value}}`),
  'ready.timeout': (value) => service(`ready: {timeout: ${value}}`),
  'base-path': (value) => service(`base-path: ${value}`),
  duration: (value) => service(`duration: ${value}`),
  protocol: (value) => service(`protocol: ${value}`),
  'errors.max': (value) => service(`errors: {max: ${value}}`),
  optional: (value) => service(`optional: ${value}`),
  'pooler.default-pool-size': (value) =>
    leastWith(`database: {pooler: {kind: pgbouncer, default-pool-size: ${value}}}`),
  'database.ready.timeout': (value) => leastWith(`database: {ready: {timeout: ${value}}}`),
  'database.settings': (value) => leastWith(`database: {settings: {work_mem: ${value}}}`),
  endpoint: (value) => endpoint(value),
  method: (value) => endpoint(`{path: /ping, method: ${value}}`),
  expect: (value) => endpoint(`{path: /ping, expect: ${value}}`),
  'expect.status': (value) => endpoint(`{path: /ping, expect: {status: ${value}}}`),
  'expect.size': (value) => endpoint(`{path: /ping, expect: {size: ${value}}}`),
  headers: (value) => endpoint(`{path: /ping, headers: {accept: ${value}}}`),
  preset: (value) => leastWith(`load: {preset: ${value}}`),
  'wrk.threads': (value) => leastWith(`load: {wrk: {threads: ${value}, connections: 1000}}`),
  'wrk.connections': (value) => leastWith(`load: {wrk: {threads: 1, connections: ${value}}}`),
  'wrk.connections.1': (value) => leastWith(`load: {wrk: {threads: 1, connections: [2, ${value}]}}`),
  'wrk.keep-alive': (value) => leastWith(`load: {wrk: {keep-alive: ${value}}}`),
  'wrk.duration': (value) => leastWith(`load: {wrk: {duration: ${value}}}`),
  'wrk.timeout': (value) => leastWith(`load: {wrk: {timeout: ${value}}}`),
  'k6.rate': (value) => leastWith(`load: {k6: {rate: ${value}}}`),
  'h2load.rate': (value) => leastWith(`load: {h2load: {rate: ${value}}}`),
  'ab.requests': (value) => leastWith(`load: {ab: {connections: 1, requests: ${value}}}`),
  'warm-up': (value) => leastWith(`load: {warm-up: ${value}}`),
  'cool-down': (value) => leastWith(`load: {cool-down: ${value}}`),
  'search.from': (value) => leastWith(`search: {to: 10000000, from: ${value}}`),
  'search.connections': (value) => search(`connections: ${value}`),
  'search.duration': (value) => search(`duration: ${value}`),
  'search.limits.p99': (value) => search(`limits: {p99: ${value}}`),
  'search.limits.errors': (value) => search(`limits: {errors: ${value}}`),
  'search.precision': (value) => search(`precision: ${value}`),
  'placement.service': (value) => leastWith(`placement: {service: ${value}, generator: 1}`),
  price: (value) => leastWith(`price: {cpu-hour: ${value}, gib-hour: 1, currency: USD}`),
  'gate.pairing': (value) => leastWith(`gate: {pairing: ${value}}`),
  'gate.budget': (value) => leastWith(`gate: {budget: ${value}}`),
  'gate.builds': (value) => leastWith(`gate: {builds: ${value}}`),
  'gate.throughput.max-decrease': (value) => leastWith(`gate: {throughput: {max-decrease: ${value}}}`),
  'gate.throughput.min': (value) => leastWith(`gate: {throughput: {min: ${value}}}`),
  'gate.latency-p99.max': (value) => leastWith(`gate: {latency-p99: {max: ${value}}}`),
  'gate.memory-peak.max': (value) => leastWith(`gate: {memory-peak: {max: ${value}}}`),
  'gate.errors.max': (value) => leastWith(`gate: {errors: {max: ${value}}}`),
};

/** What has been written in the wrong place, or without its unit. */
const VALUES = [
  ...['0', '1', '5', '29', '30', '50', '300', '512', '3601', '8080', '65536', '65537', '86401', '99999', '1048576'],
  ...['1000000', '10000000', '4294967296', '12345678901234', '0.5', '2.5', '1e3', '-1', 'true', 'True', '0022'],
  ...['"0"', '"1"', '"5"', '"200"', '"404"', '"700"', '"8080"', '"99999"', '"0022"', '"true"', '"12345678901234"'],
  ...['5 %', '0 %', '100 %', '150 %', '5%', '120%', '0.1 rps', '0 rps', '500 req/s', '500/s', '1500.5 / sec', '50 ms'],
  ...[
    'ping',
    '//host/x',
    'a b#c',
    '/a b',
    'node server.js',
    'run -p 08 True',
    'sh -c "a b"',
    '"a: , [b"',
    '"${port} x"',
  ],
  ...['yes', 'on', 'port', 'pots', 'h3', 'standart', 'maxx', 'duett', 'close', '""', '[]', '{}', '~'],
];

/** The mistake with a hint about the value itself. */
function hintOf(text: string): Diagnostic | null {
  return diagnosticsOf(text).find(({ code, nearest }) => code === 'wrong-value' && nearest !== null) ?? null;
}

function withHint(text: string, { line, column, length, nearest }: Diagnostic): string {
  const lines = text.split('\n');
  const wrong = lines[line - 1]!;
  lines[line - 1] = wrong.slice(0, column - 1) + nearest + wrong.slice(column - 1 + length);
  return lines.join('\n');
}

describe('the value that was meant', () => {
  it.each(Object.keys(PLACES))('is one that its place takes: %s', (name) => {
    const refused = VALUES.flatMap((value) => {
      const text = PLACES[name]!(value);
      const hint = hintOf(text);
      if (hint === null) return [];
      const left = diagnosticsOf(withHint(text, hint)).map(({ message }) => message);
      return left.length === 0 ? [] : [`${value} -> ${hint.nearest}: ${left.join('; ')}`];
    });
    expect(refused).toEqual([]);
  });

  it.each([
    ['port', '"8080"', '8080'],
    ['port', '"99999"', null],
    ['ready', '"8080"', 'port'],
    ['ready', '8080', 'port'],
    ['ready', 'ping', '/ping'],
    ['ready.path', 'ping', '/ping'],
    ['ready.port', '"true"', 'true'],
    ['ready.timeout', '30', '30s'],
    ['ready.timeout', '0', null],
    ['memory', '512', '512m'],
    ['memory', '5', null],
    ['memory', '65536', '65536m'],
    ['memory', '65537', null],
    ['memory', '1048576', null],
    ['duration', '10', '10s'],
    ['duration', '0', null],
    ['wrk.duration', '10', '10s'],
    ['wrk.duration', '0', null],
    ['wrk.duration', '86401', null],
    ['warm-up', '0', '0s'],
    ['cool-down', '0', '0s'],
    ['search.duration', '5', '5s'],
    ['search.duration', '3601', null],
    ['search.limits.p99', '50', '50ms'],
    ['search.limits.p99', '0', null],
    ['search.limits.errors', '5 %', '5%'],
    ['search.limits.errors', '100 %', null],
    ['search.from', '"1000000"', '1000000'],
    ['search.from', '500 req/s', null],
    ['gate.budget', '5', '5m'],
    ['gate.budget', '29', '29m'],
    ['gate.budget', '300', '300s'],
    ['gate.budget', '0', null],
    ['k6.rate', '60', '60%'],
    ['k6.rate', '5 %', '5%'],
    ['k6.rate', '150 %', null],
    ['expect', '"200"', '200'],
    ['expect', '"700"', null],
    ['command', 'node server.js', '[node, server.js]'],
    ['command', 'run -p 08 True', '[run, -p, "08", "True"]'],
    ['command', '"${port} x"', '["${port}", x]'],
    ['command', '\'sh -c "a b"\'', null],
    ['env', '0022', '"0022"'],
    ['preset', 'standart', 'standard'],
  ])('of %s: %s is %s', (place, written, meant) => {
    const text = PLACES[place]!(written);
    expect(diagnosticsOf(text).length).toBeGreaterThan(0);
    expect(hintOf(text)?.nearest ?? null).toBe(meant);
  });
});
