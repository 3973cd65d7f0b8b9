// needs: engine, wrk, linux
// seconds: 32
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordIn, wrkbench } from '../e2e/support/command.ts';
import { IMAGES } from '../support/images.ts';
import { specFolder } from '../support/spec-folder.ts';
import { keepJournal } from './support/keep-journal.ts';

const SERVER = `
const { createServer } = require('node:http');
createServer((request, response) => response.end('{"ok":true}')).listen(Number(process.env.PORT));
`;
const LOAD = `
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
load:
  wrk: {threads: 1, connections: [8], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
`;

describe('a service that is optional', () => {
  it('as a process whose program is not there is absent, and the run passes', async () => {
    const folder = specFolder({
      'server.cjs': SERVER,
      'wrkbench.yml': `
name: with-optional
services:
  node: {command: [node, server.cjs], port: 8080, env: {PORT: "\${port}"}}
  gone: {command: [./not-built], port: 8081, optional: true}
  boxed: {build: nowhere, port: 8082, optional: true}
${LOAD}`,
    });
    const out = path.join(folder, 'out');
    const { status, stdout } = await wrkbench(['run', '--runtime', 'process', '--out', 'out'], { cwd: folder });
    const record = recordIn(out);
    expect(record.cases.map(({ key, status: verdict }) => [key, verdict])).toEqual([
      ['node/ping/direct/wrk/keep-alive/8', 'valid'],
    ]);
    expect(stdout).toContain('Absent: gone (optional): ');
    expect(stdout).toContain('Absent: boxed (optional): Service boxed has no `command`');
    expect(readFileSync(path.join(out, 'report.md'), 'utf8')).toContain('Absent: gone (optional): ');
    expect(status).toBe(0);
    keepJournal('optional-process', out, { status, stdout });
  });

  it('in a container that ends at once is absent, and the run passes', async () => {
    const folder = specFolder({
      'wrkbench.yml': `
name: with-optional
services:
  node: {image: "${IMAGES.restNode}", port: 8080, env: {PORT: "8080"}, ready: /ping}
  ends: {image: "${IMAGES.node}", command: [node, -e, process.exit(3)], port: 8080, optional: true}
${LOAD}`,
    });
    const out = path.join(folder, 'out');
    const { status, stdout } = await wrkbench(['run', '--runtime', 'docker', '--out', 'out'], { cwd: folder });
    const record = recordIn(out);
    expect(record.cases.map(({ key, status: verdict }) => [key, verdict])).toEqual([
      ['node/ping/direct/wrk/keep-alive/8', 'valid'],
    ]);
    expect(record.services.flatMap(({ service, absent }) => (absent === true ? [service] : []))).toEqual(['ends']);
    expect(stdout).toContain('Absent: ends (optional): ');
    expect(status).toBe(0);
    keepJournal('optional-container', out, { status, stdout });
  });
});

