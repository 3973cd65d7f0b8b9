import { describe, expect, it } from 'vitest';
import type { Reason } from '../../../src/core/measurement/names.ts';
import { otherMachinesWarning } from '../../../src/core/record/different-machines.ts';
import { mergedRecord } from '../../../src/core/record/merged-record.ts';
import { contests } from '../../../src/core/report/analysis/contest.ts';
import { noPast } from '../../../src/core/report/analysis/ranges.ts';
import type { Block } from '../../../src/core/report/document.ts';
import { inlineText } from '../../../src/core/report/inline-text.ts';
import { denominators, rankingPage } from '../../../src/core/report/pages/ranking.ts';
import { cost } from '../../../src/core/report/sections/cost.ts';
import { keepAlive } from '../../../src/core/report/sections/keep-alive.ts';
import { rankingSection } from '../../../src/core/report/sections/ranking.ts';
import { ratios, referenceShares } from '../../../src/core/report/sections/ratios.ts';
import { scaling } from '../../../src/core/report/sections/scaling.ts';
import { headline } from '../../../src/core/report/sections/summary.ts';
import { viewOf } from '../../../src/core/report/view.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';
import { EPYC, shardedRecords, shardSet, XEON } from '../../support/made-up/sharded-run.ts';

const view = viewOf(mergedRecord(shardSet(shardedRecords([EPYC, XEON]))));
const warningsIn = (blocks: readonly Block[]) =>
  blocks.flatMap((block) => (block.kind === 'warning' ? [inlineText(block.text)] : []));

describe('the report of a run that was measured on different CPU models', () => {
  it('ranks nobody, and says why', () => {
    expect(view.tests.flatMap(({ entries }) => entries.map(({ rank }) => rank))).toEqual([null, null, null, null]);
    expect(warningsIn(rankingSection(view)!.blocks)).toEqual([
      `Nobody is ranked: the cases were measured on different CPU models (${EPYC} and ${XEON}), so their figures are not comparable.`,
    ]);
    expect(inlineText(headline(view))).toBe('4 cases measured.');
  });

  it('holds no case against another, nor against a reference', () => {
    expect([ratios, referenceShares, scaling].map((section) => section(view))).toEqual([null, null, null]);
  });
});

describe('cases that were measured on different CPU models', () => {
  const sections = (warnings: Reason[]) => {
    const cases = ['go', 'rust'].flatMap((service) => [
      { service },
      { service, keepAlive: false },
      { service, generator: 'k6' as const },
    ]);
    const record = madeUpRecord({ comparing: null, cases: cases.map((each) => ({ ...each, only: 'candidate' })) });
    const own = viewOf({ ...record, cases: record.cases.map((each) => ({ ...each, warnings })) });
    return [keepAlive, cost].map((section) => section(own)?.id ?? null);
  };

  it('have no impact of keep-alive, and no cost of the one as a factor of the other', () => {
    expect(sections([])).toEqual(['keep-alive', 'cost']);
    expect(sections([otherMachinesWarning(EPYC, [EPYC, XEON])])).toEqual([null, null]);
  });
});

describe('the ranking page of such a run', () => {
  const contest = contests(view)[0]!;
  const page = rankingPage(view, contest, 'go', noPast);

  it('ranks nobody, and says why', () => {
    expect(inlineText(page.lead)).toBe(
      'ping, wrk, keep-alive on, 4 threads / 100 connections: this run measured its cases on different CPU models, so nobody is ranked.',
    );
    const [table] = page.blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : []));
    expect(table!.columns.map(({ title }) => inlineText(title))).not.toContain('Rank');
    expect(page.sheet.rows.map((row) => row[3])).toEqual([null, null]);
  });

  it('has no ratio, and none to choose', () => {
    expect(denominators(contest)).toEqual([]);
    expect(page.sheet.rows.map((row) => row.at(-1))).toEqual([null, null]);
    const comparing = ['overall', 'pairs', 'references', 'scaling', 'keep-alive'];
    expect(page.sections.filter(({ id }) => comparing.includes(id))).toEqual([]);
  });
});

describe('the same run on one CPU model', () => {
  it('ranks everybody', () => {
    const same = viewOf(mergedRecord(shardSet(shardedRecords([EPYC, EPYC]))));
    expect(same.tests.map(({ entries }) => entries.map(({ rank }) => rank))).toEqual([
      expect.arrayContaining([1, 2]),
      expect.arrayContaining([1, 2]),
    ]);
  });
});
