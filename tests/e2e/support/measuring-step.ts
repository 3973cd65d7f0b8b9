import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { IMAGES } from '../../support/images.ts';
import { specFolder } from '../../support/spec-folder.ts';
import { job } from './job.ts';

export const spec = (name = 'http', more = '') => `
name: ${name}
services:
  go: {image: "${IMAGES.misbehaving}", port: 8080, ready: {path: /ping}${more}}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
load:
  wrk: {threads: 1, connections: [16], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
gate: {throughput: off, memory-peak: off, budget: 60s}
`;
export const quiet = { comment: 'never', status: 'false', publish: 'false', upload: 'false' };
export const WORKFLOW = '.github/workflows/benchmark.yml';
export const push = { repository: { full_name: 'acme/api', default_branch: 'main' } };

export const secret = 'ghs_wrkbenchTestSecret0123456789';

/** A step that starts a server of this source as a process, with tokens in its environment. */
export async function stepWith(source: string, node?: string) {
  const folder = specFolder({
    'wrkbench.yml': spec().replace(
      /services:[\s\S]*?endpoints/,
      'services:\n  go: {command: [node, seen.mjs], port: 8097, ready: {path: /ping}}\nendpoints',
    ),
    'seen.mjs': `import { createServer } from 'node:http';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
createServer((_, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true }))).listen(8097);
${source}`,
  });
  const own = job(folder, push, {
    GITHUB_EVENT_NAME: 'push',
    ACTIONS_RUNTIME_TOKEN: secret,
    NODE_AUTH_TOKEN: secret,
    GITHUB_TOKEN: secret,
    GITHUB_API_URL: 'http://127.0.0.1:9',
  });
  const inputs = { ...quiet, token: secret, baseline: 'none', runtime: 'process' };
  const { status, log } = await own.step('action', inputs, node).ended;
  expect({ status, log }).toMatchObject({ status: 0 });
  return { folder, log, seen: readFileSync(path.join(folder, 'seen.json'), 'utf8') };
}

/** Source of a server that writes down what it may read of the step's process. */
export const readsOthers = `
const read = (file) => { try { return readFileSync(file, 'utf8'); } catch { return ''; } };
const pids = readdirSync('/proc').filter((name) => /^\\d+$/.test(name));
const all = pids.map((pid) => ({ command: read('/proc/' + pid + '/cmdline'), variables: read('/proc/' + pid + '/environ') }));
writeFileSync('seen.json', JSON.stringify(all.filter(({ command }) => command.includes('action.cjs'))));`;
