// needs: nothing
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { specFolders } from '../../../src/entry/action/spec-folders.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';

describe('the folder of a spec that was not measured', () => {
  it('holds why', async () => {
    const workspace = temporaryFolder();
    const warnings: string[] = [];
    const { folderOf, keepFailure } = specFolders(workspace, 'results', { warn: (text) => warnings.push(text) });
    await keepFailure('api', 'k6 is not here.');
    expect(folderOf('api')).toBe(path.join(workspace, 'results/api'));
    expect(readFileSync(path.join(folderOf('api'), 'failure.txt'), 'utf8')).toBe('k6 is not here.\n');
    expect(warnings).toEqual([]);
  });

  it('costs the other specs nothing where it cannot be written', async () => {
    const workspace = temporaryFolder();
    writeFileSync(path.join(workspace, 'results'), 'a file');
    const warnings: string[] = [];
    const { keepFailure } = specFolders(workspace, 'results', { warn: (text) => warnings.push(text) });
    await keepFailure('api', 'k6 is not here.');
    const file = path.join(workspace, 'results/api/failure.txt');
    expect(warnings).toEqual([
      expect.stringContaining(
        `Why api was not measured cannot be kept in ${file}, for a report by another job: ENOTDIR`,
      ),
    ]);
  });
});
