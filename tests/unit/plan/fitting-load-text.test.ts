import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fixtureFolder } from '../../../scripts/applications/installation.mjs';
import { validateSpec } from '../../../src/app/validate.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { EndpointCapacity } from '../../../src/core/plan/fitting-load.ts';
import { type FittedLoad, fittedLoad } from '../../../src/core/plan/fitting-load-text.ts';
import { readRunRecord } from '../../../src/core/record/run-record-file.ts';

const textOf = ({ text: { load, gate } }: FittedLoad) => ['load:', ...load, 'gate:', ...gate, ''].join('\n');

/** Seconds until each was up, of the rounds of its kept run. */
const START_SECONDS = { miniflux: 0.5, netbox: 17, openfga: 1, unleash: 9, directus: 5 };
type Application = keyof typeof START_SECONDS;

/** By what its kept run measured of the older release: 16 connections (NetBox: 2), and at a fixed rate. */
function applicationLoad(name: Application): FittedLoad {
  const record = gunzipSync(readFileSync(join(fixtureFolder(name), 'slower', 'run.json.gz'))).toString('utf8');
  const own = readRunRecord(record, 'run.json').cases.filter(({ variant }) => variant === 'baseline');
  const capacities = own.flatMap(({ generator, endpoint, metrics }): EndpointCapacity[] => {
    const requestsPerSecond = metrics.throughput?.value ?? null;
    const fixedRate = own.find((each) => each.generator === 'k6' && each.endpoint === endpoint);
    const aloneMs = fixedRate?.metrics['latency-p50']?.value ?? null;
    return generator === 'wrk' && requestsPerSecond !== null ? [{ endpoint, requestsPerSecond, aloneMs }] : [];
  });
  const spec = readSpec(readFileSync(join(fixtureFolder(name), 'wrkbench.yml'), 'utf8'), 'wrkbench.yml');
  return fittedLoad(spec, { capacities, unmeasured: [], cpus: 2, startSeconds: START_SECONDS[name] });
}

