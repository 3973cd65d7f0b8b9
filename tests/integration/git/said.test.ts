// needs: nothing
import { describe, expect, it } from 'vitest';
import { saidInTheEnd } from '../../../src/adapters/git/git.ts';

describe('what git said of its failure', () => {
  it.each([
    [
      'fatal: not a git repository (or any of the parent directories): .git\n',
      'not a git repository (or any of the parent directories): .git',
    ],
    ["hint: try this\nerror: pathspec 'x' did not match.\nmore\n", "pathspec 'x' did not match"],
    [
      "fatal: unable to access 'https://me:token@example.org/x/': refused\n",
      "unable to access 'https://example.org/x/': refused",
    ],
    ['', 'git gave no reason'],
  ])('%j is one sentence', (stderr, said) => {
    expect(saidInTheEnd(stderr)).toBe(said);
  });

  it.each(['/root/.config/git/config', '/root/.gitconfig'])('comes with what to do where %s is in the way', (file) => {
    expect(saidInTheEnd(`warning: x\nfatal: unable to access '${file}': Permission denied\n`)).toBe(
      `unable to access '${file}': Permission denied. HOME is a folder that this user may not read: set it to one of your own`,
    );
  });
});
