/** `duet`: both sides at the same time; `interleaved`: in turn, slice by slice. */
export type Pairing = 'duet' | 'interleaved';

export interface NoiseSpecOptions {
  kind: 'quiet' | 'disturbed';
  pairing: Pairing;
  budgetSeconds: number;
}

export const NOISE_IMAGE = 'wrkbench-fixture/rest-node:latest';

/**
 * 16 cases: without and with a database, wrk and k6 at a fixed rate, keep-alive on and off, 100 and 1000 connections. Every
 * threshold is 0, so that next to nothing is ever decided and every instance measures every case until the budget is spent.
 */
export function noiseSpec({ budgetSeconds, pairing, kind }: NoiseSpecOptions): string {
  // Both sides together: beside what steals half of the core no more than the other half can be held.
  const rate = kind === 'quiet' ? '60%' : '40%';
  return `name: noise
services:
  node:
    image: ${NOISE_IMAGE}
    port: 8080
    env: {DATABASE_URL: "\${database.url}"}
    ready: {path: /ping}
database:
  image: wrkbench-fixture/postgres:15
  settings: {fsync: "off", synchronous_commit: "off", shared_buffers: 64MB}
endpoints:
  ping: {path: /ping, expect: {json: {ok: true}}}
  db-ping: {path: /db/ping, expect: {json: {ok: true}}}
load:
  wrk: {threads: 1, connections: [100, 1000], keep-alive: [on, off], duration: 2s}
  k6: {rate: ${rate}, connections: [100, 1000], keep-alive: [on, off], duration: 3s}
  cool-down: 500ms
gate:
  budget: ${budgetSeconds}s
  pairing: ${pairing}
  cpu-per-request: {max-increase: 0%}
  throughput: {max-decrease: 0%}
  latency-p50: {max-increase: 0%}
  memory-peak: {max-increase: 0%}
`;
}
