import { expect, it } from 'vitest';
import { importRuns } from '../../../src/app/import-runs.ts';
import { siteSource } from '../../../src/app/site-source.ts';
import { pagesSource } from '../../support/made-up/pages-source.ts';
import { memoryBranch } from '../../support/memory-branch.ts';

it('import into a spec without runs makes its page', async () => {
  const branch = memoryBranch();
  const site = siteSource({
    version: '0.1.0',
    site: (specs) => specs.map((spec) => ({ path: `wrkbench/${spec}/index.html`, content: spec })),
    stale: () => [],
    badges: () => [],
  });
  const bench = {
    commit: { id: 'a'.repeat(40) },
    date: 0,
    tool: 'go',
    benches: [{ name: 'Ping', value: 7, unit: 'ns' }],
  };
  const { added } = await importRuns(
    { entries: { Suite: [bench] } },
    {
      specName: 'rest-api',
      pages: { ...pagesSource, ...site },
      warn(text) {
        throw new Error(`Not expected: ${text}`);
      },
    },
    branch.publisher(),
    new AbortController().signal,
  );
  expect(added).toBe(1);
  expect([...branch.files.keys()].sort()).toEqual([
    'wrkbench/rest-api/index.html',
    'wrkbench/rest-api/manifest.json',
    'wrkbench/rest-api/series/1970-01.json',
  ]);
});
