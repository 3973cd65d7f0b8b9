// needs: nothing

import { describe, expect, it } from 'vitest';
import { pageLinksOf } from '../../../src/app/posting/page-links.ts';
import { templateFiles, templatesAt } from '../../../src/app/project-templates.ts';
import { inlineText } from '../../../src/core/report/inline-text.ts';
import type { Permissions } from '../../support/github-api/permissions.ts';
import { ALWAYS, addArtifact, HEAD, OTHER, REPORTING, recordFor, reported, type World, world } from './given.ts';

const TIP = 'e'.repeat(40);
const SITE = {
  html_url: 'https://bench.acme.example',
  build_type: 'legacy' as const,
  source: { branch: 'gh-pages', path: '/' },
};
const READING: Permissions = { ...REPORTING, pages: 'read' };

/** The data branch has the page of the spec, and Pages shows it. */
function shown({ forge }: World, changes: Partial<NonNullable<World['forge']['site']>> = {}): void {
  forge.site = { ...SITE, ...changes };
  forge.branches.set('gh-pages', [TIP]);
  forge.files.set(TIP, { 'wrkbench/rest-api/index.html': '<!doctype html>' });
}

function linksOf(given: World, hosted = true) {
  const published = { serverUrl: 'https://github.com', repository: 'acme/api', branch: 'gh-pages', hosted };
  const { forge, warn } = given.adapters();
  return pageLinksOf(forge, { ...published, warn });
}

describe('the link to the pages', () => {
  it('is that of the site, as the forge names it', async () => {
    const given = await world({ permissions: READING });
    shown(given);
    const links = linksOf(given);
    expect(await links.url('rest-api')).toBe('https://bench.acme.example/wrkbench/rest-api/');
    expect(await links.url('other')).toBeNull();
    expect(await links.advice()).toBeNull();
    expect(given.warnings).toEqual([]);
  });

  it('is the usual one where this job may not read the site, but that there is one', async () => {
    const given = await world();
    shown(given);
    expect(await linksOf(given).url('rest-api')).toBe('https://acme.github.io/api/wrkbench/rest-api/');
    expect(given.warnings).toEqual([]);
  });

  it.each([[READING], [REPORTING]])('is none where Pages is not enabled', async (permissions) => {
    const given = await world({ permissions });
    shown(given);
    given.forge.site = null;
    const links = linksOf(given);
    expect(await links.url('rest-api')).toBeNull();
    expect(inlineText((await links.advice())!)).toMatch(
      /^The charts of these runs are on the branch gh-pages, and nothing shows them/,
    );
  });

  it.each([
    { source: { branch: 'main', path: '/' } },
    { source: { branch: 'gh-pages', path: '/docs' } },
    { build_type: 'workflow' as const },
  ])('is none where the site shows something else: %j', async (changes) => {
    const given = await world({ permissions: READING });
    shown(given, changes);
    expect(await linksOf(given).url('rest-api')).toBeNull();
  });

  it('is none, and told, where the forge does not answer', async () => {
    const given = await world({ permissions: READING, secondMs: 2 });
    shown(given);
    given.api.faults.push({ operation: 'repos/get-pages', times: ALWAYS, kind: 500 });
    const links = linksOf(given);
    expect([await links.url('rest-api'), await links.advice()]).toEqual([null, null]);
    expect(given.warnings).toEqual([expect.stringMatching(/^Whether this repository has a site is not known: GET /)]);
  });

  it('comes with no advice on another forge than GitHub', async () => {
    const given = await world();
    expect(await linksOf(given, false).advice()).toBeNull();
  });

  it('is in the comment where there is a page, and not where there is none', async () => {
    const given = await world({ permissions: READING });
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    await reported(given, {}, { pageLinks: linksOf(given) });
    expect(given.forge.comments.at(-1)?.body).toContain('This run');
    expect(given.forge.comments.at(-1)?.body).not.toContain('Trend');
    shown(given);
    await reported(given, {}, { pageLinks: linksOf(given) });
    expect(given.forge.comments.at(-1)?.body).toContain('[Trend](https://bench.acme.example/wrkbench/rest-api/)');
  });
});

describe("a project's own files", () => {
  it('are read as a commit has them, and none that is longer than it may be', async () => {
    const given = await world();
    given.forge.files.set(OTHER, {
      '.wrkbench/templates/site.yml': 'title: Äcme\n',
      '.wrkbench/templates/logo.svg': `<svg>${' '.repeat(300_000)}</svg>`,
      '.wrkbench/templates/BENCHMARK.md': 'of others',
      '.wrkbench/templates/pages/method.md': 'Twice.',
      '.wrkbench/templates/pages/deep/x.md': 'not ours',
      'wrkbench.yml': 'name: x',
    });
    const files = await templateFiles(templatesAt(OTHER, given.adapters().forge));
    const texts = [...files].map(([path, content]) => [
      path,
      content === null ? null : Buffer.from(content).toString(),
    ]);
    expect(texts).toEqual([
      ['site.yml', 'title: Äcme\n'],
      ['logo.svg', null],
      ['BENCHMARK.md', null],
      ['pages/method.md', 'Twice.'],
    ]);
    expect(await templateFiles(templatesAt(HEAD, given.adapters().forge))).toEqual(new Map());
  });
});
