import { describe, expect, it } from 'vitest';
import {
  commitAddress,
  commitsAddress,
  pullRequestAddress,
  releaseAddress,
} from '../../../../src/site/pages/web-links.ts';

const forge = { server: 'https://github.com', repository: 'acme/api' };
const sha = '3f2c1ab'.padEnd(40, '0');

describe('links to the forge', () => {
  it('lead to commit, what was committed between two, pull request and release', () => {
    expect(commitAddress(forge, sha)).toBe(`https://github.com/acme/api/commit/${sha}`);
    expect(commitsAddress(forge, '9d8e7f6', sha)).toBe(`https://github.com/acme/api/compare/9d8e7f6...${sha}`);
    expect(pullRequestAddress(forge, 12)).toBe('https://github.com/acme/api/pull/12');
    expect(releaseAddress(forge, 'v1/"<a>')).toBe('https://github.com/acme/api/releases/tag/v1%2F%22%3Ca%3E');
    expect(pullRequestAddress({ server: 'http://forge.local/git/', repository: 'a/b/c' }, 3)).toBe(
      'http://forge.local/git/a/b/c/pull/3',
    );
  });

  it.each([
    { server: null, repository: 'acme/api' },
    { server: 'https://github.com', repository: null },
    { server: 'javascript:alert(1)//', repository: 'acme/api' },
    { server: 'data:text/html,x', repository: 'acme/api' },
    { server: 'github.com', repository: 'acme/api' },
    { server: 'https://github.com', repository: '../..' },
    { server: 'https://github.com', repository: 'acme/api?x=' },
  ])('are none of $server and $repository', (other) => {
    expect(commitAddress(other, sha)).toBeNull();
  });

  it('are none of what is no commit', () => {
    expect(commitAddress(forge, '../../settings')).toBeNull();
    expect(commitsAddress(forge, sha, '../../settings')).toBeNull();
    expect(commitsAddress(forge, 'main', sha)).toBeNull();
  });
});
