// needs: wrk, linux
// seconds: 8
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/core/comparison/comparison.ts';
import { branchedRepository } from '../e2e/support/branched-repository.ts';
import { wrkbench } from '../e2e/support/command.ts';
import { keepJournal } from './support/keep-journal.ts';

/** Answers each path with its JSON, and 404 to every other one. */
const server = (answers: Record<string, unknown>) => `
const answers = ${JSON.stringify(answers)};
require('node:http').createServer((request, response) => {
  const answer = answers[request.url];
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer ?? { message: 'not found' }));
}).listen(process.env.PORT, '127.0.0.1');
`;

const spec = (endpoints: string, env = 'env: {PORT: "${port}"}, ') => `
name: api
services:
  node: {command: [node, server.js], port: 18473, ${env}ready: {path: /ping}}
endpoints: {${endpoints}}
load:
  wrk: {threads: 1, connections: [16], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
gate: {throughput: off, memory-peak: off, cpu-per-request: off, budget: 6s}
`;

interface Version {
  'server.js': string;
  'wrkbench.yml': string;
}

const repository = (main: Version, change: Version) =>
  branchedRepository({ ...main, '.gitignore': 'out*\n' }, { ...change });

const run = (folder: string) =>
  wrkbench(['run', '--out', 'out', '--runtime', 'process', '--baseline', 'auto', '--seed', '7'], { cwd: folder });

describe('wrkbench run with a baseline, of a change', () => {
  it('that sends another header and answers more: each side is asked as its own spec has it, and the gate fails', async () => {
    const strict = (endpoints: string) =>
      spec(endpoints).replace('budget: 6s', 'bytes-per-response: {max-increase: 0}, budget: 6s');
    const folder = repository(
      { 'server.js': server({ '/ping': { version: 1 } }), 'wrkbench.yml': strict('ping: {path: /ping}') },
      {
        'server.js': server({ '/v2/ping': { version: 2, more: 'x'.repeat(100) }, '/ping': 'ready' }),
        'wrkbench.yml': strict('ping: {path: /v2/ping, headers: {x-trace: "1"}}'),
      },
    );
    const { status, stdout } = await run(folder);
    const out = path.join(folder, 'out');
    const { gate, cases, warnings }: Comparison = JSON.parse(readFileSync(path.join(out, 'comparison.json'), 'utf8'));
    expect(cases.map(({ presence }) => presence)).toEqual(['both']);
    expect(gate).toMatchObject({ passed: false, invalid: [], new: [] });
    expect(gate.regressions.map(({ metric }) => metric)).toEqual(['bytes-per-response']);
    expect(warnings.map(({ code }) => code)).toContain('requests-differ');
    expect(status).toBe(1);
    keepJournal('other-request', out, { status, stdout });
  });
});
