// needs: linux
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endOwner, ownIdentity } from '../../../src/adapters/process/owner.ts';
import { processStat } from '../../../src/adapters/process/process-table.ts';

const TIMES = { graceMs: 300, killMs: 2_000 };

/** A shell that says so when it is up, and runs on. */
async function running(script: string): Promise<{ child: ChildProcess; owner: string }> {
  const child = spawn('/bin/sh', ['-c', `${script} echo up; while :; do sleep 0.05; done`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  const start = processStat(child.pid!)!.startTicks;
  return { child, owner: ownIdentity().replace(/:\d+:\d+$/, `:${child.pid}:${start}\n`) };
}

describe('a process that is no longer wanted', () => {
  it('ends when it is asked to', async () => {
    const { child, owner } = await running('');
    expect(await endOwner(owner, TIMES)).toBe(true);
    await expect.poll(() => child.signalCode).toBe('SIGTERM');
  });

  it('is killed where it does not', async () => {
    const { child, owner } = await running("trap '' TERM;");
    expect(await endOwner(owner, TIMES)).toBe(true);
    await expect.poll(() => child.signalCode).toBe('SIGKILL');
  });

  it('is left alone where its number is all that fits, and where nobody is named', async () => {
    const { child, owner } = await running('');
    expect(await endOwner(owner.replace(/\d+\n$/, '1'), TIMES)).toBe(false);
    expect(await endOwner('', TIMES)).toBe(false);
    expect(await endOwner(ownIdentity(), TIMES)).toBe(false);
    expect({ code: child.exitCode, signal: child.signalCode }).toEqual({ code: null, signal: null });
  });
});
