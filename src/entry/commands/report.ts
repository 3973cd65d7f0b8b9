import pageScript from 'wrkbench:report-page';
import { UsageError } from '../../app/failures.ts';
import { renderReport } from '../../app/report.ts';
import { reportFormat } from '../../core/report/registry.ts';
import { terminalParts } from '../../core/report/terminal.ts';
import { EXIT } from '../failure.ts';
import { print, printDocument, printJsonText } from '../output.ts';
import { outputColors, outputWidth } from '../terminal.ts';
import { comparedRunAt } from './record-file.ts';

export interface ReportCommandOptions {
  format?: string;
  into?: string;
  template?: string;
}

/** Without a format, Markdown for a file or another program, and on a terminal what `run` printed. */
export async function reportCommand(runs: string[], options: ReportCommandOptions): Promise<number> {
  const { format, into, template } = options;
  if (runs.length > 1 || into !== undefined || template !== undefined) {
    if (format !== undefined && format !== 'markdown') {
      throw new UsageError(
        `--format ${format} renders one run by itself: leave out --into and --template, and name one run.`,
      );
    }
    const { writtenReportCommand } = await import('./written-report.ts');
    return writtenReportCommand(runs, options);
  }
  return await oneReport(runs[0]!, format);
}

async function oneReport(file: string, wanted: string | undefined): Promise<number> {
  const { record, comparison } = await comparedRunAt(file);
  if (wanted === undefined && process.stdout.isTTY === true) {
    const surroundings = { width: outputWidth(), style: outputColors() };
    print(`${terminalParts(record, comparison, surroundings).join('\n\n')}\n`);
    return EXIT.done;
  }
  const format = wanted ?? 'markdown';
  const report = renderReport(record, format, { pageScript }, comparison);
  if (reportFormat(format)?.fileName.endsWith('.json')) printJsonText(report);
  else printDocument(report);
  return EXIT.done;
}
