// needs: engine, wrk, linux
// seconds: 15
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { recordIn } from '../e2e/support/command.ts';
import { IMAGES } from '../support/images.ts';
import { privateRegistry } from '../support/private-registry.ts';
import { specFolder, temporaryFolder } from '../support/spec-folder.ts';

const DIST = path.resolve('dist');
const LOGIN = { username: 'acme-bot', password: 'p4ss-of-the-registry' };

it('a run from inside of a container pulls with the logins of that container', async () => {
  const registry = await privateRegistry(IMAGES.misbehaving, LOGIN);
  const folder = specFolder({
    'wrkbench.yml': `
name: http
services:
  go: {image: "${registry.reference}", port: 8080, ready: {path: /ping}}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
load: {wrk: {threads: 1, connections: [16], keep-alive: [on], duration: 1s}, warm-up: 200ms, cool-down: 100ms}
`,
  });
  const machine = temporaryFolder();
  const auth = Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64');
  writeFileSync(path.join(machine, 'config.json'), JSON.stringify({ auths: { [registry.host]: { auth } } }));
  const volumes = ['/var/run/docker.sock:/var/run/docker.sock', `${folder}:${folder}`, `${DIST}:${DIST}:ro`];
  const variables = ['DOCKER_CONFIG=/logins', `WRKBENCH_RUNNER_CONTAINER_IMAGE=${IMAGES.runnerContainer}`];
  try {
    const { exitCode, all } = await execa({ reject: false, all: true })('docker', [
      ...['run', '--rm', '--workdir', folder, '--volume', `${machine}:/logins:ro`],
      ...volumes.flatMap((volume) => ['--volume', volume]),
      ...variables.flatMap((variable) => ['--env', variable]),
      ...['--entrypoint', 'node', IMAGES.runnerContainer, path.join(DIST, 'cli.cjs'), 'run', '--out', 'out'],
    ]);
    expect({ exitCode, all }).toMatchObject({ exitCode: 0 });
    expect(all).toContain('wrkbench measures there, in a container beside the servers.');
    expect(recordIn(path.join(folder, 'out')).cases.map(({ status }) => status)).toEqual(['valid']);
    expect(registry.presented()).toContain(`Basic ${auth}`);
  } finally {
    execFileSync('docker', ['image', 'rm', '--force', registry.reference], { stdio: 'ignore' });
    await registry.close();
  }
});
