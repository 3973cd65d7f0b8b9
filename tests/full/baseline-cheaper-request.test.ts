// needs: wrk, linux
// seconds: 103
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/core/comparison/comparison.ts';
import { branchedRepository } from '../e2e/support/branched-repository.ts';
import { recordIn, wrkbench } from '../e2e/support/command.ts';

/** Works about so many milliseconds as `costs` has for a path, and as much on a busy machine; the first path that the asked one begins with counts. Others are not found. */
const server = (costs: Record<string, number>) => `
const costs = Object.entries(${JSON.stringify(costs)});
require('node:http').createServer((request, response) => {
  const found = costs.find(([path]) => request.url === path || request.url.startsWith(path + '/'));
  let work = 1;
  for (let left = (found?.[1] ?? 0) * 1e6; left > 0; left -= 1) work = (work * 1103515245 + 12345) | 0;
  response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'text/plain' });
  response.end(found === undefined ? 'not found' : work === 0 ? 'no' : 'ok');
}).listen(process.env.PORT, '127.0.0.1');
`;

const spec = (service: string, endpoints: string) => `
name: api
services:
  x: {command: [node, server.js], port: 18474, env: {PORT: "\${port}"}, ready: {port: true}${service}}
endpoints: {${endpoints}}
load:
  wrk: {threads: 1, connections: [8], keep-alive: [on], duration: 1s, timeout: 5s}
  warm-up: 300ms
  cool-down: 100ms
gate: {memory-peak: off, throughput: off, budget: 25s}
`;

const KEY = 'x/p/direct/wrk/keep-alive/8';

interface Change {
  costs: Record<string, number>;
  spec: string;
  /** Endpoints of the base, `p: /p` where none are named. */
  endpoints?: string;
}

/** Of a change to a base on which `/p` costs 4 ms and everything below `/quick` 1 ms. */
async function runOf({ costs, spec: changed, endpoints = 'p: /p' }: Change) {
  const base = { 'server.js': server({ '/p': 4, '/quick': 1 }), 'wrkbench.yml': spec('', endpoints) };
  const change = { 'server.js': server(costs), 'wrkbench.yml': changed };
  const folder = branchedRepository({ ...base, '.gitignore': 'out*\n' }, change);
  const args = ['run', '--out', 'out', '--runtime', 'process', '--baseline', 'commit:main', '--seed', '7'];
  const { status } = await wrkbench(args, { cwd: folder });
  const out = path.join(folder, 'out');
  const comparison: Comparison = JSON.parse(readFileSync(path.join(out, 'comparison.json'), 'utf8'));
  return { status, ...comparison, record: recordIn(out) };
}

const slower = { '/p': 8, '/quick': 1 };

describe('a change that makes /p twice as slow', { timeout: 300_000 }, () => {
  it.each([
    ['puts /quick before it as the base path', spec(', base-path: /quick', 'p: /p'), 'GET /quick/p'],
    ['asks /quick under its name', spec('', 'p: /quick'), 'GET /quick'],
  ])(
    'and %s is red by the request of the baseline, and says that its own is not in the gate',
    async (_, changed, own) => {
      const { status, gate, cases, warnings, record } = await runOf({ costs: slower, spec: changed });
      // On a busy machine there may be too few rounds for a verdict, which is red as well.
      const red = [...gate.regressions, ...gate.notMeasured].map(({ caseKey, metric }) => [caseKey, metric]);
      expect(red).toEqual([[KEY, 'cpu-per-request']]);
      expect(gate).toMatchObject({ passed: false, invalid: [], new: [] });
      expect(cases.map(({ key, presence }) => [key, presence])).toEqual([[KEY, 'both']]);
      expect(cases[0]!.metrics['cpu-per-request']!.change).toBeGreaterThan(0.5);
      expect(warnings).toContainEqual({
        code: 'requests-differ',
        message:
          "The new request of p is not in the gate of this change: both sides are asked the baseline's, and it is measured once the baseline has it.",
      });
      expect(record.spec).toMatchObject({ services: [{ basePath: '' }], endpoints: [{ name: 'p', path: '/p' }] });
      expect(record.comparing!.ownRequests).toEqual({ 'x/p': own });
      expect(status).toBe(1);
    },
  );
});

describe('a change that answers under another path only', { timeout: 300_000 }, () => {
  const moved: Change = {
    costs: { '/v2/p': 4, '/quick': 1 },
    spec: spec('', 'p: /v2/p, quick: /quick'),
    endpoints: 'p: /p, quick: /quick',
  };
  const message =
    'candidate: x does not answer GET /p as expected: status: expected 200, got 404 (body: "not found"). That is the baseline\'s request; the candidate\'s spec has GET /v2/p instead, and nothing compares that. Answer the old request as well, or accept its removal by name.';

  it('is red for its removal', async () => {
    const { status, gate, cases } = await runOf(moved);
    expect(gate).toMatchObject({ passed: false, regressions: [], new: [] });
    expect(gate.invalid).toEqual([{ caseKey: KEY, metric: null, message }]);
    expect(cases.map(({ endpoint, presence }) => [endpoint, presence])).toEqual([
      ['p', 'missing'],
      ['quick', 'both'],
    ]);
    expect(status).toBe(1);
  });
});
