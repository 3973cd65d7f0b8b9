import { describe, expect, it } from 'vitest';
import { governedServices } from '../../../src/core/baseline/governed-services.ts';
import { sameOnBothSides } from '../../../src/core/baseline/identity.ts';
import { casesOf } from '../../../src/core/config/case.ts';
import { SpecError } from '../../../src/core/config/diagnostics.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { quickened } from '../../../src/core/config/selection.ts';
import { cpuWarnings, placementFor } from '../../../src/core/topology/placement.ts';

const text = (service: string, load = 'wrk: {connections: [10], keep-alive: on, duration: 10s}') =>
  `name: api\nservices:\n  go: {image: a, port: 80${service}}\nendpoints: {ping: /ping}\nload: {${load}}\n`;
const spec = (service: string, load?: string) => readSpec(text(service, load), 'wrkbench.yml');
const serviceOf = (service: string) => spec(service).services[0]!;

function diagnosticLines(service: string, load?: string): string[] {
  try {
    spec(service, load);
  } catch (error) {
    if (error instanceof SpecError) return error.diagnostics.map(({ message }) => message);
    throw error;
  }
  return [];
}

describe('what a spec tells readers of a service', () => {
  it('is kept as it is written', () => {
    const written = ', title: Go, language: Go, framework: net/http, version: "1.10", url: "https://go.dev/doc?a=b#c"';
    expect(serviceOf(written).about).toEqual({
      ...{ title: 'Go', language: 'Go', framework: 'net/http', version: '1.10', url: 'https://go.dev/doc?a=b#c' },
    });
    expect(Object.keys(serviceOf(''))).not.toContain('about');
  });

  it.each([
    'url: "javascript:alert(1)"',
    'url: "https://me:secret@example.org/"',
    'url: //example.org',
    'url: "https://example.org/a b"',
    'title: "two\\nlines"',
    'title: "\\u202eturned"',
    'title: ""',
    `title: ${'x'.repeat(81)}`,
    'version: 1.10',
  ])('refuses %s', (written) => {
    expect(diagnosticLines(`, ${written}`)).toHaveLength(1);
  });

  it('is no reason to measure again', () => {
    const side = (written: string) => ({
      spec: spec(written),
      artifacts: { go: [`acme@sha256:${'a'.repeat(64)}`] },
      init: [],
      tree: 'tree',
    });
    const same = (other: string) => sameOnBothSides(side(''), side(other), ['go']) !== null;
    expect([same(', title: Go'), same(', cpus: 1')]).toEqual([true, false]);
  });
});

describe('the duration of a service', () => {
  const durations = (own: string, load?: string, isQuick = false) =>
    casesOf(isQuick ? quickened(spec(own, load)) : spec(own, load)).map(({ load: each }) =>
      'durationSeconds' in each ? each.durationSeconds : null,
    );

  it('is that of its trials, for each generator that has one', () => {
    expect(durations('')).toEqual([10]);
    expect(durations(', duration: 60s')).toEqual([60]);
    const both = 'wrk: {connections: [10], keep-alive: on}, ab: {requests: 10, connections: [2]}';
    expect(durations(', duration: 60s', both)).toEqual([60, null]);
  });

  it('is as short as every other with --quick', () => {
    expect(durations(', duration: 60s', undefined, true)).toEqual([2]);
    expect(durations(', duration: 1s', undefined, true)).toEqual([1]);
  });

  it('is refused where nothing that loads it has one, and where it is nothing', () => {
    expect(diagnosticLines(', duration: 60s', 'ab: {requests: 10, connections: [2]}')).toEqual([
      'services.go.duration has no effect: what loads it sends a number of requests, however long that takes',
    ]);
    expect(diagnosticLines(', duration: 0s').join()).toContain('services.go.duration is `0s`');
  });
});

