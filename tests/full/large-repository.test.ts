// needs: nothing
// seconds: 1
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { walkRepository } from '../../src/adapters/files/repository-walk.ts';
import { isTelling, isTellingFolder } from '../../src/core/detection/files.ts';
import { specFolder } from '../support/spec-folder.ts';

const walked = (folder: string) => walkRepository(folder, { isTelling, isTellingFolder });

describe('the walk of a repository', () => {
  it('ends where a repository is larger than it reads, and says from where on', async () => {
    const folder = specFolder({ Dockerfile: 'FROM scratch' });
    mkdirSync(path.join(folder, 'src'));
    for (let index = 0; index < 3_001; index += 1) {
      writeFileSync(path.join(folder, 'src', `${String(index).padStart(5, '0')}.js`), '');
    }
    const { files, passedOver } = await walked(folder);
    expect(files.length).toBe(3_000);
    expect(passedOver).toEqual([
      {
        what: 'everything from src/02999.js on',
        why: 'the repository is larger than init reads: name the folder of the server (wrkbench init FOLDER)',
      },
    ]);
  });
});
