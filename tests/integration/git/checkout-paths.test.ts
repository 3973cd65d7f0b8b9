import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkoutPaths } from '../../../src/adapters/git/checkout-paths.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wrkbench-checkout-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function written(...paths: string[]) {
  for (const path of paths) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), path === '.gitignore' ? '.env\ndist\n' : '');
  }
}

it('are those of what is there and not ignored, added or not', async () => {
  execFileSync('git', ['init', '--quiet', folder]);
  await written('.gitignore', '.env', 'dist/a.js', 'src/a b.js', 'docker/compose.yml');
  execFileSync('git', ['-C', folder, 'add', 'docker']);
  expect((await checkoutPaths(folder))?.sort()).toEqual(['.gitignore', 'docker/compose.yml', 'src/a b.js']);
  expect(await checkoutPaths(join(folder, 'docker'))).toEqual(['compose.yml']);
});

it('are not known of a folder that is in no repository, or that its repository ignores', async () => {
  await written('a.js');
  expect(await checkoutPaths(folder)).toBeNull();
  execFileSync('git', ['init', '--quiet', folder]);
  await written('.gitignore', 'dist/a.js');
  expect(await checkoutPaths(join(folder, 'dist'))).toBeNull();
});
