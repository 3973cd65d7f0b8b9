import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** Each test file has a folder of its own for what is temporary, so that one that looks at it sees nothing of another's. */
const shared = process.env.TMPDIR;
const own = mkdtempSync(path.join(tmpdir(), 'wrkbench-tests-'));
// As open as the machine's: Postgres, which never runs as root, has its data here.
chmodSync(own, 0o1777);
process.env.TMPDIR = own;

afterAll(() => {
  if (shared === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = shared;
  rmSync(own, { recursive: true, force: true });
});
