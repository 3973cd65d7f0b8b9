import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { perfSyscallCounter } from '../../src/adapters/sampling/perf-syscalls.ts';
import type { SyscallCounter } from '../../src/app/ports/syscalls.ts';
import { fakeSyscallCounter } from '../support/fake-syscalls.ts';

/** Calls `fstat` as often as the number on each line of its input says, and answers with a line. */
const SERVER = `
const fs = require('node:fs');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  for (let left = Number(line); left > 0; left -= 1) fs.fstatSync(1);
  fs.writeSync(1, 'done\\n');
});`;

let server: ChildProcess;

async function calls(count: number): Promise<void> {
  server.stdin!.write(`${count}\n`);
  await once(server.stdout!, 'data');
}

beforeAll(async () => {
  server = spawn(process.execPath, ['-e', SERVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  await calls(10);
});

afterAll(async () => {
  const ended = once(server, 'exit');
  server.kill();
  await ended;
});

describe.each<[string, () => SyscallCounter]>([
  ['perf', perfSyscallCounter],
  ['the fake', () => fakeSyscallCounter([1003, 3])],
])('a counter of system calls: %s', (_, create) => {
  it('can count here', async () => {
    expect(await create().obstacle()).toBeNull();
  });

  it('counts the calls of the processes, and only while it is asked to', async () => {
    const counter = create();
    const busy = await counter.count([server.pid!], () => calls(1000));
    await calls(5000);
    const idle = await counter.count([server.pid!], () => calls(0));
    expect(busy! - idle!).toBeGreaterThanOrEqual(990);
    expect(busy! - idle!).toBeLessThan(1100);
    expect(idle).toBeLessThan(100);
  });

  it('counts nothing of no process, and does what it was given once', async () => {
    let times = 0;
    const during = async () => {
      times += 1;
    };
    expect(await create().count([], during)).toBeNull();
    expect(times).toBe(1);
  });

  it('rejects as what it was given does', async () => {
    const fails = () => Promise.reject(new Error('the server is gone'));
    await expect(create().count([server.pid!], fails)).rejects.toThrow('the server is gone');
  });
});

describe('perf', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('says how to get it where it is not installed, and counts nothing', async () => {
    vi.stubEnv('PATH', '/nowhere');
    const counter = perfSyscallCounter();
    expect(await counter.obstacle()).toBe(
      'System calls are not counted: perf is not on this machine. Install it: ' +
        '`sudo apt-get install linux-perf` on Debian, `linux-tools-$(uname -r)` on Ubuntu.',
    );
    expect(await counter.count([server.pid!], async () => {})).toBeNull();
  });

  it('gives no count of a process that there is none of, and does not fail', async () => {
    let times = 0;
    const during = async () => {
      times += 1;
    };
    // The kernel gives no process this id.
    expect(await perfSyscallCounter().count([4_194_305], during)).toBeNull();
    expect(times).toBe(1);
  });
});
