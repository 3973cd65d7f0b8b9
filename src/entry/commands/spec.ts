import { planReport } from '../../app/plan.ts';
import { validateSpec } from '../../app/validate.ts';
import { EXIT } from '../failure.ts';
import { print, printError, printJson } from '../output.ts';
import { specFile, textOf } from './files.ts';

export async function validateCommand(file: string, { json }: { json?: boolean }): Promise<number> {
  const validation = validateSpec(await textOf(file, 'Name the spec file, or write one with: wrkbench init'), file);
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
  seed?: number;
  json?: boolean;
}

export async function planCommand(file: string, { only, quick, seed, json }: PlanCommandOptions): Promise<number> {
  const { spec } = await specFile(file);
  const report = planReport(spec, { seed: seed ?? 1, only: only ?? null, quick: quick ?? false });
  if (json) printJson(report.json);
  else print(report.text);
  return EXIT.done;
}
