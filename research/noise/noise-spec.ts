import { readFileSync } from 'node:fs';

/** `duet`: both sides at the same time; `interleaved`: in turn, trial by trial. */
export type Pairing = 'duet' | 'interleaved';

export interface NoiseSpecOptions {
  pairing: Pairing;
  budgetSeconds: number;
}

/** What stands beside the spec. */
export const NOISE_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  ['schema.sql', 'users.sql'].map((name) => [name, readFileSync(`fixtures/servers/rest-node/${name}`, 'utf8')]),
);

export const NOISE_IMAGE = 'wrkbench-fixture/rest-node:latest';

/**
 * The standard preset of four endpoints, two of which ask a database: 20 cases. Every limit is 0, so that next to nothing is ever
 * decided and every round measures every case until the budget is spent.
 */
export function noiseSpec({ budgetSeconds, pairing }: NoiseSpecOptions): string {
  return `name: noise
services:
  node:
    image: ${NOISE_IMAGE}
    port: 8080
    env: {DATABASE_URL: "\${database.url}"}
    ready: {path: /ping}
database:
  image: wrkbench-fixture/postgres:15
  init: [${Object.keys(NOISE_FILES).join(', ')}]
endpoints: {ping: /ping, time: /time, db-ping: /db/ping, users: /users}
load: {preset: standard}
gate:
  budget: ${budgetSeconds}s
  pairing: ${pairing}
  cpu-per-request: {max-increase: 0%}
  throughput: {max-decrease: 0%}
  latency-p50: {max-increase: 0%}
  memory-peak: {max-increase: 0%}
`;
}
