import { describe, expect, it } from 'vitest';
import { pageAddress, pagesAdvice, type SiteFacts, serverOf } from '../../../src/core/publication/page-address.ts';
import { inlineText } from '../../../src/core/report/inline-text.ts';

const published = { serverUrl: 'https://github.com', repository: 'Acme/api', branch: 'gh-pages' };
const ofBranch = (changes: Partial<SiteFacts> = {}): SiteFacts => ({
  url: 'https://acme.github.io/api/',
  source: { branch: 'gh-pages', folder: '/' },
  ...changes,
});

describe('where the page of a spec is shown', () => {
  it('is below the site, with a domain of its own too', () => {
    expect(pageAddress(ofBranch(), published, 'web')).toBe('https://acme.github.io/api/wrkbench/web/');
    const own = ofBranch({ url: 'https://bench.acme.example/' });
    expect(pageAddress(own, published, 'web')).toBe('https://bench.acme.example/wrkbench/web/');
  });

  it('is where GitHub usually has it, as long as nobody tells', () => {
    const untold: SiteFacts = { url: null, source: null };
    expect(pageAddress(untold, published, 'web')).toBe('https://acme.github.io/api/wrkbench/web/');
    const owners = { ...published, repository: 'acme/Acme.github.io' };
    expect(pageAddress(untold, owners, 'web')).toBe('https://acme.github.io/wrkbench/web/');
    expect(pageAddress(untold, { ...published, serverUrl: 'https://git.acme.example' }, 'web')).toBeNull();
  });

  it.each<[string, SiteFacts | null]>([
    ['there is no site', null],
    ['the site is of another branch', ofBranch({ source: { branch: 'main', folder: '/' } })],
    ['the site is of another folder', ofBranch({ source: { branch: 'gh-pages', folder: '/docs' } })],
    ['a workflow makes the site', ofBranch({ source: 'another' })],
  ])('is nowhere where %s', (_, site) => {
    expect(pageAddress(site, published, 'web')).toBeNull();
  });
});

describe('how to have the pages shown', () => {
  const said = (site: SiteFacts | null) => inlineText(pagesAdvice(site, published)!);

  it('is one sentence where they are not', () => {
    expect(said(null)).toBe(
      'The charts of these runs are on the branch gh-pages, and nothing shows them yet: at https://github.com/Acme/api/settings/pages choose "Deploy from a branch", gh-pages and / (root).',
    );
    expect(said(ofBranch({ source: 'another' }))).toBe(
      'The charts of these runs are on the branch gh-pages, which the site of this repository does not show: have it deployed from gh-pages and / (root) at https://github.com/Acme/api/settings/pages, or copy the folder wrkbench of that branch into what deploys the site.',
    );
    expect(pagesAdvice(ofBranch(), published)).toBeNull();
    expect(pagesAdvice({ url: null, source: null }, published)).toBeNull();
  });
});

describe('the server of a remote', () => {
  it.each([
    ['https://github.com/acme/api.git', 'https://github.com'],
    ['https://token:x@GitHub.com/acme/api', 'https://github.com'],
    ['http://git.localhost:3000/acme/api.git', 'http://git.localhost:3000'],
    ['git@github.com:acme/api.git', 'https://github.com'],
    ['ssh://git@github.com/acme/api.git', 'https://github.com'],
    ['/srv/api.git', null],
    ['file:///srv/api.git', null],
    ['javascript://x/%0aalert(1)', null],
  ])('%s is %s', (remote, server) => {
    expect(serverOf(remote)).toBe(server);
  });
});
