// needs: wrk, linux, node24

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACTION_NODE } from '../support/brought-programs.ts';
import { specFolder } from '../support/spec-folder.ts';
import { job } from './support/job.ts';
import { push, quiet, readsOthers } from './support/measuring-step.ts';

const KEY = 'k3y-that-the-workflow-lists';
const OTHER = '0ther-that-it-does-not-list';

/** A server that writes down its environment, and what it may read of the step's process, and wants the key of whoever logs in. */
const SERVER = `
import { createServer } from 'node:http';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
writeFileSync('environment.json', JSON.stringify(process.env));
${readsOthers}
createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const asked = body + request.headers.authorization;
  console.log(asked);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ ok: true, token: 't0ken-for-' + body.slice(4, 40) }));
}).listen(process.env.PORT);
`;

const spec = (name: string, more: string, endpoint = '/ping') => `
name: ${name}
services: {node: {command: [node, server.mjs], port: 8080, env: {PORT: "\${port}"${more}}, ready: port}}
endpoints: {ping: ${endpoint}}
load: {wrk: {threads: 1, connections: [4], keep-alive: [on], duration: 1s}, warm-up: 200ms, cool-down: 0s}
`;

const NAMING = `${spec('naming', ', KEY: "${env.API_KEY}"', '{path: /ping, headers: {authorization: "Bearer ${login.token}"}}')}
login: {request: {path: /login, form: {key: "\${env.API_KEY}"}}, take: {token: $.token}}
`;

function pullRequestFrom(fullName: string) {
  const repository = { full_name: 'acme/api', default_branch: 'main' };
  const head = { sha: 'a'.repeat(40), ref: 'main', user: { login: 'somebody' }, repo: { full_name: fullName } };
  return {
    repository,
    pull_request: { number: 7, head, base: { sha: 'b'.repeat(40), ref: 'main', repo: repository } },
  };
}

/** One step over a checkout with these specs, by a workflow that lists one of the two variables that it sets. */
async function stepOf(specs: Record<string, string>, event: object, name: string) {
  const folder = specFolder({ ...specs, 'server.mjs': SERVER });
  const own = job(folder, event, {
    GITHUB_EVENT_NAME: name,
    GITHUB_API_URL: 'http://127.0.0.1:9',
    API_KEY: KEY,
    OTHER,
  });
  const inputs = {
    ...{ ...quiet, baseline: 'none', runtime: 'process', secrets: 'API_KEY' },
    spec: Object.keys(specs).join('\n'),
  };
  const { status, log } = await own.step('action', inputs, ACTION_NODE).ended;
  const read = (file: string) => {
    const place = path.join(folder, file);
    return existsSync(place) ? readFileSync(place, 'utf8') : null;
  };
  return { folder, status, log, environment: read('environment.json'), others: read('seen.json') };
}

/** Names of the files below a step's results that hold a text. */
function holding(folder: string, text: string): string[] {
  const results = path.join(folder, 'wrkbench-results');
  const files = readdirSync(results, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return files.flatMap(({ parentPath, name }) =>
    readFileSync(path.join(parentPath, name), 'utf8').includes(text) ? [name] : [],
  );
}

describe('variables that a workflow lists', () => {
  it('reach the service and the login of a spec that names them, nothing else, and no result or log', async () => {
    const { folder, status, log, environment, others } = await stepOf({ 'naming.yml': NAMING }, push, 'push');
    expect({ status, log }).toMatchObject({ status: 0 });
    expect(JSON.parse(environment!)).toMatchObject({ KEY });
    expect(environment).not.toContain(OTHER);
    expect(JSON.parse(others!)).toHaveLength(1);
    for (const value of [KEY, OTHER]) expect(others).not.toContain(value);
    for (const value of [KEY, OTHER, `t0ken-for-${KEY}`]) expect([value, holding(folder, value)]).toEqual([value, []]);
    expect(log.replace(`::add-mask::${KEY}`, '')).not.toContain(KEY);
  });

  it("are nothing that a fork's run gets: what names one is not measured, in one sentence, and all else is", async () => {
    const specs = { 'naming.yml': NAMING, 'open.yml': spec('open', '') };
    const { folder, status, log, environment, others } = await stepOf(
      specs,
      pullRequestFrom('somebody/api'),
      'pull_request',
    );
    expect(log).toMatch(
      /::error::naming\.yml: This pull request comes from a fork, whose run gets no secret, and the spec names `\$\{env\.API_KEY\}`/,
    );
    expect(status).toBe(1);
    expect(existsSync(path.join(folder, 'wrkbench-results', 'open', 'run.json'))).toBe(true);
    expect(existsSync(path.join(folder, 'wrkbench-results', 'naming', 'run.json'))).toBe(false);
    // The one service that was started is that of the other spec.
    for (const text of [environment, others]) {
      expect(text).not.toBeNull();
      for (const value of [KEY, OTHER]) expect(text).not.toContain(value);
    }
    for (const value of [KEY, OTHER]) expect(log).not.toContain(value);
  });

  it('that a spec names and the workflow does not list are missing', async () => {
    const { status, log, environment } = await stepOf(
      { 'naming.yml': NAMING.replaceAll('API_KEY', 'OTHER') },
      push,
      'push',
    );
    expect(log).toContain('and OTHER is not set.');
    expect([status, environment]).toEqual([1, null]);
  });
});
