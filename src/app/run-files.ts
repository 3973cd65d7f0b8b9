import type { Comparison } from '../core/comparison/comparison.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import type { RunStore } from './ports/run-store.ts';
import { type ReportAssets, renderReport } from './report.ts';

interface Files {
  store: RunStore;
  assets: ReportAssets;
}

/** Before all else: what was measured stays, whatever becomes of the reports. */
export async function writeRecord(record: RunRecord, { store }: Pick<Files, 'store'>): Promise<void> {
  await store.write('run.json', `${JSON.stringify(record, null, 2)}\n`);
}

/** What a run leaves beside its journal and its record. */
export async function writeReports(
  record: RunRecord,
  comparison: Comparison | null,
  { store, assets }: Files,
): Promise<void> {
  if (comparison !== null) await store.write('comparison.json', `${JSON.stringify(comparison, null, 2)}\n`);
  await store.write('report.md', renderReport(record, 'markdown', assets, comparison));
  await store.write('report.html', renderReport(record, 'html', assets, comparison));
}
