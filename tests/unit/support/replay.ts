import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readRecordOf } from '../../../src/app/record-folder.ts';
import { renderReport } from '../../../src/app/report.ts';
import { absoluteLimits, noLimits } from '../../../src/core/comparison/absolute-limits.ts';
import type { Comparison } from '../../../src/core/comparison/comparison.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { type JournalHeader, readJournal } from '../../../src/core/record/journal.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { exitStatusOf, summary } from '../../../src/entry/run-outcome.ts';

const STORIES = 'fixtures/journals';

/** Those that `npm run journals` keeps. */
export const stories = readdirSync(STORIES).sort();

/** A file of what a story left, null where it left none of that name; `path` is what a snapshot of it is held against. */
export function leftBy(story: string, name: string): { text: string; path: string } | null {
  const file = path.resolve(STORIES, story, name);
  return existsSync(file) ? { text: readFileSync(file, 'utf8'), path: file } : null;
}

export interface Replayed {
  record: RunRecord;
  /** Null where there was nothing to compare with. */
  comparison: Comparison | null;
  /** What is printed in the end. */
  terminal: string;
  /** `report.md`. */
  report: string;
  status: number;
}

/** What `run` makes of a journal once the load is over. Only a person's Ctrl-C is not in it, which has an exit status of its own. */
export function replayed(story: string, { failOnInconclusive = false } = {}): Replayed {
  const text = leftBy(story, 'journal.jsonl')!.text;
  const record = recordOf(text, story);
  const comparison = comparisonIn(record, story, failOnInconclusive);
  const { quick, only, shard = null } = (readJournal(text, story)[0] as JournalHeader).selection;
  const { accepted = [] } = record.unpaired ?? {};
  const limits = comparison === null ? absoluteLimits(record, { accepted }) : noLimits;
  const result = { record, comparison, limits, selection: { quick, only, shard } };
  return {
    record,
    comparison,
    terminal: summary(result, 'out'),
    report: renderReport(record, 'markdown', { pageScript: '' }, comparison),
    status: exitStatusOf(result, { failOnInconclusive }, new AbortController().signal),
  };
}

function recordOf(journal: string, story: string): RunRecord {
  return readRecordOf({ record: null, journal }, story);
}

/** With that of the anchor, which is a run of its own. */
function comparisonIn(record: RunRecord, story: string, failOnInconclusive: boolean): Comparison | null {
  if (record.comparing === undefined) return null;
  const comparison = comparisonOf(record, { failOnInconclusive });
  const anchored = leftBy(story, 'anchor/journal.jsonl');
  return anchored === null ? comparison : { ...comparison, anchor: comparisonOf(recordOf(anchored.text, story)) };
}

/** Reason codes by case key, both sides together; a valid case has none. */
export function reasonsIn({ cases }: RunRecord): Record<string, string[]> {
  return Object.fromEntries(cases.map(({ key, reasons }) => [key, reasons.map(({ code }) => code)]));
}
