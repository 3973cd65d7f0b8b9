// Shows by hand that every step of a fixture's spec works against the real application, without measuring anything:
//
//   node scripts/applications/prove.ts NAME
//
// It starts what scripts/applications/install.mjs has installed last. Exit status 1 where a step does not work.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applicationNamed } from './catalogue.mjs';
import { fixtureFolder } from './installation.mjs';
import { askEndpoints, logIn } from './proof/endpoints.ts';
import { prepare } from './proof/preparation.ts';
import { serviceOf } from './proof/service.ts';
import { startTestbed } from './proof/testbed.ts';
import { readWrittenSpec } from './proof/written-spec.ts';

const report = (line: string) => process.stderr.write(`${line}\n`);

async function prove(name: string): Promise<void> {
  const directory = fixtureFolder(applicationNamed(name).name);
  const logFolder = mkdtempSync(join(tmpdir(), 'wrkbench-proof-'));
  const spec = readWrittenSpec(join(directory, 'wrkbench.yml'));
  const testbed = await startTestbed(spec, directory, logFolder);
  try {
    const service = serviceOf(spec, directory, logFolder);
    const prepared = await prepare(spec.prepare ?? [], service, testbed, directory, report);
    const startedMs = performance.now();
    const running = await service.start(prepared);
    report(`start: ${Math.round(performance.now() - startedMs)} ms`);
    try {
      const values = await logIn(running.origin, spec.login, prepared);
      await askEndpoints(running.origin, spec.endpoints, values, testbed, report);
    } catch (error) {
      report(running.lastLines(30).join('\n'));
      throw error;
    } finally {
      await running.stop();
    }
  } finally {
    await testbed.stop();
    rmSync(logFolder, { recursive: true, force: true });
  }
  report(`${name}: every step of its spec works`);
}

await prove(process.argv[2] ?? '').catch((error: Error) => {
  report(error.message);
  process.exitCode = 1;
});
