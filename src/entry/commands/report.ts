import path from 'node:path';
import pageScript from 'wrkbench:report-page';
import { renderReport, storedComparison } from '../../app/report.ts';
import { reportFormat } from '../../core/report/registry.ts';
import { EXIT } from '../failure.ts';
import { printDocument, printJsonText } from '../output.ts';
import { textOf } from './files.ts';
import { recordAt } from './record-file.ts';

export async function reportCommand(file: string, options: { format: string }): Promise<number> {
  const record = await recordAt(file);
  const beside = path.join(file, 'comparison.json');
  const text = await textOf(beside, '').catch(() => null);
  const comparison = storedComparison(record, text, beside);
  const report = renderReport(record, options.format, { pageScript }, comparison);
  if (reportFormat(options.format)?.fileName.endsWith('.json')) printJsonText(report);
  else printDocument(report);
  return EXIT.done;
}
