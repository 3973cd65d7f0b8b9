import path from 'node:path';
import { checkoutFiles } from '../../adapters/files/checkout-files.ts';
import { gatherFacts } from '../../adapters/machine/facts.ts';
import { scriptFolder } from '../../adapters/project/script-folder.ts';
import { doctor, doctorJson, doctorText, withMissingFiles, withMissingVariables } from '../../app/doctor.ts';
import { missingFiles } from '../../app/missing-files.ts';
import type { WantedRuntime } from '../../core/doctor/runtime.ts';
import { planOf } from '../../core/plan/plan.ts';
import { EXIT } from '../failure.ts';
import { print, printJsonText } from '../output.ts';
import { outputColors, outputWidth } from '../terminal.ts';
import { specFile } from './files.ts';

export async function doctorCommand(
  file: string | undefined,
  options: { runtime: WantedRuntime; json?: boolean },
): Promise<number> {
  const read = file === undefined ? null : await specFile(file);
  const spec = read?.spec ?? null;
  const facts = await gatherFacts({
    outputDirectory: path.resolve('.'),
    sampleSeconds: 1,
    signal: new AbortController().signal,
  });
  const ofMachine = doctor(spec, spec === null ? null : planOf(spec, { seed: 1 }), facts, options.runtime);
  const report =
    read === null
      ? ofMachine
      : withMissingFiles(
          withMissingVariables(ofMachine, read.spec, { value: (name) => process.env[name] }),
          await missingFiles(
            read.text,
            file!,
            checkoutFiles(read.directory),
            ofMachine.runtime,
            scriptFolder(read.directory),
          ),
        );
  const colors = outputColors();
  const paint = { ok: colors.green, warning: colors.yellow, problem: colors.red };
  if (options.json) printJsonText(doctorJson(report));
  else print(doctorText(report, { width: outputWidth(), paint: (severity, text) => paint[severity](text) }));
  return report.ok ? EXIT.done : EXIT.machineLacks;
}
