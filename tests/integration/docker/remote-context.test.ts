import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import type { PreparedService } from '../../../src/app/ports/testbed.ts';
import { type GitServer, gitServer } from '../../support/git-server/server.ts';
import { buildFixtureImages, docker, MISBEHAVING, never, newRunId, serviceWith, specWith } from './given.ts';

const runtime = dockerRuntime({ environment: process.env });
const NAME = `remote-${process.pid}`;
let server: GitServer;
let commits: string[] = [];

/** Two commits of a repository whose server says in its environment which it is; the Dockerfile lies in a folder. */
beforeAll(async () => {
  buildFixtureImages('misbehaving');
  server = await gitServer();
  const bare = server.create('servers');
  const checkout = path.join(server.root, 'checkout');
  mkdirSync(path.join(checkout, 'there'), { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', checkout, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet', '--initial-branch', 'main');
  commits = ['first', 'second'].map((which) => {
    writeFileSync(path.join(checkout, 'there/own.dockerfile'), `FROM ${MISBEHAVING}\nENV WHICH=${which}\n`);
    git('add', '--all');
    git('commit', '--quiet', '--message', which);
    return git('rev-parse', 'HEAD');
  });
  git('push', '--quiet', bare, 'main');
});
afterAll(async () => {
  await server.close();
  docker('image', 'rm', '--force', `wrkbench-build/${NAME}/plain:latest`);
});

async function preparedFrom(context: string): Promise<PreparedService> {
  const image = { kind: 'build', context, dockerfile: 'own.dockerfile', target: null, args: {} } as const;
  const spec = { ...specWith(serviceWith({ image })), name: NAME };
  const request = { runId: newRunId(), spec, services: spec.services, specDirectory: '/', builds: 3, onLine: () => {} };
  const [only] = await runtime.prepare(request, never());
  return only!;
}

describe('a service that is built from a repository at a commit', () => {
  it.each([
    ['first', 0],
    ['second', 1],
  ] as const)('is the one of its %s commit', async (which, index) => {
    const { failure, artifact } = await preparedFrom(`${server.url}/servers.git#${commits[index]}:there`);
    expect(failure).toBeNull();
    expect(docker('inspect', '--format', '{{json .Config.Env}}', artifact)).toContain(`"WHICH=${which}"`);
  });

  it('is told with its address where there is no such commit', async () => {
    const nowhere = `${server.url}/servers.git#${'0'.repeat(40)}:there`;
    const { failure } = await preparedFrom(nowhere);
    expect(failure).toMatchObject({ code: 'build-failed' });
    expect(failure?.message).toContain(`Try it by hand: \`docker build --file own.dockerfile '${nowhere}'\``);
  });
});