describe('the CPUs of a service', () => {
  const placement = { service: '0,2-4', database: '1', generator: '5' };

  it('are the first of those for services, and no more than there are', () => {
    expect(placementFor(serviceOf(', cpus: 2'), placement)).toEqual({ ...placement, service: '0,2' });
    const shared = { service: '0-1', database: '0,1', generator: '2' };
    expect(placementFor(serviceOf(', cpus: 1'), shared)).toEqual({ ...shared, service: '0', database: '0' });
    expect(placementFor(serviceOf(', cpus: 9'), placement)).toBe(placement);
    expect(placementFor(serviceOf(''), placement)).toBe(placement);
    const anywhere = { service: '', database: '', generator: '' };
    expect(placementFor(serviceOf(', cpus: 1'), anywhere)).toBe(anywhere);
  });

  it('may have a part of one: it runs on the whole of that', () => {
    expect(serviceOf(', cpus: 0.25').cpus).toBe(0.25);
    expect(placementFor(serviceOf(', cpus: 0.25'), placement)).toEqual({ ...placement, service: '0' });
    expect(placementFor(serviceOf(', cpus: 1.5'), placement)).toEqual({ ...placement, service: '0,2' });
    expect(placementFor(serviceOf(', cpus: 3.5'), placement)).toEqual({ ...placement, service: '0,2-4' });
    expect(placementFor(serviceOf(', cpus: 4.5'), placement)).toBe(placement);
  });

  it.each(['0', '0.05', '1025', '-1', '"0.5"', 'half'])('refuses %s', (written) => {
    expect(diagnosticLines(`, cpus: ${written}`).join()).toContain(
      'expected a number of CPUs, 0.1 to 1024, such as 2 or 0.5',
    );
  });

  it('are told where there are fewer', () => {
    expect(cpuWarnings([serviceOf(', cpus: 9')], placement)).toEqual([
      'go is to run on 9 CPUs, and services have 4 here (0,2-4): it runs on those.',
    ]);
    expect(cpuWarnings([serviceOf(', cpus: 1.5')], { ...placement, service: '0' })).toEqual([
      'go is to run on 1.5 CPUs, and services have 1 here (0): it runs on that one, without a limit of CPU time.',
    ]);
    expect(cpuWarnings([serviceOf(', cpus: 4'), serviceOf('')], placement)).toEqual([]);
  });

  it("are the baseline's in a comparison, like its duration", () => {
    const [candidate, baseline] = [spec(', cpus: 4, duration: 1s'), spec(', cpus: 1')];
    const [go] = governedServices(candidate, baseline);
    expect(go!.cpus).toBe(1);
    expect(Object.keys(go!)).not.toContain('durationSeconds');
  });
});

describe('the further ports of a service', () => {
  const told = ', ports: {grpc: 9090, metrics: 2112}, env: {GRPC: ":${ports.grpc}"}';

  it('are numbers by their names, which its command and environment may name', () => {
    expect(serviceOf(told).ports).toEqual({ grpc: 9090, metrics: 2112 });
    expect(serviceOf('')).not.toHaveProperty('ports');
    expect(diagnosticLines(', ports: {grpc: 9090}, command: [serve, "${ports.grcp}"]')).toEqual([
      'services.go.command.1: `${ports.grcp}` is not a placeholder: did you mean `${ports.grpc}`?',
    ]);
  });

  it.each([
    ['ports: {http: 80}', 'services.go.ports.http is 80, which is `port` as well: expected a port of its own'],
    ['ports: {a: 90, b: 90}', 'services.go.ports.b is 90, which is `ports.a` as well: expected a port of its own'],
    [
      'ports: [9090]',
      expect.stringContaining('expected a map from names to TCP ports such as {grpc: 9090, metrics: 2112}'),
    ],
    ['ports: {grpc: 70000}', expect.stringContaining('expected a TCP port, 1 to 65535')],
    ['ports: {GRPC: 9090}', expect.stringContaining('expected a name of lower-case letters, digits and inner -')],
  ])('are refused as %s', (written, message) => {
    expect(diagnosticLines(`, ${written}`)).toEqual([message]);
  });

  it('leave no dependency their name', () => {
    const text = `name: api\nservices: {go: {image: a, port: 80}}\nendpoints: {ping: /ping}\ndependencies: {ports: {image: b}}\n`;
    expect(() => readSpec(text, 'wrkbench.yml')).toThrow(SpecError);
  });
});
