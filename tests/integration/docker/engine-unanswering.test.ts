// needs: engine, linux
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inspectContainers } from '../../../src/adapters/docker/containers.ts';
import { createEngine } from '../../../src/adapters/docker/engine.ts';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import type { Testbed } from '../../../src/app/ports/testbed.ts';
import type { Service } from '../../../src/core/config/resolved.ts';
import { IMAGES } from '../../support/images.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { askOnce, buildFixtureImages, docker, never, newRunId, requestFor, serviceWith, specWith } from './given.ts';

/** `docker`, but for `inspect` once it is told not to answer that. */
function hesitantEngine(): { environment: Record<string, string | undefined>; fallSilent(): void } {
  const folder = temporaryFolder();
  const silent = join(folder, 'silent');
  const program = join(folder, 'docker');
  const refusal = `[ "$2" = inspect ] && [ -e ${silent} ] && echo 'Error response from daemon: context deadline exceeded' >&2 && exit 1`;
  writeFileSync(program, `#!/bin/sh\n${refusal}\nPATH='${process.env.PATH}' exec docker "$@"\n`);
  chmodSync(program, 0o755);
  return {
    environment: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
    fallSilent: () => writeFileSync(silent, ''),
  };
}

let testbed: Testbed | null = null;
let runId: string;

async function up(environment: Record<string, string | undefined>, service: Service): Promise<Testbed> {
  runId = newRunId();
  testbed = await dockerRuntime({ environment }).start(requestFor(runId, specWith(service)), never());
  return testbed;
}

beforeAll(() => buildFixtureImages('misbehaving', 'node'));
afterEach(async () => {
  await testbed?.stop();
  testbed = null;
});

describe('a service that comes to grief beside an engine that does not answer', () => {
  it('is not taken for one that somebody has removed', async () => {
    const { environment, fallSilent } = hesitantEngine();
    const { failure } = await up(environment, serviceWith());
    docker('container', 'kill', `wrkbench-${runId}-plain-candidate-1-service`);
    fallSilent();
    expect(await failure()).toMatchObject({
      code: 'engine-unavailable',
      message:
        'Something became of the testbed, and the engine does not tell what (docker container inspect: context deadline exceeded). See whether it answers (docker info) and what it has logged, and run again.',
    });
  });

  it('is known for want of memory all the same', async () => {
    const program =
      "require('http').createServer((request, answer) => request.url === '/ping' ? answer.end() : require('child_process').spawn('tail', ['/dev/zero']).on('close', () => answer.end())).listen(8080)";
    const { environment, fallSilent } = hesitantEngine();
    const image = { kind: 'image', reference: IMAGES.node } as const;
    const service = serviceWith({ image, command: ['node', '-e', program], memoryBytes: 96 * 1024 ** 2 });
    const { failure, origins } = await up(environment, service);
    fallSilent();
    await askOnce(`${origins.direct}/eat`);
    expect(await failure()).toMatchObject({ code: 'out-of-memory' });
  });
});

describe('the state of containers', () => {
  it('leaves out those that the engine does not have', async () => {
    await up(process.env, serviceWith());
    const container = `wrkbench-${runId}-plain-candidate-1-service`;
    const states = await inspectContainers(createEngine(process.env), ['wrkbench-none', container]);
    expect(states.map(({ name }) => name)).toEqual([container]);
  });
});
