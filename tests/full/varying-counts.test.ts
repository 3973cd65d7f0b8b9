// needs: wrk, postgres
// seconds: 500
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchedRepository } from '../e2e/support/branched-repository.ts';
import { wrkbench } from '../e2e/support/command.ts';
import { comparisonIn } from '../e2e/support/compared-runs.ts';
import { REST_NODE_SQL_FILES, restNodeProgram } from '../support/server-programs.ts';

type Knobs = Record<'EXTRA_QUERIES' | 'JOB_SECONDS' | 'TIMER_SECONDS', number>;

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

async function compared(was: Partial<Knobs>, is: Partial<Knobs>) {
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

describe('two builds of the same code with two endpoints', () => {
  const sometimes = { EXTRA_QUERIES: 0.01 };

  it.each([
    ['1 request in 100 sends one statement more', sometimes],
    ['the same once more', sometimes],
    ['a job sends one at random besides, every 10 s', { ...sometimes, JOB_SECONDS: 10 }],
    ['a timer sends one besides, with each pass', { ...sometimes, TIMER_SECONDS: 0.25 }],
  ])('are neither red nor undecided where %s, which is named', async (_, knobs) => {
    const { status, gate, named, counts } = await compared(knobs, knobs);
    expect(gate).toMatchObject({ passed: true, regressions: [], inconclusive: [], notMeasured: [], invalid: [] });
    expect(counts.map(({ verdict }) => verdict)).toEqual(['no-change', 'no-change']);
    expect(named.join('\n')).toMatch(
      /^node, (db-ping|users): about 1 request in \d+ sends `SELECT (\$1|1)` too, on both sides[.;]/,
    );
    expect(status).toBe(0);
  });
});

describe('a change of what some requests send', () => {
  it('from 1 in 100 to 1 in 10 is red', async () => {
    const { status, gate } = await compared({ EXTRA_QUERIES: 0.01 }, { EXTRA_QUERIES: 0.1 });
    expect(gate.regressions.map(({ metric }) => metric)).toContain('queries-per-request');
    expect(status).toBe(1);
  });

  it('by one in every request is red after the first round', async () => {
    const { gate, counts } = await compared({ EXTRA_QUERIES: 0.01 }, { EXTRA_QUERIES: 1.01 });
    expect(gate.regressions).toHaveLength(2);
    expect(counts.map(({ evidence }) => evidence.rounds)).toEqual([2, 2]);
  });
});
