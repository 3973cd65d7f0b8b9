import { expect, it } from 'vitest';
import { changedInPullRequest } from '../../../src/adapters/git/changed-files.ts';
import { type Author, newRepository } from './given.ts';

/** A pull request of two commits, of which the last one is only words, while its base moves on. */
function pullRequest(): { own: Author; headSha: string; baseSha: string } {
  const own = newRepository();
  own.commit({ 'server.go': 'package main' });
  own.git('checkout', '--quiet', '-b', 'feature');
  own.commit({ 'server.go': 'package slow' });
  const headSha = own.commit({ 'README.md': 'words' });
  own.git('checkout', '--quiet', 'main');
  const baseSha = own.commit({ 'other.go': 'package other' });
  return { own, headSha, baseSha };
}

const BOTH = ['README.md', 'server.go'];

it('are those of all commits of a pull request, where its head is checked out', async () => {
  const { own, headSha, baseSha } = pullRequest();
  own.git('checkout', '--quiet', headSha);
  expect(await changedInPullRequest(own.folder, { headSha, baseSha })).toEqual(BOTH);
});

it('are those of all commits of a pull request, where it is merged into its base', async () => {
  const { own, headSha, baseSha } = pullRequest();
  own.git('merge', '--quiet', '--no-ff', '--message', 'Merge', headSha);
  expect(await changedInPullRequest(own.folder, { headSha, baseSha })).toEqual(BOTH);
});

it('are those of all commits of a pull request, where its last one is a merge of its own', async () => {
  const { own, headSha: first, baseSha } = pullRequest();
  own.git('checkout', '--quiet', first);
  own.git('merge', '--quiet', '--no-ff', '--message', 'Take what is new', baseSha);
  const headSha = own.git('rev-parse', 'HEAD');
  expect(await changedInPullRequest(own.folder, { headSha, baseSha })).toEqual(BOTH);
});

it('are not known where the base is not in the checkout', async () => {
  const { own, headSha } = pullRequest();
  own.git('checkout', '--quiet', headSha);
  for (const baseSha of ['f'.repeat(40), '--all', '']) {
    expect(await changedInPullRequest(own.folder, { headSha, baseSha })).toBe(null);
  }
});
