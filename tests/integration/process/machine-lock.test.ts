import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LockHolder } from '../../../src/adapters/files/lock-seat.ts';
import {
  acquireMachineLock,
  describeQueue,
  machineLock,
  tryMachineLock,
} from '../../../src/adapters/files/machine-lock.ts';
import { MachineBusy } from '../../../src/app/ports/machine.ts';
import { never } from '../process-runtime/given.ts';

const folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
const program = join(folder, 'lock-holder.mjs');
let name = '';
let count = 0;
let holder: ChildProcess | null = null;

beforeAll(async () => {
  const entryPoints = ['tests/integration/process-runtime/servers/lock-holder.ts'];
  await build({ entryPoints, outfile: program, bundle: true, platform: 'node', format: 'esm' });
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  count += 1;
  name = `wrkbench-test-lock-${process.pid}-${count}`;
});
afterEach(() => {
  holder?.kill('SIGKILL');
  holder = null;
});

/** A second process that holds the lock. */
async function otherProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, name], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  holder = child;
  await new Promise((resolve, reject) => {
    child.stdout?.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`the holder exited with ${code}`)));
  });
  return child;
}

const acquire = (onWait: (holder: LockHolder) => void = () => {}, signal = never()) =>
  acquireMachineLock({ name, runId: 'mine' }, ([holder]) => onWait(holder!), signal);

describe('a run that is to wait for so long', () => {
  const waited = async (mostSeconds: number) => {
    const waits: string[] = [];
    const error = await machineLock(name)
      .acquire('mine', (other) => waits.push(other), never(), mostSeconds)
      .catch((reason: unknown) => reason);
    return { error, waits: waits.length };
  };
  const sentence = (after: string) =>
    new RegExp(
      `^Nothing was measured: run elsewhere \\(process \\d+ in ${basename(folder)}\\) has been measuring since [\\d:]+ UTC${after}\\. Two runs at a time would measure each other: start this one when the machine is free, or let it wait for longer \\(--wait\\)\\.$`,
    );

  it('gives up at once with 0, without a word of waiting', async () => {
    await otherProcess();
    const { error, waits } = await waited(0);
    expect(error).toBeInstanceOf(MachineBusy);
    expect((error as Error).message).toMatch(sentence(''));
    expect(waits).toBe(0);
  });

  it('gives up after its time, and says who measures', async () => {
    await otherProcess();
    const { error, waits } = await waited(0.3);
    expect((error as Error).message).toMatch(sentence("; it was not this one's turn within 0.3 s"));
    expect(waits).toBe(1);
  });

  it('has the machine where nobody else has it, or no longer', async () => {
    const free = await machineLock(name).acquire('mine', () => {}, never(), 0);
    await free.release();
    await otherProcess();
    const soon = machineLock(name).acquire('mine', () => holder?.kill('SIGKILL'), never(), 60);
    await (await soon).release();
  });
});

