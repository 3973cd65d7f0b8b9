// needs: engine, linux
// seconds: 18
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shellWord } from '../../src/core/format/shell-word.ts';
import { engineProxy } from '../e2e/support/engine-proxy.ts';
import { type Job, job } from '../e2e/support/job.ts';
import { metadataRules, portReuse, portReuseBefore } from '../e2e/support/kernel-settings.ts';
import { ofRunnerContainer } from '../e2e/support/leftovers.ts';
import { loadedRunnerContainer } from '../e2e/support/loaded.ts';
import { IMAGES } from '../support/images.ts';
import { specFolder } from '../support/spec-folder.ts';

const DIST = path.resolve('dist');
/** As the shell in the job's container reads it. */
const script = (name: string) => shellWord(path.join(DIST, name));
/** Without keep-alive, so that a kernel setting of the engine's machine is changed as well. */
const spec = `
name: http
services:
  go: {image: "${IMAGES.misbehaving}", port: 8080, ready: {path: /ping}}
endpoints: {ping: {path: /ping}}
load: {wrk: {threads: 1, connections: [16], keep-alive: [off], duration: 60s}}
`;
const inputs = { comment: 'never', status: 'false', publish: 'false', upload: 'false', baseline: 'none' };
const variables = { GITHUB_EVENT_NAME: 'push', WRKBENCH_RUNNER_CONTAINER_IMAGE: IMAGES.runnerContainer };
/** Of it: one service, its network, and itself. */
const STANDING = 3;

/** Others may have left some before, which a run then sweeps away. */
const rulesSince = (before: string[]) => metadataRules().filter((rule) => !before.includes(rule));

describe('a job whose engine is on another machine', () => {
  it('leaves nothing there after the post step, where the step was killed outright', async () => {
    const rulesBefore = metadataRules();
    const proxy = await engineProxy();
    onTestFinished(() => proxy.close());
    const own = job(specFolder({ 'wrkbench.yml': spec }), {}, { ...variables, DOCKER_HOST: proxy.host });
    const step = own.step('action', inputs);
    const runnerContainer = await loadedRunnerContainer(() => own.state().STATE_owner);
    expect(portReuse()).toBe('1');
    expect(rulesSince(rulesBefore)).toHaveLength(1);
    expect(ofRunnerContainer(runnerContainer)).toHaveLength(STANDING);
    // The run there is interrupted at once, and may be taking down what it has started.
    step.process.kill('SIGKILL');
    const { log } = await step.ended;
    expect(log).toContain('\n::group::go: 1 case\n');
    const post = await own.step('post').ended;
    expect(post).toMatchObject({ status: 0, log: expect.stringContaining(`Removed the container ${runnerContainer}`) });
    expect(ofRunnerContainer(runnerContainer)).toEqual([]);
    expect(rulesSince(rulesBefore)).toEqual([]);
    expect(portReuse()).toBe(portReuseBefore(log));
  });
});

describe('a container job', () => {
  it.each([
    ['was killed outright', 'kill -9', (name: string) => `Removed the container ${name}`],
    ['runs on, since no signal reaches it', 'kill -0', () => 'Ended the step, which was still running.'],
  ])('leaves nothing around it after the post step, where the step %s', async (_, kill, said) => {
    const rulesBefore = metadataRules();
    const folder = specFolder({ 'wrkbench.yml': spec });
    const own = job(folder, {}, variables);
    const container = jobContainer(own, folder);
    container.start(`echo $$ > pid; exec node ${script('action.cjs')} > log 2>&1`);
    const runnerContainer = await loadedRunnerContainer(() => own.state().STATE_owner);
    expect(portReuse()).toBe('1');
    expect(rulesSince(rulesBefore)).toHaveLength(1);
    expect(ofRunnerContainer(runnerContainer)).toHaveLength(STANDING);
    container.call(`${kill} $(cat pid)`);
    expect(container.call(`node ${script('post.cjs')}`)).toContain(said(runnerContainer));
    expect(ofRunnerContainer(runnerContainer)).toEqual([]);
    expect(rulesSince(rulesBefore)).toEqual([]);
    expect(portReuse()).toBe(portReuseBefore(readFileSync(path.join(folder, 'log'), 'utf8')));
  });
});

/** As a container job has it: each step is a `docker exec` in one container, which sees the engine's socket. */
function jobContainer(own: Job, folder: string) {
  const environment = own.environment(inputs);
  const files = path.dirname(environment.GITHUB_OUTPUT!);
  const mounts = ['/var/run/docker.sock', folder, files, DIST].flatMap((each) => ['--volume', `${each}:${each}`]);
  const options = ['--detach', '--init', '--workdir', folder, ...mounts, '--entrypoint', 'sleep'];
  const id = execFileSync('docker', ['run', ...options, IMAGES.runnerContainer, '600'], { encoding: 'utf8' }).trim();
  onTestFinished(() => void execFileSync('docker', ['rm', '--force', id], { stdio: 'ignore' }));
  const exec = (script: string) => {
    const { PATH: _, ...all } = { ...environment, ...own.state() };
    const values = Object.entries(all).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return ['exec', ...values, id, 'sh', '-c', script];
  };
  return {
    start: (script: string) => void spawn('docker', exec(script), { stdio: 'ignore' }),
    call: (script: string) => execFileSync('docker', exec(script), { encoding: 'utf8' }),
  };
}
