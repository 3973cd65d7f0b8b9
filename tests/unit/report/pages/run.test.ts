import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../../src/core/comparison/comparison-of.ts';
import { publishedRecord } from '../../../../src/core/publication/published-record.ts';
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
