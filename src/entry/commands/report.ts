import path from 'node:path';
import pageScript from 'wrkbench:report-page';
import { renderReport, storedComparison } from '../../app/report.ts';
import { EXIT } from '../failure.ts';
import { textOf } from './files.ts';
import { recordAt } from './record-file.ts';

export async function reportCommand(file: string, options: { format: string }): Promise<number> {
  const record = await recordAt(file);
  const beside = path.join(file, 'comparison.json');
  const text = await textOf(beside, '').catch(() => null);
  const comparison = storedComparison(record, text, beside);
  process.stdout.write(renderReport(record, options.format, { pageScript }, comparison));
  return EXIT.done;
}
