// needs: nothing
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { walkRepository } from '../../../src/adapters/files/repository-walk.ts';
import { isTelling, isTellingFolder } from '../../../src/core/detection/files.ts';
import { specFolder } from '../../support/spec-folder.ts';

const walked = (folder: string) => walkRepository(folder, { isTelling, isTellingFolder });
const pathsIn = async (folder: string) => (await walked(folder)).files.map((file) => file.path);

describe('the walk of a repository', () => {
  it('finds what tells something at any depth, what is nearer to the top first', async () => {
    const folder = specFolder({
      'services/api/src/main/java/com/acme/web/UserController.java': 'class UserController {}',
      'services/api/pom.xml': '<project/>',
      Dockerfile: 'FROM scratch',
      'notes.md': '# nothing',
    });
    expect(await pathsIn(folder)).toEqual([
      'Dockerfile',
      'services/api/pom.xml',
      'services/api/src/main/java/com/acme/web/UserController.java',
    ]);
  });

  it.each(['node_modules', 'vendor', '.git', 'target', 'dist', '.venv', 'tests'])('passes over %s', async (name) => {
    expect(await pathsIn(specFolder({ [`${name}/Dockerfile`]: 'FROM scratch', 'app/Dockerfile': '' }))).toEqual([
      'app/Dockerfile',
    ]);
  });

  it('follows no link, out of the repository or inside it, and names the one that it would have read', async () => {
    const outside = specFolder({ 'api/Dockerfile': 'FROM secret', Dockerfile: 'FROM secret' });
    const folder = specFolder({ 'app/Dockerfile': 'FROM scratch' });
    symlinkSync(path.join(outside, 'api'), path.join(folder, 'api'));
    symlinkSync(path.join(outside, 'Dockerfile'), path.join(folder, 'Dockerfile'));
    symlinkSync('app', path.join(folder, 'again'));
    expect(await walked(folder)).toEqual({
      files: [{ path: 'app/Dockerfile', content: 'FROM scratch' }],
      passedOver: [{ what: 'Dockerfile', why: 'it is a link, and links are not followed' }],
    });
  });

  it('names a file that is too long to be read', async () => {
    const folder = specFolder({ 'openapi.json': ' '.repeat(1024 * 1024 + 1) });
    expect(await walked(folder)).toEqual({
      files: [],
      passedOver: [{ what: 'openapi.json', why: 'it cannot be read, or has more than 1 MiB' }],
    });
  });

  it('ends where folders are nested deeper than any server has them', async () => {
    const deep = Array.from({ length: 40 }, (_, index) => `f${index}`).join('/');
    const { files, passedOver } = await walked(specFolder({ [`${deep}/Dockerfile`]: 'FROM scratch' }));
    expect(files).toEqual([]);
    expect(passedOver[0]!.what).toMatch(/^everything from f0\/f1\//);
  });
});
