// needs: wrk, linux
// seconds: 15
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/core/comparison/comparison.ts';
import { branchedRepository } from '../e2e/support/branched-repository.ts';
import { recordIn, wrkbench } from '../e2e/support/command.ts';
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
  it('that adds an endpoint and gives another answer: the one is new, the other compared, and the gate passes', async () => {
    const folder = repository(
      {
        'server.js': server({ '/ping': { version: 1 } }),
        'wrkbench.yml': spec('ping: {path: /ping, expect: {json: {version: 1}}}'),
      },
      {
        'server.js': server({ '/ping': { version: 2 }, '/news': { news: [] } }),
        'wrkbench.yml': spec(
          'ping: {path: /ping, expect: {json: {version: 2}}}, news: {path: /news, expect: {json: {news: []}}}',
        ),
      },
    );
    const { status, stderr } = await run(folder);
    const out = path.join(folder, 'out');
    const { gate, cases, warnings }: Comparison = JSON.parse(readFileSync(path.join(out, 'comparison.json'), 'utf8'));
    const [ping, news] = ['node/ping/direct/wrk/keep-alive/16', 'node/news/direct/wrk/keep-alive/16'];
    expect(cases.map(({ key, presence }) => [key, presence])).toEqual([
      [ping, 'both'],
      [news, 'new'],
    ]);
    expect(gate).toMatchObject({ passed: true, regressions: [], invalid: [], new: [{ caseKey: news }] });
    expect(warnings.map(({ code }) => code)).toContain('answers-differ');
    const measured = recordIn(out).cases.map(({ key, variant, status: state }) => `${variant} ${key} ${state}`);
    expect(measured.sort()).toEqual([`baseline ${ping} valid`, `candidate ${news} valid`, `candidate ${ping} valid`]);
    expect(stderr).not.toContain('does not answer');
    expect(status).toBe(0);
  });

  it('of a service that always listens on one port: exit status 2 before anything is measured, and what to do', async () => {
    const version = (answer: number): Version => ({
      'server.js': server({ '/ping': { version: answer } }).replace('process.env.PORT', '18473'),
      'wrkbench.yml': spec('ping: /ping', ''),
    });
    const folder = repository(version(1), version(2));
    const { status, stderr } = await run(folder);
    expect(stderr).toContain('both would listen on the same port: node (port 18473)');
    expect(stderr).toContain('env: {PORT: "${port}"}');
    expect(status).toBe(2);
    expect(execFileSync('git', ['worktree', 'list'], { cwd: folder }).toString().trim().split('\n')).toHaveLength(1);
  });

  it('that sends another header and answers more: both sides are asked as the baseline has it, and what that costs fails the gate', async () => {
    const strict = (endpoints: string) =>
      spec(endpoints).replace('budget: 6s', 'bytes-per-response: {max-increase: 0}, budget: 6s');
    const folder = repository(
      { 'server.js': server({ '/ping': { version: 1 } }), 'wrkbench.yml': strict('ping: {path: /ping}') },
      {
        'server.js': server({ '/ping': { version: 2, more: 'x'.repeat(100) }, '/v2/ping': 'ready' }),
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
    expect(recordIn(out).comparing!.ownRequests).toEqual({ 'node/ping': 'GET /v2/ping with other headers' });
    expect(status).toBe(1);
    keepJournal('other-request', out, { status, stdout });
  });
});
