import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { casesOf, numberOfCases } from '../../../src/core/config/case.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { specOfServices, specWith } from '../plan/fixtures.ts';

function keysOf(load: string, more = '') {
  return casesOf(specWith(load, more)).map(({ key }) => key);
}

describe('the cases of a spec', () => {
  it('are service x endpoint x generator x keep-alive x connections', () => {
    expect(keysOf('{preset: standard}')).toEqual([
      'go/ping/direct/wrk/keep-alive/100',
      'go/ping/direct/wrk/keep-alive/1000',
      'go/ping/direct/wrk/keep-alive-off/100',
      'go/ping/direct/wrk/keep-alive-off/1000',
      'go/ping/direct/k6/keep-alive/50@60%',
      'go/db-ping/direct/wrk/keep-alive/100',
      'go/db-ping/direct/wrk/keep-alive/1000',
      'go/db-ping/direct/wrk/keep-alive-off/100',
      'go/db-ping/direct/wrk/keep-alive-off/1000',
      'go/db-ping/direct/k6/keep-alive/50@60%',
    ]);
  });

  it('are twice as many with a gateway', () => {
    expect(keysOf('{wrk: {connections: 10, keep-alive: on}}', 'gateway: nginx\n')).toEqual([
      'go/ping/direct/wrk/keep-alive/10',
      'go/ping/gateway/wrk/keep-alive/10',
      'go/db-ping/direct/wrk/keep-alive/10',
      'go/db-ping/gateway/wrk/keep-alive/10',
    ]);
  });

  it.each([
    ['ping', ['go/ping/direct', 'go/ping/gateway', 'go/db-ping/direct']],
    ['["d?-*"]', ['go/ping/direct', 'go/db-ping/direct', 'go/db-ping/gateway']],
    ['["*ping", ping]', ['go/ping/direct', 'go/ping/gateway', 'go/db-ping/direct', 'go/db-ping/gateway']],
  ])('go through the gateway for the endpoints that it names: %s', (endpoints, routes) => {
    const load = '{wrk: {connections: 10, keep-alive: on}}';
    const gateway = `gateway: {kind: nginx, endpoints: ${endpoints}}\n`;
    expect(keysOf(load, gateway)).toEqual(routes.map((route) => `${route}/wrk/keep-alive/10`));
    expect(numberOfCases(specWith(load, gateway))).toBe(routes.length);
  });

  it('are refused for an endpoint of the gateway that there is not, with its place', () => {
    expect(() => specWith('{wrk: on}', 'gateway: {kind: nginx, endpoints: [ping, "x-*"]}\n')).toThrow(
      'gateway.endpoints.1 is `x-*`, which is no endpoint of the spec: expected ping or db-ping',
    );
    expect(() => specWith('{wrk: on}', 'gateway: {kind: nginx, endpoints: pong}\n')).toThrow(
      'gateway.endpoints is `pong`, which is no endpoint of the spec: expected ping or db-ping',
    );
  });

  describe('of services that have endpoints of their own', () => {
    const spec = (go: string, node = '') =>
      readSpec(
        `name: own
services:
  go: {image: go, port: 80${go}}
  node: {image: node, port: 81${node}}
endpoints: {ping: /ping, db-ping: /db/ping, db-time: /db/time}
load: {wrk: {connections: 10, keep-alive: on}}
`,
        'wrkbench.yml',
      );

    it('are those of the endpoints that each has', () => {
      const own = spec(', endpoints: [ping, "db-p*"]');
      expect(casesOf(own).map(({ key }) => key)).toEqual([
        'go/ping/direct/wrk/keep-alive/10',
        'go/db-ping/direct/wrk/keep-alive/10',
        'node/ping/direct/wrk/keep-alive/10',
        'node/db-ping/direct/wrk/keep-alive/10',
        'node/db-time/direct/wrk/keep-alive/10',
      ]);
      expect(numberOfCases(own)).toBe(5);
    });

    it('may be named by braces', () => {
      const own = spec(', endpoints: "{ping,db-t*}"', ', endpoints: [db-ping]');
      expect(casesOf(own).map(({ service, endpoint }) => `${service.name} ${endpoint.name}`)).toEqual([
        'go ping',
        'go db-time',
        'node db-ping',
      ]);
      expect(() => spec(', endpoints: "{pong,pang}"')).toThrow(
        'services.go.endpoints is `{pong,pang}`, which is no endpoint of the spec: expected ping, db-ping or db-time',
      );
    });

    it('wait for the first endpoint that their service has', () => {
      const services = spec(', endpoints: db-time').services.map(({ name, ready }) => [name, ready.path]);
      expect(services).toEqual([
        ['go', '/db/time'],
        ['node', '/ping'],
      ]);
    });

    it('are refused for an endpoint that there is not, and for one that no service has', () => {
      expect(() => spec(', endpoints: [pong]')).toThrow(
        'services.go.endpoints.0 is `pong`, which is no endpoint of the spec: expected ping, db-ping or db-time',
      );
      expect(() => spec(', endpoints: "*ping"', ', endpoints: db-ping')).toThrow(
        'endpoints.db-time is asked of no service: name it in the `endpoints` of one',
      );
    });
  });

  it.each([
    ['60%', '100@60%'],
    ['62.5%', '100@62.5%'],
    ['7%', '100@7%'],
    ['2000/s', '100@2000ps'],
    ['vus', '100@vus'],
  ])('carry the rate of k6: %s', (rate, end) => {
    expect(keysOf(`{k6: {rate: ${rate}, keep-alive: off}}`)[0]).toBe(`go/ping/direct/k6/keep-alive-off/${end}`);
  });

  it('tell each generator its own load', () => {
    const loads = casesOf(specWith('{wrk: {connections: 10}, k6: {rate: 2000/s}, ab: on}'))
      .filter(({ endpoint }) => endpoint.name === 'ping')
      .map(({ key, load }) => [key, load]);
    expect(Object.fromEntries(loads)).toEqual({
      'go/ping/direct/wrk/keep-alive/10': { generator: 'wrk', threads: 4, durationSeconds: 10, timeoutSeconds: 2 },
      'go/ping/direct/wrk/keep-alive-off/10': { generator: 'wrk', threads: 4, durationSeconds: 10, timeoutSeconds: 2 },
      'go/ping/direct/k6/keep-alive/100@2000ps': {
        generator: 'k6',
        arrival: { kind: 'rate', requestsPerSecond: 2000 },
        durationSeconds: 10,
        timeoutSeconds: 10,
        script: null,
      },
      'go/ping/direct/k6/keep-alive-off/100@2000ps': {
        generator: 'k6',
        arrival: { kind: 'rate', requestsPerSecond: 2000 },
        durationSeconds: 10,
        timeoutSeconds: 10,
        script: null,
      },
      'go/ping/direct/ab/keep-alive-off/128': { generator: 'ab', requests: 10_000, timeoutSeconds: 30 },
    });
  });

  it('have unique keys, and are as many as they are said to be', () => {
    const spec = readSpec(readFileSync('fixtures/specs/right/everything.yml', 'utf8'), 'everything.yml');
    const keys = casesOf(spec).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(numberOfCases(spec)).toBe(keys.length);
    expect(keys.length).toBe(2 * 3 * 2 * (4 + 2 + 1));
  });
});

describe('the threads of wrk', () => {
  const threads = (load: string) =>
    casesOf(specOfServices(1, load)).map(({ connections, load }) => [
      connections,
      load.generator === 'wrk' && load.threads,
    ]);

  it('are those of the last step that the connections reach', () => {
    expect(threads('{preset: event-pong}')).toEqual([
      [2, 1],
      [400, 2],
      [20_000, 4],
    ]);
    expect(threads('{wrk: {threads: {400: 2, 2: 1}, connections: [2, 399, 400, 5000], keep-alive: on}}')).toEqual([
      [2, 1],
      [399, 1],
      [400, 2],
      [5000, 2],
    ]);
  });

  it('are never more than the connections', () => {
    expect(threads('{wrk: {connections: [1, 3, 4, 100], keep-alive: on}}')).toEqual([
      [1, 1],
      [3, 3],
      [4, 4],
      [100, 4],
    ]);
    expect(threads('{wrk: {threads: {400: 2}, connections: [1], keep-alive: on}}')).toEqual([[1, 1]]);
  });
});
