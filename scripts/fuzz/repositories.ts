import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { initialFiles, initText } from '../../src/app/init.ts';
import { validateSpec } from '../../src/app/validate.ts';
import { AlreadyThere, NothingFound, type RepositoryFile } from '../../src/core/detection/proposal.ts';
import type { Kind } from './kind.ts';
import { mutated, oneOf, wordsOf } from './mutation.ts';

const FOLDER = 'fixtures/repositories';

/** A repository with one file that is otherwise: what `init` makes of it is a valid spec, or a sentence. */
export function repositoryKind(): Kind {
  const repositories = readdirSync(FOLDER)
    .filter((name) => !name.includes('.'))
    .map((name) =>
      readdirSync(join(FOLDER, name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => ({ path: path.slice(join(FOLDER, name).length + 1), content: readFileSync(path, 'utf8') }))
        .filter(({ path }) => !path.startsWith('expected/')),
    );
  const words = wordsOf(repositories.flat().map(({ content }) => content));
  return {
    name: 'repository',
    share: 1,
    input: (random) => {
      const files = oneOf(repositories, random);
      const changed = oneOf(files, random);
      const otherwise = { ...changed, content: mutated(changed.content, words, random) };
      return JSON.stringify(files.map((file) => (file === changed ? otherwise : file)));
    },
    read: (input) => {
      const files = JSON.parse(input) as RepositoryFile[];
      try {
        const initial = initialFiles({
          files,
          passedOver: [],
          folderName: 'api',
          answers: {},
          starters: [],
          isWorkflowThere: true,
          branch: null,
        });
        for (const { path, content } of initial.specs) {
          const { ok, text } = validateSpec(content, path);
          if (!ok) throw new Error(`init wrote a spec with mistakes: ${text}`);
        }
        initText(initial, true);
        return true;
      } catch (error) {
        if (error instanceof AlreadyThere || error instanceof NothingFound) return false;
        throw error;
      }
    },
  };
}
