import { existsSync } from 'node:fs';
import path from 'node:path';
import { readTextDocument, writeTextDocument } from '../../adapters/files/text-document.ts';
import { UsageError } from '../../app/failures.ts';
import { reportInto } from '../../app/written-report.ts';
import { counted } from '../../core/format/figures.ts';
import type { GivenRun } from '../../core/report/written/runs.ts';
import { OWN_TEMPLATE } from '../../core/report/written/template.ts';
import { EXIT } from '../failure.ts';
import { print, printDocument } from '../output.ts';
import { isFolder } from './files.ts';
import { comparedRunAt } from './record-file.ts';

/** In place of ours, below the folder that the command is called in. */
const PROJECT_TEMPLATE = '.wrkbench/templates/benchmark.md';

/** Makes a report of the runs: into its file, which is begun where it is not there; else to standard output. */
export async function writtenReportCommand(
  named: readonly string[],
  { into, template }: { into?: string; template?: string },
): Promise<number> {
  const from = into === undefined ? '.' : path.dirname(into);
  const runs: GivenRun[] = [];
  for (const each of named) runs.push(await runNamed(each, from));
  const written = into === undefined ? null : await readTextDocument(into);
  const begun = written === null || written.trim() === '' ? await beginning(template) : null;
  const { text, where } = begun ?? { text: written!, where: into! };
  const report = reportInto(text, where, runs);
  if (into === undefined) {
    printDocument(report.text);
    return EXIT.done;
  }
  const made = `${counted(report.blocks, 'block')} and ${counted(report.values, 'value')} from ${counted(runs.length, 'run')}`;
  if (report.text === written) {
    print(`${into} is as it was: ${made} say the same.\n`);
    return EXIT.done;
  }
  await writeTextDocument(into, report.text);
  print(`${into} is written: ${made}.\n`);
  return EXIT.done;
}

/** `pooled=results/pooled`, or a run without a name. A path of the machine that has such a sign in it is a path. */
async function runNamed(text: string, from: string): Promise<GivenRun> {
  const [, label, named] = (existsSync(text) ? null : /^([A-Za-z0-9][\w.-]{0,60})=(.+)$/.exec(text)) ?? [];
  const at = named ?? text;
  const folder = (await isFolder(at)) ? at : path.basename(at) === 'run.json' ? path.dirname(at) : null;
  return {
    label: label ?? null,
    ...(await comparedRunAt(at)),
    folder: folder === null ? null : linkFolder(from, folder),
  };
}

/** As a link of the report goes; null where the two have no path between them. */
function linkFolder(from: string, folder: string): string | null {
  const relative = path.relative(from, folder);
  return path.isAbsolute(relative) ? null : relative.split(path.sep).join('/');
}

async function beginning(template: string | undefined): Promise<{ text: string; where: string }> {
  if (template !== undefined) {
    const text = await readTextDocument(template);
    if (text === null) throw new UsageError(`--template ${template}: there is no such file.`);
    return { text, where: template };
  }
  const own = await readTextDocument(PROJECT_TEMPLATE);
  return own === null
    ? { text: OWN_TEMPLATE, where: 'templates/benchmark.md' }
    : { text: own, where: PROJECT_TEMPLATE };
}
