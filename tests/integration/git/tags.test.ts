import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { previousTag, tagOf } from '../../../src/adapters/git/tags.ts';
import { specFolder } from '../../support/spec-folder.ts';

describe('the tag before a tag', () => {
  it('is the nearest in the history, and none for the first', async () => {
    const folder = specFolder({ 'a.txt': '' });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args]);
    git('init', '--quiet');
    for (const tag of ['v1.0.0', 'v1.1.0', 'v2.0.0']) {
      git('commit', '--quiet', '--allow-empty', '--message', tag);
      git('tag', tag);
    }
    expect(await previousTag(folder, 'v2.0.0')).toBe('v1.1.0');
    expect(await previousTag(folder, 'v1.0.0')).toBeNull();
    expect(await previousTag(folder, 'v9')).toBeNull();
    expect(await previousTag(folder, '--all')).toBeNull();
  });
});

describe('the tag of a commit', () => {
  it('is the highest version of several, and none where it has none or is not here', async () => {
    const folder = specFolder({ 'a.txt': '' });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        encoding: 'utf8',
      }).trim();
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '--message', 'One');
    const sha = git('rev-parse', 'HEAD');
    expect(await tagOf(folder, sha)).toBeNull();
    for (const tag of ['v1.9.0', 'v1.10.0']) git('tag', tag);
    expect(await tagOf(folder, sha)).toBe('v1.10.0');
    expect(await tagOf(folder, 'f'.repeat(40))).toBeNull();
    expect(await tagOf(folder, '--all')).toBeNull();
  });
});
