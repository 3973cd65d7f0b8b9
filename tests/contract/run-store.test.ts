// needs: nothing
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openRunStore } from '../../src/adapters/files/run-store.ts';
import { runStoreContract } from './run-store-contract.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

runStoreContract('files', {
  async fresh() {
    const folder = await mkdtemp(join(tmpdir(), 'wrkbench-store-'));
    folders.push(folder);
    return openRunStore(join(folder, 'run'), { resume: false });
  },
  reopened: ({ directory }) => openRunStore(directory, { resume: true }),
  content: ({ directory }, path) => readFile(join(directory, path), 'utf8').catch(() => null),
});
