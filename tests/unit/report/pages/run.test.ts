import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../../src/core/comparison/comparison-of.ts';
import { publishedRecord } from '../../../../src/core/publication/published-record.ts';
import type { RunRecord } from '../../../../src/core/record/run-record.ts';
import { contests } from '../../../../src/core/report/analysis/contest.ts';
import type { Block } from '../../../../src/core/report/document.ts';
import { inlineText } from '../../../../src/core/report/inline-text.ts';
import { runPage } from '../../../../src/core/report/pages/run.ts';
import { viewOf } from '../../../../src/core/report/view.ts';
import { type FixtureName, fixtureRecord } from '../fixture-records.ts';

function page(name: FixtureName, metric = 'throughput') {
  const record = fixtureRecord(name);
  const published = publishedRecord(record, record.comparing === undefined ? null : comparisonOf(record));
  const view = viewOf(published);
  return runPage(published, view, contests(view)[0]!, metric);
}

const tables = (blocks: readonly Block[]) => blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : []));

describe('a published run', () => {
  it('says what it was compared with, and has what is worse first', () => {
    const [changes] = page('compared').leading;
    expect(changes!.id).toBe('run-changes');
    const [first] = changes!.blocks;
    expect(first!.kind === 'paragraph' ? inlineText(first!.text) : '').toMatch(
      /^Against commit 3f2c1ab .*\. Both sides were loaded at the same time on the same machine/,
    );
    const rows = tables(changes!.blocks)[0]!.rows.map(({ cells }) => cells.map(inlineText));
    expect(rows[0]![0]).toBe('api · users');
    expect(rows.map(([, metric, , , verdict]) => `${metric}${verdict}`)).toContain('Queries per request worse');
    const details = changes!.blocks.flatMap((block) => (block.kind === 'details' ? [inlineText(block.summary)] : []));
    expect(details).toEqual(['Pictures of the changes', 'All cases']);
  });

  it('calls cases with one of several limits by it, as the report does', () => {
    const record = fixtureRecord('compared');
    const published = publishedRecord(record, comparisonOf(record));
    const [level] = published.published!.levels!.filter(({ key }) => key === 'api/users/*');
    const compared = { 'cpu-per-request': { change: 0.061, interval: null, verdict: 'regression' as const } };
    const levels = ['api/users/*@3%', 'api/users/*@12.5%', 'api/*@3%', 'api/users/*@40'].map((key) => ({
      ...level!,
      key,
      metrics: compared,
    }));
    const limited = { ...published, published: { ...published.published!, levels } };
    const view = viewOf(limited);
    const [changes] = runPage(limited, view, contests(view)[0]!, 'throughput').leading;
    expect(
      tables(changes!.blocks)[0]!
        .rows.map(({ cells }) => inlineText(cells[0]!))
        .slice(0, 4),
    ).toEqual([
      'api · users · cases limited to +3 %',
      'api · users · cases limited to +12.5 %',
      'api · cases limited to +3 %',
      'api · users · cases limited to +40.0 µs',
    ]);
  });

  /** What the section of changes says, and its verdicts. */
  const changesIn = (record: RunRecord) => {
    const [changes] = runPage(record, viewOf(record), null, 'throughput').leading;
    const [first] = changes!.blocks;
    const rows = tables(changes!.blocks).flatMap((table) => table.rows);
    return {
      text: first!.kind === 'paragraph' ? inlineText(first!.text) : '',
      verdicts: rows.map(({ cells }) => inlineText(cells.at(-1)!)),
    };
  };

  it('that had nothing to measure does not say how it measured', () => {
    const { comparing, ...record } = fixtureRecord('compared');
    const baseline = comparing!.baseline;
    const skipped: RunRecord = {
      ...record,
      cases: [],
      published: { accepted: [], baseline, passed: true, mode: 'duet' },
    };
    expect(changesIn(skipped)).toEqual({
      text: `Against ${baseline.text}. Nothing was measured, since both sides are the same.`,
      verdicts: [],
    });
    const failed = { ...skipped, published: { ...skipped.published!, passed: false } };
    expect(changesIn(failed).text).toBe(`Against ${baseline.text}. `);
  });

  it('that passed has no regression but accepted ones', () => {
    const record = fixtureRecord('compared');
    const published = publishedRecord(record, comparisonOf(record));
    const red = changesIn(published).verdicts;
    expect(red).toContain(' worse');
    const passed = changesIn({ ...published, published: { ...published.published!, passed: true } }).verdicts;
    expect(passed).toEqual(red.map((verdict) => verdict.replace('worse', 'worse, accepted')));
  });

  describe('that failed, although some of it was accepted', () => {
    const record = fixtureRecord('compared');
    const published = publishedRecord(record, comparisonOf(record));
    const accepting = (...accepted: { cases: string; metric: string | null }[]): RunRecord => ({
      ...published,
      published: {
        ...published.published!,
        accepted: accepted.map((each) => ({ ...each, reason: 'the roles need it' })),
      },
    });
    /** Metric and verdict of each row with a regression, in the first table. */
    const worse = (shown: RunRecord) => {
      const [changes] = runPage(shown, viewOf(shown), null, 'throughput').leading;
      const [table] = tables(changes!.blocks);
      return table!.rows
        .map(({ cells }) => cells.map(inlineText))
        .flatMap(([, metric, , , verdict = '']) => (verdict.includes('worse') ? [`${metric}:${verdict}`] : []));
    };

    it('calls accepted what somebody named by path and metric, and worse what nobody did', () => {
      const one = { cases: '/db/users', metric: 'queries-per-request' };
      expect(worse(accepting(one)).filter((row) => row.startsWith('Queries'))).toEqual([
        'Queries per request: worse, accepted',
      ]);
      expect(worse(accepting(one)).some((row) => row.endsWith(' worse'))).toBe(true);
    });

    it.each(['/db/users', 'api', 'api/*'])('holds the acceptance of %s against its rows as the gate does', (cases) => {
      const shown = worse(accepting({ cases, metric: null }));
      expect(shown.length).toBeGreaterThan(1);
      expect(shown.filter((row) => !row.endsWith(' worse, accepted'))).toEqual([]);
    });

    it('calls nothing accepted where the acceptance is of something else', () => {
      expect(worse(accepting({ cases: '/other', metric: null }))).toEqual(worse(published));
    });
  });

  it('that was compared with nothing has no section of changes', () => {
    expect(page('apostol').leading).toEqual([]);
  });

  it('has percentiles, CPU by part and the rest of the report, each once, and no link to files that are not there', () => {
    const { ofContest, following, folded, heatMap } = page('small');
    expect(ofContest.map(({ id }) => id)).toEqual(['percentiles', 'cpu']);
    expect(following.map(({ id }) => id)).toEqual(['counts', 'environment']);
    const ids = [...ofContest, ...following, ...folded, heatMap!].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(JSON.stringify(folded)).not.toContain('run.json');
  });

  it('has no picture of a metric that nobody knows', () => {
    expect(page('small', 'constructor').heatMap).toBeNull();
  });
});
