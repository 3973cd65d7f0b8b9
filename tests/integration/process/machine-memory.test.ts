// needs: nothing
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { machineMemoryBytes } from '../../../src/adapters/process/machine-memory.ts';

const folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const limited = (text: string) => {
  const file = join(folder, 'limit');
  writeFileSync(file, text);
  return machineMemoryBytes([join(folder, 'no-such-file'), file]);
};

it("the memory for what is started is the machine's, or that of the cgroup around it where that is less", () => {
  expect(limited('67108864\n')).toBe(64 * 1024 ** 2);
  expect(limited('max\n')).toBe(totalmem());
  expect(limited('9223372036854771712\n')).toBe(totalmem());
});
