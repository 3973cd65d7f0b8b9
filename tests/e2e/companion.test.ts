// needs: engine, wrk, k6, linux
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { IMAGES } from '../support/images.ts';
import { specFolder } from '../support/spec-folder.ts';
import { recordIn } from './support/command.ts';

const CLI = path.resolve('dist');
const spec = `
name: http
services:
  go: {image: "${IMAGES.misbehaving}", port: 8080, ready: {path: /ping}}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
load:
  wrk: {threads: 1, connections: [16], keep-alive: [on], duration: 1s}
  k6: {rate: 200/s, connections: [8], keep-alive: [on], duration: 2s}
  warm-up: 1s
  cool-down: 100ms
`;

/** As a container job has it: the engine's socket, a folder, and a view of the machine of its own. */
function inContainer(folder: string, ...args: string[]): string {
  return execFileSync(
    'docker',
    [
      ...['run', '--rm', '--volume', '/var/run/docker.sock:/var/run/docker.sock', '--volume', `${folder}:${folder}`],
      ...['--volume', `${CLI}:${CLI}:ro`, '--workdir', folder, '--env', `WRKBENCH_COMPANION_IMAGE=${IMAGES.companion}`],
      ...['--entrypoint', 'node', IMAGES.companion, path.join(CLI, 'cli.cjs'), ...args],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
}

describe('a run from inside of a container', () => {
  it('is measured beside the servers, and leaves what any run does', () => {
    const folder = specFolder({ 'wrkbench.yml': spec });
    inContainer(folder, 'run', '--out', 'out');
    const { cases } = recordIn(path.join(folder, 'out'));
    expect(cases.map(({ key, status }) => [key, status])).toEqual([
      ['go/ping/direct/wrk/keep-alive/16', 'valid'],
      ['go/ping/direct/k6/keep-alive/8@200/s', 'valid'],
    ]);
    expect(cases[0]!.metrics['cpu-per-request']!.value).toBeGreaterThan(0);
    const left = execFileSync('docker', ['ps', '-aq', '--filter', 'label=wrkbench.owner'], { encoding: 'utf8' });
    expect(left).toBe('');
  });
});
