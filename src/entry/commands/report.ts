import path from 'node:path';
import pageScript from 'wrkbench:report-page';
import { readRecordOf } from '../../app/record-folder.ts';
import { renderReport } from '../../app/report.ts';
import { EXIT } from '../failure.ts';
import { isFolder, textOf } from './files.ts';

export async function reportCommand(file: string, options: { format: string }): Promise<number> {
  const record = (await isFolder(file))
    ? await recordOfFolder(file)
    : readRecordOf({ record: await textOf(file, 'Name a run.json or the folder of a run.'), journal: null }, file);
  process.stdout.write(renderReport(record, options.format, { pageScript }));
  return EXIT.done;
}

/** A run that was killed has a journal and no record yet. */
async function recordOfFolder(folder: string) {
  const read = (name: string) => textOf(path.join(folder, name), 'Name a run.json or the folder of a run.');
  const record = await read('run.json').catch(() => null);
  return readRecordOf({ record, journal: record === null ? await read('journal.jsonl') : null }, folder);
}