describe('a service that answers POST alone, closes each connection, and fails now and then', () => {
  // A GET has its connection broken. Of requests that come beside others, one of 50 fails.
  const server = `
const { createServer } = require('node:http');
let [open, crowded] = [0, 0];
createServer((request, response) => {
  if (request.method !== 'POST') return request.socket.destroy();
  open += 1;
  setTimeout(() => {
    if (open > 3) crowded += 1;
    const fails = open > 3 && crowded % 50 === 0;
    open -= 1;
    response.writeHead(fails ? 500 : 200, { connection: 'close' });
    response.end('{"ok":true}');
  }, 2);
}).listen(8080);
`;
  const spec = (service: string, own: string) => `
name: by-design
services:
  odd: {${service}, port: 8080, ready: port${own}}
endpoints: {ping: {method: POST, path: /ping, expect: {json: {ok: true}}}}
load:
  wrk: {threads: 1, connections: [8], keep-alive: [on], duration: 2s}
  warm-up: 0s
  cool-down: 100ms
`;
  const byDesign = ', keep-alive: closes, errors: {max: 5%}';
  const asProcess = 'command: [node, server.cjs]';

  it.each([
    ['process', asProcess],
    [
      'docker',
      `image: "${IMAGES.node}", command: [node, -e, ${JSON.stringify(server.replaceAll('\n', ' ').replaceAll(/\/\/.*/g, ''))}]`,
    ],
  ])('is measured as it is meant (%s), marked, and not ranked', async (runtime, service) => {
    const folder = specFolder({ 'server.cjs': server, 'wrkbench.yml': spec(service, byDesign) });
    const out = path.join(folder, 'out');
    const { status, stdout, stderr } = await wrkbench(['run', '--runtime', runtime, '--out', 'out'], { cwd: folder });
    const [only, ...others] = recordIn(out).cases;
    expect(others, stderr).toEqual([]);
    expect(only!.reasons).toEqual([]);
    expect(only!.metrics.errors!.value).toBeGreaterThan(0.002);
    expect(only!.metrics.errors!.value).toBeLessThan(0.03);
    const codes = only!.warnings.map(({ code }) => code);
    expect(codes).toContain('errors-let-pass');
    expect(codes).toContain('closes-connections');
    expect(readFileSync(path.join(out, 'report.md'), 'utf8')).toContain('no warm-up');
    expect(status).toBe(0);
    if (runtime === 'process') keepJournal('by-design', out, { status, stdout });
  });

  it('is invalid for both where its spec says nothing of it', async () => {
    const folder = specFolder({ 'server.cjs': server, 'wrkbench.yml': spec(asProcess, '') });
    const out = path.join(folder, 'out');
    const ended = await wrkbench(['run', '--runtime', 'process', '--out', 'out'], { cwd: folder });
    const [only] = recordIn(out).cases;
    expect(only!.reasons.map(({ code }) => code)).toEqual(['errors', 'keep-alive-not-on']);
    keepJournal('not-by-design', out, ended);
  });
});

describe('a service with CPUs and a duration of its own', () => {
  const server = `
const { createServer } = require('node:http');
const { readFileSync } = require('node:fs');
const allowed = /^Cpus_allowed_list:\\\\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1];
const body = JSON.stringify({ allowed, told: process.env.WORKERS });
createServer((request, response) => response.end(body)).listen(8080);
`;

  it.each(['process', 'docker'])('runs on as many as its spec says, and is told their number (%s)', async (runtime) => {
    const folder = specFolder({
      'server.cjs': server.replaceAll('\\\\', '\\'),
      'wrkbench.yml': `
name: own-cpus
services:
  one:
    ${runtime === 'process' ? 'command: [node, server.cjs]' : `image: "${IMAGES.node}"\n    command: [node, -e, ${JSON.stringify(server.replaceAll('\\\\', '\\').replaceAll('\n', ' '))}]`}
    port: 8080
    env: {WORKERS: "\${cpus}"}
    cpus: 1
    duration: 1s
    title: One core
    url: https://example.org/one
endpoints: {ping: {path: /ping, expect: {json: {allowed: "0", told: "1"}}}}
placement: {service: 0-1, generator: 0-1}
load:
  wrk: {threads: 1, connections: [4], keep-alive: [on], duration: 9s}
  warm-up: 0s
  cool-down: 100ms
`,
    });
    const out = path.join(folder, 'out');
    const { status, stdout, stderr } = await wrkbench(['run', '--runtime', runtime, '--out', 'out'], { cwd: folder });
    const [only] = recordIn(out).cases;
    // What it answers is checked: on which CPUs it may run, and how many it was told of.
    expect(
      only!.reasons.map(({ code }) => code),
      stderr,
    ).not.toContain('unexpected-answer');
    expect(only!.metrics.throughput!.samples[0]!.durationNs / 1e9).toBeLessThan(5);
    const report = readFileSync(path.join(out, 'report.md'), 'utf8');
    expect(report).toContain('One core, [example.org/one](https://example.org/one)');
    if (runtime === 'process') keepJournal('own-cpus', out, { status, stdout });
  });
});
