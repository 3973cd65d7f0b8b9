// needs: linux
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ChildPlan, type ChildRun, runChild } from '../../../src/adapters/generators/child.ts';
import { FinishLine } from '../../../src/adapters/generators/finish-line.ts';
import { StartLine } from '../../../src/adapters/generators/start-line.ts';
import { markedProcesses } from '../../../src/adapters/process/process-tree.ts';

function run(script: string, more: Partial<ChildPlan> = {}, signal?: AbortSignal): Promise<ChildRun> {
  return runChild(
    {
      command: { program: '/bin/bash', arguments: ['-c', script] },
      directory: tmpdir(),
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
      timeoutSeconds: 30,
      cpuCount: 1,
      start: null,
      ...more,
    },
    signal ?? new AbortController().signal,
  );
}

const started = (onStart = () => {}) => ({ readyLine: 'ready', lane: new StartLine(1, onStart).lane(0) });

describe('a child that waits', () => {
  it('gets one line when it is let go, and its load is counted from there', async () => {
    const events: string[] = [];
    const onStart = () => events.push('start');
    const onTick = () => events.push('tick');
    const script = 'i=0; while ((i < 200000)); do ((i += 1)); done; sleep 0.3; echo ready; read word; echo "got $word"';
    const { stdout, exitCode, durationNs, cpuNs } = await run(script, { start: started(onStart), onTick });
    expect({ stdout, exitCode }).toEqual({ stdout: 'got go\n', exitCode: 0 });
    // Neither the 0.3 s before, nor the counting.
    expect(events).toEqual(['start']);
    expect(durationNs).toBeLessThan(300e6);
    expect(cpuNs).toBeLessThan(150e6);
  });

  it('is counted as a whole where it ends before it is ready', async () => {
    const { stdout, exitCode, durationNs, startedNs } = await run('sleep 0.2; echo no; exit 3', { start: started() });
    expect({ stdout, exitCode }).toEqual({ stdout: 'no\n', exitCode: 3 });
    expect(durationNs).toBeGreaterThan(200e6);
    expect(startedNs).toBeGreaterThan(0);
  });

  it('may end without having read the word', async () => {
    expect(await run('echo ready; exec 0<&-; sleep 0.2', { start: started() })).toMatchObject({ exitCode: 0 });
  });

  it('is ended at its limit where it is never ready, and where it does not end after that', async () => {
    const limited = { timeoutSeconds: 0.3 };
    expect(await run('sleep 60', { ...limited, start: started() })).toMatchObject({ timedOut: true });
    expect(await run('echo ready; sleep 60', { ...limited, start: started() })).toMatchObject({ timedOut: true });
  });

  it('has its own limit from its start on, however long it waited for another', async () => {
    const line = new StartLine(2, () => {});
    const limited = { timeoutSeconds: 1 };
    const [fast, slow] = await Promise.all([
      run('echo ready; read; sleep 0.5', { ...limited, start: { readyLine: 'ready', lane: line.lane(0) } }),
      run('sleep 0.7; echo ready; read', { ...limited, start: { readyLine: 'ready', lane: line.lane(1) } }),
    ]);
    expect([fast.timedOut, slow.timedOut]).toEqual([false, false]);
  });

  it('is ended when the run is aborted meanwhile', async () => {
    const abort = new AbortController();
    const line = new StartLine(2, () => {});
    const running = run('echo ready; read', { start: { readyLine: 'ready', lane: line.lane(0) } }, abort.signal);
    setTimeout(() => abort.abort(new Error('SIGTERM')), 200);
    await expect(running).rejects.toThrow('SIGTERM');
  });

  it('is ended where the reading before its start fails', async () => {
    const start = started(() => {
      throw new Error('the meter is gone');
    });
    await expect(run('echo ready; read && sleep 60', { start })).rejects.toThrow('the meter is gone');
  });
});

