// needs: engine, wrk, linux, node24

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACTION_NODE } from '../support/brought-programs.ts';
import { IMAGES } from '../support/images.ts';
import { type PrivateRegistry, privateRegistry } from '../support/private-registry.ts';
import { specFolder, temporaryFolder } from '../support/spec-folder.ts';
import { job } from './support/job.ts';
import { push, quiet, spec } from './support/measuring-step.ts';

const LOGIN = { username: 'acme-bot', password: 'p4ss-of-the-registry' };
const BASIC = Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64');
let registry: PrivateRegistry;

beforeEach(async () => {
  registry = await privateRegistry(IMAGES.misbehaving, LOGIN);
});
afterEach(async () => {
  execFileSync('docker', ['image', 'rm', '--force', registry.reference], { stdio: 'ignore' });
  await registry.close();
});

const fork = {
  repository: push.repository,
  pull_request: {
    number: 7,
    head: { sha: 'a'.repeat(40), ref: 'main', user: { login: 'somebody' }, repo: { full_name: 'somebody/api' } },
    base: { sha: 'b'.repeat(40), ref: 'main', repo: push.repository },
  },
};

/** A step that measures the private image, by a workflow that lists its login, with this configuration of `docker`. */
function stepOf(event: object, name: string, config: object = {}) {
  const folder = specFolder({ 'wrkbench.yml': spec().replace(IMAGES.misbehaving, registry.reference) });
  const machine = temporaryFolder();
  mkdirSync(path.join(machine, 'contexts'));
  writeFileSync(path.join(machine, 'config.json'), JSON.stringify(config));
  const own = job(folder, event, {
    GITHUB_EVENT_NAME: name,
    GITHUB_API_URL: 'http://127.0.0.1:9',
    DOCKER_CONFIG: machine,
  });
  const registries = `${registry.host} ${LOGIN.username} ${LOGIN.password}`;
  const step = own.step('action', { ...quiet, baseline: 'none', registries }, ACTION_NODE);
  return { folder, machine, own, step };
}

/** Names of the files below a step's results that hold the password, plain or as it is sent. */
function holding(folder: string): string[] {
  const results = path.join(folder, 'wrkbench-results');
  const files = readdirSync(results, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return files.flatMap(({ parentPath, name }) => {
    const text = readFileSync(path.join(parentPath, name), 'utf8');
    return text.includes(LOGIN.password) || text.includes(BASIC) ? [name] : [];
  });
}

/** Folders of logins on this machine that have one for the registry of this test. */
function loginFolders(): string[] {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith('wrkbench-logins-'));
  return folders.filter((name) => {
    const file = path.join(tmpdir(), name, 'config.json');
    return existsSync(file) && readFileSync(file, 'utf8').includes(registry.host);
  });
}

/** Everything that the engine knows of the containers of runs. */
function containersNow(): string {
  const docker = (...args: string[]) =>
    execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const ids = docker('ps', '--quiet', '--filter', `ancestor=${registry.reference}`).split('\n').filter(Boolean);
  try {
    return ids.length === 0 ? '' : docker('inspect', ...ids);
  } catch {
    // They went in between.
    return '';
  }
}

describe('a login of a registry that a workflow lists', () => {
  it('pulls the image, is in reach of no container, and in no result, no log and no folder afterwards', async () => {
    const { folder, machine, step } = stepOf(push, 'push');
    let hasEnded = false;
    const ended = step.ended.finally(() => {
      hasEnded = true;
    });
    let containers = '';
    while (!hasEnded) {
      containers ||= containersNow();
      await sleep(100);
    }
    const { status, log } = await ended;
    expect({ status, log }).toMatchObject({ status: 0 });
    expect(registry.presented()).toContain(`Basic ${BASIC}`);
    expect(containers).toContain('wrkbench.run');
    for (const text of [LOGIN.password, BASIC, 'wrkbench-logins-']) expect(containers).not.toContain(text);
    expect(holding(folder)).toEqual([]);
    expect(log.replace(`::add-mask::${LOGIN.password}`, '')).not.toMatch(new RegExp(`${LOGIN.password}|${BASIC}`));
    expect([loginFolders(), readFileSync(path.join(machine, 'config.json'), 'utf8')]).toEqual([[], '{}']);
  });

  it("is nothing that a fork's run gets, nor is one of the machine: its registry is never sent any", async () => {
    const machines = { auths: { [registry.host]: { auth: BASIC } } };
    const { folder, step } = stepOf(fork, 'pull_request', machines);
    const { status, log } = await step.ended;
    expect(registry.presented()).toEqual([null]);
    expect(log).toContain(
      `The image ${registry.reference} cannot be pulled: its registry ${registry.host} requires a login, and there is none`,
    );
    expect(log).not.toMatch(new RegExp(`${LOGIN.password}|${BASIC}`));
    expect([status, holding(folder), loginFolders()]).toEqual([1, [], []]);
  });

  it('is removed after the job where the step was killed', async () => {
    const { own, step } = stepOf(push, 'push');
    while (containersNow() === '') await sleep(100);
    expect(loginFolders()).toHaveLength(1);
    step.process.kill('SIGKILL');
    await step.ended;
    const { status } = await own.step('post', quiet, ACTION_NODE).ended;
    expect([status, loginFolders(), containersNow()]).toEqual([0, [], '']);
  });
});
