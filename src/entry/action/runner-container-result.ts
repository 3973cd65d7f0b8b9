import path from 'node:path';
import { comparisonBeside } from '../../app/report.ts';
import type { RunResult } from '../../app/run.ts';
import { absoluteLimits } from '../../core/comparison/absolute-limits.ts';
import { textOf } from '../commands/files.ts';
import { recordAt } from '../commands/record-file.ts';

/** What a run left that was made elsewhere. Throws `UsageError` where it left nothing. */
export async function resultIn(folder: string): Promise<Pick<RunResult, 'record' | 'comparison' | 'limits'>> {
  const record = await recordAt(folder);
  const beside = path.join(folder, 'comparison.json');
  const comparison = comparisonBeside(record, await textOf(beside, '').catch(() => null), beside);
  return { record, comparison, limits: absoluteLimits(record) };
}
