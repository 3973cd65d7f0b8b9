import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkoutFiles } from '../../adapters/files/checkout-files.ts';
import { containerFacts } from '../../adapters/machine/container-facts.ts';
import { gatherFacts } from '../../adapters/machine/facts.ts';
import { scriptFolder } from '../../adapters/project/script-folder.ts';
import {
  type DoctorReport,
  doctor,
  doctorJson,
  doctorText,
  withFindings,
  withMissingFiles,
  withMissingVariables,
} from '../../app/doctor.ts';
import { containerFindings, usualContainerFindings } from '../../app/doctor-containers.ts';
import { missingFiles } from '../../app/missing-files.ts';
import type { CheckoutFiles } from '../../app/ports/checkout-files.ts';
import type { Finding } from '../../core/doctor/finding.ts';
import type { WantedRuntime } from '../../core/doctor/runtime.ts';
import { planOf } from '../../core/plan/plan.ts';
import { EXIT } from '../failure.ts';
import { print, printJsonText } from '../output.ts';
import { outputColors, outputWidth } from '../terminal.ts';
import { specFile } from './files.ts';

const USUAL_SPEC = 'wrkbench.yml';

/** Without a spec's file, what the spec of this folder needs, and where there is none, what most do. */
export async function doctorCommand(
  file: string | undefined,
  options: { runtime: WantedRuntime; json?: boolean },
): Promise<number> {
  const name = file ?? (existsSync(USUAL_SPEC) ? USUAL_SPEC : null);
  const read = name === null ? null : await specFile(name);
  const spec = read?.spec ?? null;
  const facts = await gatherFacts({
    outputDirectory: path.resolve('.'),
    sampleSeconds: 1,
    signal: new AbortController().signal,
  });
  const plan = spec === null ? null : planOf(spec, { seed: 1 });
  const ofMachine = doctor(spec, plan, facts, options.runtime);
  const isContained = ofMachine.runtime === 'docker' && facts.engine.state === 'answers';
  const engine = containerFacts(process.env);
  const report =
    read === null
      ? withFindings(ofMachine, isContained ? await usualContainerFindings(facts, engine) : [])
      : await ofSpec({ ...read, file: name! }, ofMachine, (files) =>
          isContained ? containerFindings(read.spec, plan!, facts, { engine, files }) : [],
        );
  const colors = outputColors();
  const paint = { ok: colors.green, warning: colors.yellow, problem: colors.red };
  if (options.json) printJsonText(doctorJson(report));
  else print(doctorText(report, { width: outputWidth(), paint: (severity, text) => paint[severity](text) }));
  return report.ok ? EXIT.done : EXIT.machineLacks;
}

/** With what of the spec is not beside it, and what of its containers is not to be had. */
async function ofSpec(
  { spec, text, file, directory }: Awaited<ReturnType<typeof specFile>> & { file: string },
  ofMachine: DoctorReport,
  containersIn: (files: CheckoutFiles) => Finding[] | Promise<Finding[]>,
): Promise<DoctorReport> {
  const files = checkoutFiles(directory);
  const contained = withFindings(ofMachine, await containersIn(files));
  const whole = withMissingVariables(contained, spec, { value: (name) => process.env[name] });
  return withMissingFiles(whole, await missingFiles(text, file, files, ofMachine.runtime, scriptFolder(directory)));
}
