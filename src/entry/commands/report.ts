import pageScript from 'wrkbench:report-page';
import { renderReport } from '../../app/report.ts';
import { EXIT } from '../failure.ts';
import { recordAt } from './record-file.ts';

export async function reportCommand(file: string, options: { format: string }): Promise<number> {
  process.stdout.write(renderReport(await recordAt(file), options.format, { pageScript }));
  return EXIT.done;
}
