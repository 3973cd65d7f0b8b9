import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { walkRepository } from '../../../src/adapters/files/repository-walk.ts';
import { initialFiles, initText, isTelling, isTellingFolder } from '../../../src/app/init.ts';
import { validateSpec } from '../../../src/app/validate.ts';

const REPOSITORIES = path.resolve('fixtures/repositories');

const initialOf = async (name: string) => {
  const { files, passedOver } = await walkRepository(path.join(REPOSITORIES, name), { isTelling, isTellingFolder });
  const alone = { answers: {}, starters: [], isWorkflowThere: false, branch: null };
  return initialFiles({ files, passedOver, folderName: name, ...alone });
};

describe.each(readdirSync(REPOSITORIES).filter((name) => !name.includes('.')))('the repository %s', (name) => {
  const expected = (file: string) => path.join(REPOSITORIES, name, 'expected', file);

  it('gets the specs and the text that stand beside it, and no others', async () => {
    const initial = await initialOf(name);
    for (const spec of initial.specs) await expect(spec.content).toMatchFileSnapshot(expected(spec.path));
    await expect(initText(initial, true)).toMatchFileSnapshot(expected('output.txt'));
    expect(readdirSync(path.join(REPOSITORIES, name, 'expected')).sort()).toEqual(
      [...initial.specs.map((spec) => spec.path), 'output.txt'].sort(),
    );
  });

  it('gets specs that are valid', async () => {
    for (const { path: file, content } of (await initialOf(name)).specs) {
      expect(validateSpec(content, file).text).toMatch(/^wrkbench[\w.-]*\.yml is valid: /);
    }
  });
});