describe('the machine lock', () => {
  it('is had at once where nobody has it, again after each release, and released twice without harm', async () => {
    const waits: LockHolder[] = [];
    for (let round = 0; round < 3; round += 1) {
      const held = await acquire((other) => waits.push(other));
      await held.release();
      await held.release();
    }
    expect(waits).toEqual([]);
  });

  it('is not waited for by who only wants it where nobody has it', async () => {
    const held = await tryMachineLock('mine', name);
    expect(held).not.toBeNull();
    expect(await tryMachineLock('other', name)).toBeNull();
    await held!.release();
    const again = await tryMachineLock('other', name);
    expect(again).not.toBeNull();
    await again!.release();
  });

  it('names the holder to those who wait, once, and is theirs when the holder is killed', async () => {
    const other = await otherProcess();
    const waits: LockHolder[] = [];
    const waiting = acquire((holder) => waits.push(holder));
    await expect.poll(() => waits.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(waits).toEqual([
      {
        runId: 'elsewhere',
        pid: other.pid,
        folder: basename(folder),
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ]);
    other.kill('SIGKILL');
    await (await waiting).release();
  });

  it('is held by one of many who want it at the same moment', async () => {
    let inside = 0;
    let most = 0;
    const turns = Array.from({ length: 5 }, async () => {
      const held = await acquire();
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 30));
      inside -= 1;
      await held.release();
    });
    await Promise.all(turns);
    expect(most).toBe(1);
  });

  it('stays with a holder that is stopped and cannot say who it is', async () => {
    const other = await otherProcess();
    other.kill('SIGSTOP');
    const waits: LockHolder[] = [];
    const abort = new AbortController();
    const waiting = acquire((holder) => waits.push(holder), abort.signal);
    await expect
      .poll(() => waits.map((each) => describeQueue([each])), { timeout: 5_000 })
      .toEqual(['another run is measuring on this machine']);
    abort.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
  });

  it('shows what a stranger on its name says as plain text', async () => {
    const stranger = createServer((guest) => guest.end('{"pid": 7, "runId": "\\u001b[31mred", "folder": 1}')).listen(
      `\0${name}`,
    );
    const waits: LockHolder[] = [];
    const abort = new AbortController();
    const waiting = acquire((holder) => waits.push(holder), abort.signal);
    await expect.poll(() => waits.length).toBe(1);
    expect(waits).toEqual([{ pid: 7, runId: '?[31mred', folder: '1', since: 'undefined' }]);
    abort.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
    stranger.close();
  });

  it('tells those who wait through the port in words', async () => {
    const other = await otherProcess();
    const lines: string[] = [];
    const abort = new AbortController();
    const waiting = machineLock(name).acquire('mine', (line) => lines.push(line), abort.signal);
    await expect.poll(() => lines.length).toBe(1);
    expect(lines[0]).toMatch(
      new RegExp(
        `^run elsewhere \\(process ${other.pid} in ${basename(folder)}\\) has been measuring since \\d\\d:\\d\\d:\\d\\d UTC$`,
      ),
    );
    abort.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
  });

  it('does not go to who only wants it where nobody has it while somebody waits for it', async () => {
    const other = await otherProcess();
    const waits: LockHolder[] = [];
    const waiting = acquire((holder) => waits.push(holder));
    await expect.poll(() => waits.length).toBe(1);
    other.kill('SIGKILL');
    expect(await tryMachineLock('third', name)).toBeNull();
    await (await waiting).release();
  });
});

describe('runs that wait for the machine', () => {
  const SOON = { timeout: 5_000 };
  const waiting: ChildProcess[] = [];
  afterEach(() => {
    for (const child of waiting.splice(0)) child.kill('SIGKILL');
  });

  interface Waiting {
    child: ChildProcess;
    /** Everything that it has printed. */
    said(): string;
  }

  /** A process that wants the lock, prints whom it waits for, and keeps the lock once it has it. */
  function comes(runId: string): Waiting {
    const child = spawn(process.execPath, [program, name, runId], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout!.on('data', (chunk) => {
      printed += String(chunk);
    });
    waiting.push(child);
    return { child, said: () => printed };
  }

  const has = ({ said }: Waiting) => said().endsWith('held\n');

  it('get it in the order in which they came, without the one that died meanwhile, and are told who is before them', async () => {
    const first = comes('first');
    await expect.poll(() => has(first), SOON).toBe(true);
    const second = comes('second');
    await expect.poll(second.said, SOON).toContain('waiting');
    const third = comes('third');
    await expect.poll(third.said, SOON).toContain('waiting');
    const fourth = comes('fourth');
    await expect.poll(fourth.said, SOON).toContain('waiting');
    const run = (runId: string, { child }: Waiting) => `run ${runId} (process ${child.pid} in ${basename(folder)})`;
    const measuring = ` has been measuring since ${/since (\S+) UTC/.exec(second.said())?.[1]} UTC`;
    expect(second.said()).toBe(`waiting: ${run('first', first)}${measuring}\n`);
    expect(third.said()).toBe(
      `waiting: ${run('first', first)}${measuring}, and ${run('second', second)} waits before this one\n`,
    );
    expect(fourth.said()).toBe(
      `waiting: ${run('first', first)}${measuring}, and 2 runs wait before this one: ${run('second', second)}, ${run('third', third)}\n`,
    );

    second.child.kill('SIGKILL');
    await expect.poll(fourth.said, SOON).toContain(`${run('third', third)} waits before this one\n`);
    first.child.kill('SIGKILL');
    await expect.poll(() => has(third), SOON).toBe(true);
    expect(has(fourth)).toBe(false);
    third.child.kill('SIGKILL');
    await expect.poll(() => has(fourth), SOON).toBe(true);
    expect(has(second)).toBe(false);
  }, 20_000);
});
