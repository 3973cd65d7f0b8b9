import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mainThreadsNsOf, threadTimesOf } from '../../../src/adapters/process/thread-times.ts';

/** One thread works for half a second, all others rest. */
const program = `
  const { Worker } = require('node:worker_threads');
  const work = 'const end = Date.now() + 500; while (Date.now() < end); require("node:worker_threads").parentPort.postMessage(1); setInterval(() => {}, 1e6)';
  process.stdin.once('data', () => new Worker(work, { eval: true }).once('message', () => console.log('done')));
  console.log('up');
`;

describe('the threads of a process', () => {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  beforeAll(() => once(child.stdout, 'data'));
  afterAll(() => void child.kill('SIGKILL'));

  it('each have a time of their own, a new one as well', async () => {
    const before = threadTimesOf([child.pid!]);
    const mainBefore = mainThreadsNsOf([child.pid!])!;
    expect(before.size).toBeGreaterThan(2);
    child.stdin.write('go');
    await once(child.stdout, 'data');
    const after = threadTimesOf([child.pid!]);
    const used = [...after].map(([thread, ns]) => ns - (before.get(thread) ?? 0)).sort((a, b) => b - a);
    expect(after.size).toBeGreaterThan(before.size);
    expect(used[0]).toBeGreaterThan(2 * used[1]!);
    // Which only starts the one that works.
    expect(mainThreadsNsOf([child.pid!])! - mainBefore).toBeLessThan(used[0]! / 2);
  });

  it('of a process that has ended are none', () => {
    expect(threadTimesOf([2 ** 22 + 1]).size).toBe(0);
    expect(mainThreadsNsOf([2 ** 22 + 1])).toBeNull();
  });
});
