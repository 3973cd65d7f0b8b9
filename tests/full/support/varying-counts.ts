import path from 'node:path';
import { expect } from 'vitest';
import { branchedRepository } from '../../e2e/support/branched-repository.ts';
import { wrkbench } from '../../e2e/support/command.ts';
import { comparisonIn } from '../../e2e/support/compared-runs.ts';
import { REST_NODE_SQL_FILES, restNodeProgram } from '../../support/server-programs.ts';

export type Knobs = Record<'EXTRA_QUERIES' | 'JOB_SECONDS' | 'TIMER_SECONDS', number>;

/** Two endpoints with a database, of which nothing but queries is judged. */
const spec = (server: string, knobs: Partial<Knobs>) => `
name: varying
services:
  node:
    command: [node, ${server}]
    port: 8080
    env:
      PORT: "\${port}"
      DATABASE_URL: "\${database.url}"
${Object.entries(knobs)
  .map(([name, value]) => `      ${name}: "${value}"\n`)
  .join('')}    ready: {path: /ping}
database: {image: "postgres:18", init: [schema.sql, users.sql]}
endpoints: {db-ping: /db/ping, users: /users}
load:
  wrk: {threads: 1, connections: [4], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 0s
gate: {throughput: off, memory-peak: off, cpu-per-request: off, latency-p50: off, queries-per-request: {max-increase: 0}, budget: 150s}
`;

/** Of a server with the first knobs in the baseline and the second in the candidate, for real. */
export async function compared(was: Partial<Knobs>, is: Partial<Knobs>) {
  const server = await restNodeProgram();
  const files = { ...REST_NODE_SQL_FILES, 'wrkbench.yml': spec(server, was), '.gitignore': 'out\n' };
  const folder = branchedRepository(files, { 'wrkbench.yml': spec(server, is), 'README.md': 'words\n' });
  const { status } = await wrkbench(
    ['run', '--out', 'out', '--runtime', 'process', '--no-skip', '--fail-on-inconclusive', '--baseline', 'commit:main'],
    { cwd: folder },
  );
  const { gate, warnings, cases } = comparisonIn(path.join(folder, 'out'));
  const named = warnings.filter(({ code }) => code === 'varying-count').map(({ message }) => message);
  return { status, gate, named, counts: cases.map(({ metrics }) => metrics['queries-per-request']!) };
}

/** Of the same code twice, of which some requests send more. */
export async function expectNamedAndPassed(knobs: Partial<Knobs>): Promise<void> {
  const { status, gate, named, counts } = await compared(knobs, knobs);
  expect(gate).toMatchObject({ passed: true, regressions: [], inconclusive: [], notMeasured: [], invalid: [] });
  expect(counts.map(({ verdict }) => verdict)).toEqual(['no-change', 'no-change']);
  expect(named.join('\n')).toMatch(
    /^node, (db-ping|users): about 1 request in \d+ sends `SELECT (\$1|1)` too, on both sides[.;]/,
  );
  expect(status).toBe(0);
}
