// needs: wrk, linux
// seconds: 4
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { recordIn, wrkbench } from '../e2e/support/command.ts';
import { specFolder, temporaryFolder } from '../support/spec-folder.ts';

const spec = `
name: http
services:
  api: {command: [node, server.js], port: 8080, env: {PORT: "\${port}"}, ready: {path: /ping}}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
load: {wrk: {threads: 1, connections: [8], keep-alive: [on], duration: 1s}, warm-up: 200ms}
`;
const server =
  "require('http').createServer((_, answer) => answer.end('{\"ok\": true}')).listen(process.env.PORT, '127.0.0.1')";

/** Programs of Linux alone are not there; `ps` tells hundredths of a second, and `netstat` what was accepted. */
const PROGRAMS = {
  taskset: 'exit 127',
  prlimit: 'exit 127',
  setpriv: 'exit 127',
  netstat: `awk '/^Tcp:/ { if (seen++) print "\\t" $7 " connection accepts" }' /proc/net/snmp`,
  ps: `case "$*" in *pgid=*) ;; *) PATH='${process.env.PATH}' exec ps "$@" ;; esac
sed 's/(.*) //' /proc/[0-9]*/stat 2>/dev/null | awk '{ t = ($13 + $14) / 100; printf "%d %d %d %d %d:%05.2f\\n", $1, $3, $4, $23 * 4, t / 60, t % 60 }'`,
};

/** What a command is given to find this machine as macOS would have it. No Mac is at hand to try. */
function asMacos(): Record<string, string> {
  const folder = temporaryFolder();
  for (const [name, script] of Object.entries(PROGRAMS)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  const preloaded = fileURLToPath(new URL('../e2e/support/as-macos.cjs', import.meta.url));
  return { PATH: `${folder}:${process.env.PATH}`, NODE_OPTIONS: `--require ${JSON.stringify(preloaded)}` };
}

it('without /proc services are measured as processes all the same', async () => {
  const folder = specFolder({ 'wrkbench.yml': spec, 'server.js': server });
  const { status, stderr } = await wrkbench(['run', '--runtime', 'process', '--out', 'out'], {
    cwd: folder,
    env: asMacos(),
  });
  expect(stderr).toContain('On macOS parts are not held to CPUs, and CPU time and memory are as coarse as `ps` shows');
  expect(status).toBe(0);
  const { cases, environment } = recordIn(path.join(folder, 'out'));
  expect(cases.map(({ key, status: found }) => [key, found])).toEqual([['api/ping/direct/wrk/keep-alive/8', 'valid']]);
  expect(cases[0]!.metrics['cpu-per-request']!.value).toBeGreaterThan(0);
  expect(cases[0]!.warnings.map(({ code }) => code)).not.toContain('foreign-cpu');
  expect(environment.sysctls).toEqual({});
});

it('without /proc what init has written is started', async () => {
  const folder = specFolder({
    'package.json': '{"name": "api", "scripts": {"start": "node server.js"}, "dependencies": {"express": "5"}}',
    'server.js': server,
  });
  const { status, stdout, stderr } = await wrkbench(['init', '--yes', '--runtime', 'process'], {
    cwd: folder,
    env: asMacos(),
  });
  expect(stdout + stderr).toContain('Started api as a process and asked for 2 paths: 1 endpoint kept.');
  expect(status).toBe(0);
});
