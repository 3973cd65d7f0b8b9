// needs: engine, linux
// seconds: 1
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createEngine } from '../../../src/adapters/docker/engine.ts';
import { locateEngine } from '../../../src/adapters/docker/place.ts';
import { runInRunnerContainer } from '../../../src/adapters/docker/runner-container.ts';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import { readEngine } from '../../../src/adapters/machine/engine.ts';
import { never, newRunId, requestFor, serviceWith, specWith } from '../../integration/docker/given.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';

/** The real one, which only says of itself that it is rootless. */
function rootlessEngine(): Record<string, string | undefined> {
  const folder = temporaryFolder();
  const program = join(folder, 'docker');
  const said = `sed 's/\\["name=/["name=rootless","name=/'`;
  writeFileSync(
    program,
    `#!/bin/sh\nPATH='${process.env.PATH}'\n[ "$1" = info ] && { docker "$@" | ${said}; exit; }\nexec docker "$@"\n`,
  );
  chmodSync(program, 0o755);
  return { ...process.env, PATH: `${folder}:${process.env.PATH}` };
}

const refusal = { code: 'engine-unavailable', message: expect.stringMatching(/^The Docker engine is rootless: /) };

it('with a rootless engine nothing is prepared, started or measured', async () => {
  const environment = rootlessEngine();
  const runtime = dockerRuntime({ environment });
  const spec = specWith(serviceWith());
  const runId = newRunId();
  const preparation = { runId, spec, services: spec.services, specDirectory: '/', onLine: () => {} };
  await expect(runtime.version()).rejects.toMatchObject(refusal);
  await expect(runtime.prepare(preparation, never())).rejects.toMatchObject(refusal);
  await expect(runtime.start(requestFor(runId, spec, { artifact: '' }), never())).rejects.toMatchObject(refusal);
  const engine = createEngine(environment);
  const location = (await locateEngine(engine, environment))!;
  await expect(runInRunnerContainer(engine, location, {} as never, never())).rejects.toMatchObject(refusal);
});

it('of a rootless engine the doctor knows', async () => {
  expect(await readEngine(rootlessEngine())).toMatchObject({ state: 'unusable', said: refusal.message });
});
