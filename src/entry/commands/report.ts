import path from 'node:path';
import pageScript from 'wrkbench:report-page';
import { renderReport, storedComparison } from '../../app/report.ts';
import { reportFormat } from '../../core/report/registry.ts';
import { terminalParts } from '../../core/report/terminal.ts';
import { EXIT } from '../failure.ts';
import { print, printDocument, printJsonText } from '../output.ts';
import { outputColors, outputWidth } from '../terminal.ts';
import { textOf } from './files.ts';
import { recordAt } from './record-file.ts';

/** Without a format, Markdown for a file or another program, and on a terminal what `run` printed. */
export async function reportCommand(file: string, options: { format?: string }): Promise<number> {
  const record = await recordAt(file);
  const beside = path.join(file, 'comparison.json');
  const text = await textOf(beside, '').catch(() => null);
  const comparison = storedComparison(record, text, beside);
  if (options.format === undefined && process.stdout.isTTY === true) {
    const surroundings = { width: outputWidth(), style: outputColors() };
    print(`${terminalParts(record, comparison, surroundings).join('\n\n')}\n`);
    return EXIT.done;
  }
  const format = options.format ?? 'markdown';
  const report = renderReport(record, format, { pageScript }, comparison);
  if (reportFormat(format)?.fileName.endsWith('.json')) printJsonText(report);
  else printDocument(report);
  return EXIT.done;
}
