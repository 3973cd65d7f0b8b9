// needs: engine, wrk, git, linux
// seconds: 3
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readPlace } from '../../src/core/publication/place.ts';
import { engineProxy } from '../e2e/support/engine-proxy.ts';
import { job } from '../e2e/support/job.ts';
import { gitServer } from '../support/git-server/server.ts';
import { IMAGES } from '../support/images.ts';
import { specFolder, temporaryFolder } from '../support/spec-folder.ts';
import { earlierRun } from '../unit/baseline/records.ts';

const spec = `
name: http
services:
  go: {image: "${IMAGES.misbehaving}", port: 8080, ready: {path: /ping}}
endpoints: {ping: {path: /ping}}
load: {wrk: {threads: 1, connections: [16], keep-alive: [on], duration: 1s}}
`;

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    encoding: 'utf8',
  }).trim();

function repository(folder: string, branch: string): (message: string) => string {
  git(folder, 'init', '--quiet', '--initial-branch', branch);
  git(folder, 'add', '.');
  return (message) => {
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
    return git(folder, 'rev-parse', 'HEAD');
  };
}

/** A clone of a branch that holds one run, of this commit. */
function dataBranch(sha: string): string {
  const folder = temporaryFolder();
  const record = earlierRun({ id: '20261120-092802-0a1b2c', spec: { ...earlierRun().spec, name: 'http' } });
  const at = readPlace(`wrkbench/http/runs/2026-11/${record.id}.${sha}.json`)!.path;
  mkdirSync(path.dirname(path.join(folder, at)), { recursive: true });
  writeFileSync(path.join(folder, at), JSON.stringify({ ...record, source: { ...record.source, sha } }));
  repository(folder, 'gh-pages')('Add a run');
  return folder;
}

it('a push whose engine is on another machine is compared with the last commit that the data branch has a run of', async () => {
  const [proxy, server] = [await engineProxy(), await gitServer()];
  onTestFinished(async () => {
    proxy.close();
    await server.close();
  });
  const folder = specFolder({ 'wrkbench.yml': spec });
  const commit = repository(folder, 'develop');
  const [measured, , head] = [commit('Measured'), commit('Not measured'), commit('Now')];
  git(dataBranch(measured), 'push', '--quiet', server.create('acme/api'), 'gh-pages');
  const event = { repository: { full_name: 'acme/api', default_branch: 'develop' } };
  const own = job(folder, event, {
    GITHUB_EVENT_NAME: 'push',
    GITHUB_SHA: head,
    GITHUB_REF: 'refs/heads/develop',
    GITHUB_SERVER_URL: server.url,
    DOCKER_HOST: proxy.host,
    WRKBENCH_RUNNER_CONTAINER_IMAGE: IMAGES.runnerContainer,
  });
  const inputs = { comment: 'never', status: 'false', publish: 'false', upload: 'false', baseline: 'auto' };
  const { status, log } = await own.step('action', inputs).ended;
  expect({ status, log }).toMatchObject({ status: 0 });
  const commitText = `commit ${measured.slice(0, 7)} (the last one before HEAD that was measured)`;
  expect(log).toContain(`The baseline is ${commitText}, built in this run; the candidate is checkout of`);
  expect(own.outputs().verdict).toBe('same');
});
