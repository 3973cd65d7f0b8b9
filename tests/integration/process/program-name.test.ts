// needs: linux
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { programName } from '../../../src/adapters/process/process-table.ts';

it.each([
  ['node', process.execPath, ['-e', 'setInterval(() => {}, 1000); process.stdout.write("up")']],
  ['sleep', 'sh', ['-c', 'printf up; exec sleep 100']],
])('a process is called %s, as a person knows it', async (name, program, args) => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(child.stdout, 'data');
    await expect.poll(() => programName(child.pid!)).toBe(name);
  } finally {
    child.kill();
  }
});

it('has no name where there is no such process', () => {
  expect(programName(2 ** 30)).toBeNull();
});