describe('the load of applications that others wrote', () => {
  it('is for Miniflux as for the list of entries, which sorts 10,000', () => {
    const fitted = applicationLoad('miniflux');
    expect(textOf(fitted)).toBe(`load:
  # measured: /v1/entries 29.9/s, /v1/feeds/{feed}/entries 91.2/s, /v1/categories 121/s, /v1/entries/{id} 131/s,
  # /v1/feeds/counters 140/s, PUT /v1/entries 161/s, on 2 CPUs
  # all endpoints share this load, which fits the dearest: at 4 connections /v1/entries takes 0.1 s; keep-alive
  # off would show the same: opening a connection is little beside such answers
  wrk: {threads: 1, connections: [4], keep-alive: on}
  # without k6, which tells latencies at a fixed rate: with it a pull request waits longer than 8 min
gate:
  # /v1/entries answers too few requests to decide the usual limits (3 % and 5 %) in this time
  cpu-per-request: {max-increase: 5%}
  throughput: {max-decrease: 10%}
`);
    expect(fitted.sentences).toEqual([]);
  });

  it('is for NetBox four connections, and said to take longer than 8 minutes, since it starts in 17 s', () => {
    const fitted = applicationLoad('netbox');
    expect(textOf(fitted)).toBe(`load:
  # measured: devices 9.99/s, devices-without-context 13.2/s, /api/dcim/devices/{id}/ 13.3/s, /api/dcim/sites/
  # 26.6/s, POST /api/extras/journal-entries/ 40.0/s, on 2 CPUs
  # all endpoints share this load, which fits the dearest: at 4 connections devices takes 0.4 s; keep-alive off
  # would show the same: opening a connection is little beside such answers
  wrk: {threads: 1, connections: [4], keep-alive: on, timeout: 5s}
  # without k6: at 60% of its capacity devices is sent 29 requests in 10 s, and a median takes 50
gate:
  # devices answers too few requests to decide the usual limits (3 % and 5 %) in this time
  cpu-per-request: {max-increase: 5%}
  throughput: {max-decrease: 10%}
`);
    expect(fitted.sentences).toEqual([
      '8 min are too few for a verdict on 5 endpoints of this service: a pull request waits about 9 min 50 s. Compare fewer endpoints to wait less.',
    ]);
  });

  it('is for OpenFGA, which answers thousands, two sizes', () => {
    const fitted = applicationLoad('openfga');
    expect(textOf(fitted)).toBe(`load:
  # measured: POST /stores/\${prepare.store}/list-objects 2,109/s, check-through-folder 2,154/s, check-denied
  # 2,787/s, check-owner 2,789/s, POST /stores 7,282/s, /stores 8,284/s, on 2 CPUs
  # all endpoints share this load, which fits the dearest: at 64 connections POST
  # /stores/\${prepare.store}/list-objects takes 0.1 s; with keep-alive off too a pull request waits longer than 8
  # min
  wrk: {threads: 1, connections: [16, 64], keep-alive: on}
  # without k6, which tells latencies at a fixed rate: with it a pull request waits longer than 8 min
gate:
  budget: 6m   # a pull request waits for 7 min 40 s at most; a longer one shows smaller changes
  cpu-per-request: {max-increase: 3%}
  throughput: {max-decrease: 5%}
`);
    expect(fitted.sentences).toEqual([]);
  });

  it('is for Unleash without k6, since both sides start for 18 s in each round', () => {
    const fitted = applicationLoad('unleash');
    expect(textOf(fitted)).toBe(`load:
  # measured: /api/admin/projects/default/features/{name} 213/s, /api/admin/projects/default/features 216/s, PUT
  # /api/admin/projects/default/features/{name} 260/s, /api/client/features 2,416/s, on 2 CPUs
  # all endpoints share this load, which fits the dearest: at 32 connections
  # /api/admin/projects/default/features/{name} takes 0.2 s; keep-alive off would show the same: opening a
  # connection is little beside such answers
  wrk: {threads: 1, connections: [32], keep-alive: on}
  # without k6, which tells latencies at a fixed rate: with it a pull request waits longer than 8 min
gate:
  # /api/admin/projects/default/features/{name} answers too few requests to decide the usual limits (3 % and 5 %)
  # in this time
  cpu-per-request: {max-increase: 5%}
  throughput: {max-decrease: 10%}
`);
    expect(fitted.sentences).toEqual([]);
  });

  it('is for Directus of wrk and k6', () => {
    const fitted = applicationLoad('directus');
    expect(textOf(fitted)).toBe(`load:
  # measured: POST /items/articles 271/s, articles 506/s, /items/articles/{id} 558/s, articles-cached 796/s, on 2
  # CPUs
  # all endpoints share this load, which fits the dearest: at 64 connections POST /items/articles takes 0.2 s;
  # keep-alive off would show the same: opening a connection is little beside such answers
  wrk: {threads: 1, connections: [64], keep-alive: on}
  k6: {rate: 60%, connections: [16], keep-alive: on}   # latency at 60 % of what the service can do
gate:
  budget: 6m   # a pull request waits for 7 min 40 s at most; a longer one shows smaller changes
  # POST /items/articles answers too few requests to decide the usual limits (3 %, 5 % and 5 %) in this time
  cpu-per-request: {max-increase: 5%}
  throughput: {max-decrease: 10%}
  latency-p50: {max-increase: 10%}
`);
    expect(fitted.sentences).toEqual([]);
  });
});

const HEAD = `name: shop
services: {web: {build: ., port: 80}}
endpoints:
  home: /
  orders: {path: "/orders?sort=date", expect: 200}
  order: {method: POST, path: /orders, body: '{}'}
  again: {method: POST, path: /orders, body: '[]'}
`;
const measured = (capacities: Record<string, number>, unmeasured: string[] = []) =>
  fittedLoad(readSpec(HEAD, 'wrkbench.yml'), {
    capacities: Object.entries(capacities).map(([endpoint, requestsPerSecond]) => ({
      ...{ endpoint, requestsPerSecond, aloneMs: null },
    })),
    ...{ unmeasured, cpus: 4, startSeconds: 0 },
  });

