import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../src/adapters/process/command.ts';
import { commandLinesWith } from '../../support/command-lines.ts';
import { startedProgram } from '../../support/program.ts';

const sh = (script: string, options = {}) => runCommand('/bin/sh', ['-c', script], options);

describe('a short command', () => {
  it('that succeeds: its outputs, and no failure', async () => {
    expect(await sh('echo out; echo err >&2')).toEqual({
      ...{ exitCode: 0, signal: null, stdout: 'out', stderr: 'err', timedOut: false, found: true },
      failure: null,
    });
  });

  it('that fails: its status and its last words', async () => {
    const ended = await sh('echo first >&2; echo cannot open the door >&2; exit 7');
    expect(ended.exitCode).toBe(7);
    expect(ended.failure).toBe(
      '`/bin/sh -c echo first >&2; echo cannot open the door >&2; exit 7` ended with status 7: first / cannot open the door',
    );
  });

  it('that is not there', async () => {
    const ended = await runCommand('no-such-command', ['--version']);
    expect(ended.found).toBe(false);
    expect(ended.failure).toBe('no-such-command was not found on the PATH.');
  });

  it('that takes too long is ended, also where it does not want to', async () => {
    const ended = await sh("trap '' TERM; while :; do sleep 0.1; done", { timeoutSeconds: 0.3 });
    expect(ended.timedOut).toBe(true);
    expect(ended.failure).toMatch(/ did not end within 0\.3 s\.$/);
  });

  it('that is killed', async () => {
    expect((await sh('kill -KILL $$')).failure).toBe('`/bin/sh -c kill -KILL $$` was ended by SIGKILL.');
  });

  it('is given up when the run is interrupted', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('interrupted')), 100);
    await expect(sh('sleep 100', { signal: abort.signal })).rejects.toThrow('interrupted');
  });

  it('ends with us where we are killed, and so does what it has started', async () => {
    const seconds = 50_000 + (process.pid % 10_000);
    const program = await startedProgram(`
      import { runCommand } from './src/adapters/process/command.ts';
      void runCommand('/bin/sh', ['-c', 'sleep ${seconds} & wait']);
      console.log('started');`);
    await once(program.stdout!, 'data');
    await expect.poll(() => commandLinesWith(`sleep ${seconds}`), { timeout: 10_000 }).toHaveLength(2);
    program.kill('SIGKILL');
    await expect.poll(() => commandLinesWith(`sleep ${seconds}`), { timeout: 10_000 }).toEqual([]);
  });

  it('hears what it is given on standard input, and finds it empty otherwise', async () => {
    expect((await sh('cat', { input: 'hello' })).stdout).toBe('hello');
    expect((await sh('cat')).stdout).toBe('');
  });

  it('passes on each line of both outputs as it comes', async () => {
    const lines: string[] = [];
    await sh('echo one; echo two >&2', { onLine: (line: string) => lines.push(line) });
    expect(lines.sort()).toEqual(['one', 'two']);
  });

  it('knows nothing of our secrets', async () => {
    process.env.GITHUB_TOKEN = 'secret';
    expect((await sh('env')).stdout).not.toContain('GITHUB_TOKEN');
    delete process.env.GITHUB_TOKEN;
  });
});
