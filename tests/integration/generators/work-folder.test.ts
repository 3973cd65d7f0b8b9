// needs: linux
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeWorkFolder } from '../../../src/adapters/generators/work-folder.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';

it('of what a generator has left only files are read, and nothing is waited for', async () => {
  const folder = await makeWorkFolder(temporaryFolder());
  writeFileSync(join(folder.path, 'result'), 'figures and more');
  execFileSync('mkfifo', [join(folder.path, 'pipe')]);
  symlinkSync('result', join(folder.path, 'link'));
  const names = ['result', 'pipe', 'link', '.', 'none'];
  expect(await folder.read(names, 7)).toEqual({ result: 'figures' });
});