describe('a child that keeps its connections open after its load', () => {
  const script = 'echo ready; read; sleep 0.1; echo figures; echo ended; read rest; echo "closed $?"';
  const sleep = (ms: number) => new Promise<void>((passed) => setTimeout(passed, ms));
  const finishing = (whileOpen: () => Promise<void>) => ({
    start: started(),
    finish: { endedLine: 'ended', lane: new FinishLine(1, whileOpen).lane(0) },
  });

  it('ends when what is done meanwhile is done, and its load is counted to its word', async () => {
    const events: string[] = [];
    const whileOpen = async () => {
      events.push('open');
      await sleep(400);
      events.push('at rest');
    };
    const { stdout, exitCode, durationNs } = await run(script, {
      ...finishing(whileOpen),
      onEnd: () => events.push('end of the load'),
    });
    expect({ stdout, exitCode }).toEqual({ stdout: 'figures\nclosed 1\n', exitCode: 0 });
    expect(events).toEqual(['end of the load', 'open', 'at rest']);
    expect(durationNs).toBeGreaterThan(100e6);
    expect(durationNs).toBeLessThan(400e6);
  });

  it('is not interrupted any more once its load has ended', async () => {
    const trapped = `n=0; trap '((n += 1))' INT; echo ready; read; while ((n < 1)); do sleep 0.01; done; echo ended; read; echo "$n"`;
    const { stdout } = await run(trapped, { ...finishing(() => sleep(400)), interruptAfterSeconds: 0.1 });
    expect(stdout).toBe('1\n');
  });

  it('asks for nothing where it ends without the word', async () => {
    const whileOpen = async () => expect.unreachable();
    const { stdout, exitCode } = await run('echo ready; read; echo figures; exit 3', finishing(whileOpen));
    expect({ stdout, exitCode }).toEqual({ stdout: 'figures\n', exitCode: 3 });
  });

  it('is ended where the reading fails, and at its limit', async () => {
    const failing = finishing(() => Promise.reject(new Error('the meter is gone')));
    await expect(run(script, failing)).rejects.toThrow('the meter is gone');
    const endless = { ...finishing(() => sleep(2000)), timeoutSeconds: 0.5 };
    const { timedOut, durationNs } = await run(script, endless);
    expect(timedOut).toBe(true);
    expect(durationNs).toBeGreaterThan(500e6);
  });

  it('is ended when the run is aborted meanwhile', async () => {
    const abort = new AbortController();
    const whileOpen = async () => {
      abort.abort(new Error('SIGTERM'));
      await sleep(50);
    };
    await expect(run(script, finishing(whileOpen), abort.signal)).rejects.toThrow('SIGTERM');
  });
});

describe('an interrupt', () => {
  it('comes after the load, and again where it was not heard', async () => {
    const script = `n=0; trap '((n += 1))' INT; while ((n < 2)); do sleep 0.01; done; echo "$n"`;
    const { stdout, exitCode, durationNs } = await run(script, { interruptAfterSeconds: 0.3 });
    expect({ stdout, exitCode }).toEqual({ stdout: '2\n', exitCode: 0 });
    expect(durationNs).toBeGreaterThan(390e6);
  });

  it('does not come where the child has ended by itself', async () => {
    const { signal, exitCode } = await run('exit 0', { interruptAfterSeconds: 0.2 });
    expect({ signal, exitCode }).toEqual({ signal: null, exitCode: 0 });
  });
});

describe('what a child leaves behind in a session of its own', () => {
  it('is ended, whether it holds the output open or not', async () => {
    const mark = `test@${randomBytes(4).toString('hex')}`;
    const script = 'setsid sleep 1000 & setsid sleep 1000 >/dev/null 2>&1 & sleep 0.2; echo figures';
    const { stdout, exitCode, durationNs } = await run(script, { mark });
    expect({ stdout, exitCode }).toEqual({ stdout: 'figures\n', exitCode: 0 });
    expect(durationNs).toBeLessThan(900e6);
    expect(markedProcesses((value) => value === mark)).toEqual([]);
  });

  it('is not waited for where it has hidden itself', async () => {
    const mark = `test@${randomBytes(4).toString('hex')}`;
    const script = 'env -i setsid sleep 1000 & echo $!; sleep 0.2';
    const { stdout, exitCode } = await run(script, { mark });
    onTestFinished(() => void process.kill(Number(stdout), 'SIGKILL'));
    expect(exitCode).toBe(0);
  });
});
