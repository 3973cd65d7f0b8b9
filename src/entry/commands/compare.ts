import { folderHistory } from '../../adapters/files/record-history.ts';
import { compare } from '../../app/compare.ts';
import { UsageError } from '../../app/failures.ts';
import { comparisonText } from '../../core/report/comparison/text.ts';
import { EXIT } from '../failure.ts';
import { print, printJson } from '../output.ts';
import { outputColors, outputWidth } from '../terminal.ts';
import { isFolder } from './files.ts';
import { recordAt } from './record-file.ts';

export interface CompareCommandOptions {
  json?: boolean;
  history?: string;
  failOnInconclusive?: boolean;
}

export async function compareCommand(
  baseFile: string,
  headFile: string,
  { json, history, failOnInconclusive }: CompareCommandOptions,
): Promise<number> {
  const base = await recordAt(baseFile);
  const head = await recordAt(headFile);
  if (history !== undefined && !(await isFolder(history))) {
    throw new UsageError(
      `--history ${history}: there is no such folder. Name one that holds the folders of past runs.`,
    );
  }
  const past = history === undefined ? null : folderHistory(history);
  const comparison = await compare(base, head, past, { failOnInconclusive: failOnInconclusive ?? false });
  const surroundings = { width: outputWidth(), style: outputColors(), record: head };
  if (json) printJson(comparison);
  else print(comparisonText(comparison, surroundings));
  return comparison.gate.passed ? EXIT.done : EXIT.gateFailed;
}
