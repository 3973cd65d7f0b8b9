import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { APPLICATIONS } from '../../../scripts/applications/catalogue.mjs';
import { fixtureFolder } from '../../../scripts/applications/installation.mjs';
import { renderReport } from '../../../src/app/report.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { readRunRecord } from '../../../src/core/record/run-record-file.ts';

/** Endpoints that the line of `slower.json` makes slower, and the statement that is new; null where the CPU time of its database grows. */
const SLOWER: Record<string, { endpoints: string[]; statement: RegExp | null }> = {
  openfga: { endpoints: ['check-denied', 'check-owner', 'check-through-folder'], statement: /^SELECT 1 FROM store/ },
  miniflux: { endpoints: ['entries', 'feed-entries'], statement: /^SELECT count\(\*\)\s+FROM entries/ },
  netbox: { endpoints: ['devices', 'devices-without-context'], statement: /^SELECT "dcim_site"/ },
  unleash: { endpoints: ['client-features'], statement: /^select "features"\."name"/ },
  ghost: { endpoints: ['home', 'posts'], statement: null },
  mlflow: { endpoints: ['champion', 'model-version'], statement: null },
  nocodb: {
    endpoints: ['count', 'filtered', 'record', 'records', 'update-record'],
    statement: /^select \* from "nc_models_v2"/,
  },
  gitea: { endpoints: ['issues'], statement: /^SELECT .* FROM "issue_pin" WHERE \(repo_id = \$1\)/ },
  keycloak: { endpoints: ['users'], statement: /^select count\(ue1_0\.ID\) from USER_ENTITY/ },
  directus: { endpoints: ['articles-cached'], statement: /^select .* from "articles"/ },
};

const fileOf = (name: string, kept: string, file: string) => join(fixtureFolder(name), kept, file);

function keptRun(name: string, kept: string) {
  const text = gunzipSync(readFileSync(fileOf(name, kept, 'run.json.gz'))).toString('utf8');
  return readRunRecord(text, 'run.json');
}

const kept = APPLICATIONS.flatMap(({ name }) =>
  ['slower', 'releases']
    .filter((each) => existsSync(fileOf(name, each, 'run.json.gz')))
    .map((each) => [name, each] as const),
);

describe('runs of applications that others wrote', () => {
  it('are kept of each of them made slower', () => {
    expect(kept.flatMap(([name, each]) => (each === 'slower' ? [name] : [])).toSorted()).toEqual(
      Object.keys(SLOWER).toSorted(),
    );
  });

  it.each(kept)('are judged and told as their files say, which `vitest -u` writes anew: %s, %s', async (name, each) => {
    const record = keptRun(name, each);
    const comparison = comparisonOf(record);
    const files = {
      'comparison.json': `${JSON.stringify(comparison, null, 2)}\n`,
      'report.md': renderReport(record, 'markdown', { pageScript: '' }, comparison),
    };
    for (const [file, content] of Object.entries(files))
      await expect(content).toMatchFileSnapshot(fileOf(name, each, file));
  });

  it.each(kept)('are valid in all cases but those that the service cannot answer in time: %s, %s', (name, each) => {
    const { cases } = keptRun(name, each);
    const others = cases.filter(({ status }) => status !== 'valid');
    expect(others.filter(({ status }) => status !== 'beyond')).toEqual([]);
    expect(others.length).toBeLessThanOrEqual(cases.length / 10);
  });

  it.each(Object.entries(SLOWER))('find what was made slower, by its name: %s', (name, { endpoints, statement }) => {
    const comparison = comparisonOf(keptRun(name, 'slower'));
    // An endpoint of one case is judged by that.
    const metric = statement === null ? 'cpu-per-request' : 'queries-per-request';
    const more = [...comparison.cases, ...comparison.endpoints].filter(
      ({ metrics }) => metrics[metric]?.verdict === 'regression',
    );
    expect([...new Set(more.map(({ endpoint }) => endpoint))].toSorted()).toEqual(endpoints);
    for (const { explanation } of statement === null ? [] : more) {
      expect(explanation!.statements.filter(({ query }) => statement!.test(query))).toHaveLength(1);
    }
  });
});
