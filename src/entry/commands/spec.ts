import path from 'node:path';
import { checkoutFiles } from '../../adapters/files/checkout-files.ts';
import { folderHistory } from '../../adapters/files/record-history.ts';
import { gatherFacts } from '../../adapters/machine/facts.ts';
import { scriptFolder } from '../../adapters/project/script-folder.ts';
import { lastPreparingSeconds, planReport } from '../../app/plan.ts';
import { validateWithFiles } from '../../app/validate.ts';
import { RESULTS_FOLDER } from '../../core/config/paths.ts';
import type { WantedRuntime } from '../../core/doctor/runtime.ts';
import { EXIT } from '../failure.ts';
import { print, printError, printJson } from '../output.ts';
import { errorColors, outputColors } from '../terminal.ts';
import { specFile, textOf } from './files.ts';

export async function validateCommand(file: string, { json }: { json?: boolean }): Promise<number> {
  const text = await textOf(file, 'Name the spec file, or write one with: wrkbench init');
  const styles = { output: outputColors(), error: errorColors() };
  const folder = path.dirname(path.resolve(file));
  const validation = await validateWithFiles(text, file, checkoutFiles(folder), styles, scriptFolder(folder));
  if (json) printJson(validation.json);
  // Mistakes are the result of this verb, and yet belong where compilers put theirs.
  else {
    printError(validation.warnings);
    (validation.ok ? print : printError)(validation.text);
  }
  return validation.ok ? EXIT.done : EXIT.wrongCall;
}

export interface PlanCommandOptions {
  only?: string;
  quick?: boolean;
  runtime: WantedRuntime;
  seed?: number;
  json?: boolean;
}

export async function planCommand(
  file: string,
  { only, quick, runtime, seed, json }: PlanCommandOptions,
): Promise<number> {
  const { spec } = await specFile(file);
  const { signal } = new AbortController();
  const facts = await gatherFacts({ outputDirectory: path.resolve('.'), sampleSeconds: 0, signal });
  const preparingSeconds =
    spec.prepare === undefined ? null : await lastPreparingSeconds(spec.name, folderHistory(RESULTS_FOLDER));
  const options = { seed: seed ?? 1, only: only ?? null, quick: quick ?? false };
  const report = planReport(spec, options, facts, runtime, preparingSeconds);
  if (json) printJson(report.json);
  else print(report.text);
  return EXIT.done;
}