describe('the load of any service', () => {
  it('is the standard matrix for files that are answered 80,000 times a second', () => {
    expect(textOf(measured({ home: 81_234, orders: 80_000 }))).toBe(`load:
  # measured: /orders 80,000/s, / 81,234/s, on 4 CPUs
  preset: standard   # wrk: 4 threads, 100 and 1000 connections, keep-alive on and off, 10 s; \`quick\` for a first look
  k6: {rate: 60%}    # latency at 60 % of what the service can do
gate:
  cpu-per-request: {max-increase: 3%}
  throughput: {max-decrease: 5%}
  latency-p50: {max-increase: 5%}
`);
  });

  it('is the standard matrix where nothing was measured, with the reason', () => {
    const fitted = measured({}, ['wrk is not on this machine. Install it with `sudo apt-get install wrk`.']);
    expect(textOf(fitted)).toBe(`load:
  # not measured: wrk is not on this machine. Install it with \`sudo apt-get install wrk\`. A service that answers
  # fewer than 4,000/s needs fewer connections.
  preset: standard   # wrk: 4 threads, 100 and 1000 connections, keep-alive on and off, 10 s; \`quick\` for a first look
  k6: {rate: 60%}    # latency at 60 % of what the service can do
gate:
  cpu-per-request: {max-increase: 3%}
  throughput: {max-decrease: 5%}
  latency-p50: {max-increase: 5%}
`);
    expect(fitted.sentences).toEqual(['wrk is not on this machine. Install it with `sudo apt-get install wrk`.']);
    expect(textOf(measured({ home: 0 }))).toContain(
      '  # not measured: no endpoint answers as many as 2 requests/s. A service that answers fewer than 4,000/s needs\n',
    );
  });

  it('is the standard matrix also where many endpoints hold it, and then says how long that takes', () => {
    const fitted = measured({ home: 9000, orders: 9000, order: 9000, again: 9000 });
    expect(fitted.text.load).toContain('  k6: {rate: 60%}    # latency at 60 % of what the service can do');
    expect(fitted.sentences).toEqual([
      '8 min are too few for a verdict on 4 endpoints of this service: a pull request waits about 11 min. Compare fewer endpoints to wait less.',
    ]);
  });

  it('names endpoints by their requests, and by their names where requests look the same', () => {
    expect(measured({ order: 7000, again: 6000, orders: 9000 }).text.load[0]).toBe(
      '  # measured: again 6,000/s, order 7,000/s, /orders 9,000/s, on 4 CPUs',
    );
  });

  it('is not for an endpoint that a trial would see a handful of answers from, which it names', () => {
    expect(measured({ home: 300, orders: 0.4 }).sentences).toEqual([
      '/orders answers 0.40 requests/s, too few to compare two versions by: ask it for less, or leave it out.',
    ]);
  });

  it.each([
    [{ home: 9 }],
    [{ home: 150, order: 800 }],
    [{ home: 300, orders: 300, order: 300, again: 300 }],
    [{ home: 5000 }],
  ])('is valid, and no warning is about its connections or rates: %o', (capacities) => {
    const { json, warnings } = validateSpec(`${HEAD}${textOf(measured(capacities))}`, 'wrkbench.yml');
    expect(json.ok).toBe(true);
    expect(warnings).not.toMatch(/load\.|connections|rate/);
  });
});

describe('the endpoints that a load is for', () => {
  /** Eight that answer so many requests a second each, of a service that starts in three seconds. */
  const ofEight = (requestsPerSecond: number, startSeconds = 3) => {
    const names = Array.from({ length: 8 }, (_, index) => `e${index + 1}`);
    const endpoints = names.map((name) => `  ${name}: /${name}`).join('\n');
    const text = `name: shop\nservices: {shop: {build: ., port: 80}}\ndatabase: {image: "postgres:18"}\nendpoints:\n${endpoints}\n`;
    const capacities = names.map((endpoint) => ({ endpoint, requestsPerSecond, aloneMs: null }));
    return fittedLoad(readSpec(text, 'wrkbench.yml'), { capacities, unmeasured: [], cpus: 2, startSeconds });
  };

  it('are all of them where a verdict comes in time', () => {
    const fitted = ofEight(900, 0);
    expect(fitted.endpoints).toHaveLength(8);
    expect(fitted.sentences).toEqual([]);
  });

  it('are as many of the first as a verdict comes in time for, and its lines speak of no other', () => {
    const fitted = ofEight(20);
    expect(fitted.endpoints).toEqual(['e1', 'e2', 'e3', 'e4', 'e5']);
    expect(fitted.sentences).toEqual([]);
    expect(textOf(fitted)).not.toContain('/e6');
  });

  it('are all of them where three take too long already, which is said', () => {
    const fitted = ofEight(20, 60);
    expect(fitted.endpoints).toHaveLength(8);
    expect(fitted.sentences).toEqual([expect.stringContaining('Compare fewer endpoints to wait less.')]);
  });
});
