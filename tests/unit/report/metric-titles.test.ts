import { describe, expect, it } from 'vitest';
import { absoluteLimits } from '../../../src/core/comparison/absolute-limits.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { storedComparison } from '../../../src/core/comparison/stored.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { emptyManifest, withNames } from '../../../src/core/publication/pages-files.ts';
import { publishedRecord } from '../../../src/core/publication/published-record.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { comparisonText } from '../../../src/core/report/comparison/text.ts';
import { html } from '../../../src/core/report/html/index.ts';
import { markdown } from '../../../src/core/report/markdown/index.ts';
import { comparePage } from '../../../src/core/report/pages/compare.ts';
import { runPage } from '../../../src/core/report/pages/run.ts';
import { viewOf } from '../../../src/core/report/view.ts';
import { replayed, stories } from '../support/replay.ts';
import { fixtureRecord } from './fixture-records.ts';

const PLAIN = 'CPU per request, service and database';
const ALL = 'CPU per request, with dependencies';

/** Tables are as wide as their widest cell, and lines of a terminal are broken. */
const unaligned = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/-+/g, '-');
const titled = (text: string) =>
  unaligned(
    text
      .replaceAll(PLAIN, ALL)
      .replaceAll('that of service and database;', 'that of service, database and dependencies;'),
  );

const { dependencies } = readSpec(
  `name: a
services: {web: {image: acme/web, port: 8080}}
dependencies: {redis: {image: "redis:8"}}
endpoints: {ping: /ping}
`,
  'wrkbench.yml',
);

/** The same run of a spec with a dependency. */
const withDependency = (record: RunRecord): RunRecord => ({
  ...record,
  spec: { ...record.spec, dependencies: dependencies! },
});

const page = (value: unknown) => JSON.stringify(value);

/** Everything that people read of a compared run. */
function outputsOf(record: RunRecord): Record<string, string> {
  const comparison = comparisonOf(record);
  const published = publishedRecord(record, comparison);
  const view = viewOf(published);
  const facts = { specName: 'a', tool: { name: 'wrkbench', version: '1' }, server: null, repository: null };
  return {
    markdown: markdown(record, comparison),
    html: html(record, comparison, { script: '', scriptHash: '' }),
    text: comparisonText(comparison, { record }),
    gate: page(comparison.gate),
    'page of the run': page(runPage(published, view, null, 'cpu-per-request')),
    'page of two runs': page(comparePage(published, { ...published, id: 'later' }, 'all')),
    'page of the trend': page(withNames(emptyManifest(facts as never), published).metrics),
    stored: page(storedComparison({ ...published, id: 'earlier' }, published).gate),
    limits: page(absoluteLimits(record, { gate: limited(record) })),
  };
}

/** A limit of the level that every case breaks. */
function limited({ spec: { gate } }: RunRecord): RunRecord['spec']['gate'] {
  return { ...gate, metrics: { 'cpu-per-request': { max: 0.001 } } };
}

describe('what CPU per request is called', () => {
  const compared = stories.flatMap((story) => {
    const { record, comparison } = replayed(story);
    return comparison === null || record.cases.length === 0 ? [] : [[story, record] as const];
  });
  const records = [...compared, ['compared', fixtureRecord('compared')] as const];

  it.each(records)('names all that it counts where there are dependencies, in every output of %s', (_, record) => {
    const [plain, beside] = [outputsOf(record), outputsOf(withDependency(record))];
    for (const [name, text] of Object.entries(plain)) {
      expect([name, unaligned(beside[name]!).includes(PLAIN)]).toEqual([name, false]);
      if (name !== 'html') expect([name, unaligned(beside[name]!)]).toEqual([name, titled(text)]);
    }
  });

  it('stands in each of them', () => {
    const of = records.map(([, record]) => outputsOf(withDependency(record)));
    for (const name of Object.keys(of[0]!))
      expect([name, of.some((each) => each[name]!.includes(ALL))]).toEqual([name, true]);
  });
});
