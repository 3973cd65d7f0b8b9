import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createEngine, engineEnvironment } from '../../../src/adapters/docker/engine.ts';
import { plainSentence, unavailability } from '../../../src/adapters/docker/engine-failure.ts';

const folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('what the docker command gets to see', () => {
  it('is its own configuration, and nothing of the job', () => {
    const environment = {
      PATH: '/bin',
      HOME: '/home/me',
      DOCKER_HOST: 'unix:///run/docker.sock',
      DOCKER_CONFIG: '/home/me/.docker',
      SSH_AUTH_SOCK: '/run/user/1000/agent',
      DOCKER_CLI_OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector',
      GITHUB_TOKEN: 'secret',
      LANG: 'C',
    };
    expect(engineEnvironment(environment)).toEqual({
      PATH: '/bin',
      HOME: '/home/me',
      DOCKER_HOST: 'unix:///run/docker.sock',
      DOCKER_CONFIG: '/home/me/.docker',
      SSH_AUTH_SOCK: '/run/user/1000/agent',
      DOCKER_CLI_HINTS: 'false',
      BUILDKIT_PROGRESS: 'plain',
    });
  });

  it('is so for the command that is really started', async () => {
    const program = join(folder, 'docker');
    writeFileSync(program, '#!/bin/sh\nenv\n');
    chmodSync(program, 0o755);
    const engine = createEngine({ PATH: `${folder}:/usr/bin:/bin`, GITHUB_TOKEN: 'secret', DOCKER_CONTEXT: 'c' });
    const names = (await engine.call(['version'])).stdout.split('\n').map((line) => line.split('=')[0]);
    expect(names.filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name ?? '')).sort()).toEqual([
      ...['BUILDKIT_PROGRESS', 'DOCKER_CLI_HINTS', 'DOCKER_CONTEXT', 'PATH'],
    ]);
  });

  it('is ended when it does not answer in time', async () => {
    const program = join(folder, 'docker');
    writeFileSync(program, '#!/bin/sh\nexec sleep 60\n');
    chmodSync(program, 0o755);
    const engine = createEngine({ PATH: `${folder}:/usr/bin:/bin` });
    await expect(engine.call(['container', 'create', 'x'], { timeoutSeconds: 0.3 })).rejects.toThrow(
      'docker container create: It did not answer within 0.3 s.',
    );
  });
});

describe('an engine that does not answer, in the words of its versions', () => {
  it.each([
    'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
    'failed to connect to the docker API at unix:///var/run/docker.sock; check if the path is correct and if the daemon is running: dial unix /var/run/docker.sock: connect: no such file or directory',
    'error during connect: Get "http://nohost.invalid:1/v1.50/version": dial tcp: lookup nohost.invalid: no such host',
    'Failed to initialize: unable to resolve docker endpoint: context "zzz": context not found',
  ])('%s', (said) => {
    const failure = unavailability(said, false, null);
    expect(failure?.code).toBe('engine-unavailable');
    expect(failure?.message).toMatch(/^No Docker engine answers \(.*\)\. Start it \(sudo systemctl start docker/);
  });

  it('may not be used: which group to join', () => {
    const said =
      'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.24/version": dial unix /var/run/docker.sock: connect: permission denied';
    expect(unavailability(said, false, null)?.message).toBe(
      'The Docker engine may not be used by this user. Add the user to its group (sudo usermod -aG docker $USER, then log in again), or run as root.',
    );
  });

  it('does not let anybody in by SSH: no group is asked for', () => {
    const said =
      'error during connect: Get "http://docker.example.com/v1.50/version": command [ssh -o ConnectTimeout=30 -T -- bench@10.0.0.7 docker system dial-stdio] has exited with exit status 255, make sure the URL is valid, and Docker 18.09 or later is installed on the remote host: stderr=bench@10.0.0.7: Permission denied (publickey).';
    expect(unavailability(said, false, 'ssh://bench@10.0.0.7')?.message).toMatch(
      /^No Docker engine answers at DOCKER_HOST=ssh:\/\/bench@10\.0\.0\.7 \(.*Permission denied \(publickey\)\)\. Start it, or correct or unset DOCKER_HOST\.$/,
    );
  });

  it('is not taken for one that answers no', () => {
    const said = 'Error response from daemon: Get "https://registry/v2/": dial tcp: lookup registry: no such host';
    expect(unavailability(said, false, null)).toBeNull();
  });
});

describe('what an engine said', () => {
  it.each([
    ['Error response from daemon: No such image: x:1\n', 'No such image: x:1.'],
    ['Error response from daemon: no CPU\nfailed to start containers: x', 'no CPU.'],
    [
      'DEPRECATED: The legacy builder …\n\nWARNING: no swap limit\nunable to prepare context',
      'unable to prepare context.',
    ],
    ['#5 0.1 main.c:3\nERROR: failed to solve: exit code: 7', 'failed to solve: exit code: 7.'],
    ['', 'it gave no reason.'],
  ])('%j is the sentence %j', (said, sentence) => expect(plainSentence(said)).toBe(sentence));
});
