import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../src/app/ports/progress.ts';
import {
  type PreparedService,
  type PrepareRequest,
  TestbedError,
  type TestbedRequest,
  type TestbedRuntime,
} from '../../../src/app/ports/testbed.ts';
import { candidateRuntime } from '../../../src/app/run/candidate-runtime.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { JournalHeader } from '../../../src/core/record/journal.ts';
import { journalHeader } from '../../support/journal-header.ts';

const spec = readSpec(
  'name: api\nservices: {go: {build: ., port: 80}, rust: {build: ., port: 80}}\nendpoints: {ping: /ping}\n',
  'wrkbench.yml',
);
const request: PrepareRequest = {
  runId: 'one',
  spec,
  services: spec.services,
  specDirectory: '/checkout',
  onLine: () => undefined,
};
const never = new AbortController().signal;

/** A runtime that builds what `failing` does not name, told as `FOLDER:SERVICES`, and what it warns of. */
function building(failing: (folder: string, service: string) => boolean) {
  const asked: string[] = [];
  const warned: string[] = [];
  const runtime = {
    kind: 'docker',
    async prepare({ services, specDirectory }: PrepareRequest): Promise<PreparedService[]> {
      asked.push(`${specDirectory}:${services.map(({ name }) => name)}`);
      return services.map(({ name }) => ({
        service: name,
        artifact: `${specDirectory}/${name}`,
        failure: failing(specDirectory, name) ? new TestbedError('build-failed', 'no such file') : null,
      }));
    },
  } as unknown as TestbedRuntime;
  const progress = { warn: (text: string) => warned.push(text) } as unknown as Progress;
  return { runtime, progress, asked, warned };
}

describe('the candidate’s images', () => {
  it('are built in its own folder, or in a clean checkout of it', async () => {
    const { runtime, progress, asked } = building(() => false);
    await candidateRuntime(runtime, { buildDirectory: null, resumed: null }, progress).prepare(request, never);
    await candidateRuntime(runtime, { buildDirectory: '/clean', resumed: null }, progress).prepare(request, never);
    expect(asked).toEqual(['/checkout:go,rust', '/clean:go,rust']);
  });

  it('are started where they were built, and those of the baseline where its spec is', async () => {
    const startedIn = async (failing: Parameters<typeof building>[0]) => {
      const { runtime, progress } = building(failing);
      const directories: (string | undefined)[] = [];
      const start = async ({ buildDirectory }: TestbedRequest) => {
        directories.push(buildDirectory);
        return {} as never;
      };
      const own = candidateRuntime({ ...runtime, start }, { buildDirectory: '/clean', resumed: null }, progress);
      await own.prepare(request, never);
      for (const variant of ['candidate', 'baseline']) await own.start({ variant } as TestbedRequest, never);
      return directories;
    };
    expect(await startedIn(() => false)).toEqual(['/clean', undefined]);
    expect(await startedIn((folder) => folder === '/clean')).toEqual(['/checkout', undefined]);
    expect(await startedIn(() => true)).toEqual(['/clean', undefined]);
  });

  it('that do not build from a clean checkout are built from the files as they stand, with a warning', async () => {
    const { runtime, progress, asked, warned } = building((folder, name) => folder === '/clean' && name === 'rust');
    const own = candidateRuntime(runtime, { buildDirectory: '/clean', resumed: null }, progress);
    const prepared = await own.prepare(request, never);
    expect(prepared.map(({ artifact, failure }) => [artifact, failure])).toEqual([
      ['/clean/go', null],
      ['/checkout/rust', null],
    ]);
    expect(asked).toEqual(['/clean:go,rust', '/checkout:rust']);
    expect(warned).toEqual([
      'rust does not build from a clean checkout of its commit: it was built from the files as they stand.',
    ]);
  });

  it('that build in neither way fail by the first, without a word of the other', async () => {
    const { runtime, progress, warned } = building((_, name) => name === 'rust');
    const own = candidateRuntime(runtime, { buildDirectory: '/clean', resumed: null }, progress);
    const prepared = await own.prepare(request, never);
    expect(prepared.map(({ artifact, failure }) => [artifact, failure?.code])).toEqual([
      ['/clean/go', undefined],
      ['/clean/rust', 'build-failed'],
    ]);
    expect(warned).toEqual([]);
  });

  it('must be those of the run that is gone on with', async () => {
    const { runtime, progress } = building(() => false);
    const header = journalHeader() as JournalHeader & { kind: 'header' };
    const before = { kind: 'service', service: 'go', variant: 'candidate', artifact: 'old', failure: null } as const;
    const resumed = { header, entries: [header, before], directory: '/runs/one' };
    const own = candidateRuntime(runtime, { buildDirectory: null, resumed }, progress);
    await expect(own.prepare(request, never)).rejects.toThrow(
      /^The candidate of go is \/checkout\/go now and was old when \/runs\/one was measured: /,
    );
  });
});

it('starts both sides with the folder of the gateway’s configuration, where there is one', async () => {
  const started: unknown[] = [];
  const runtime = {
    kind: 'docker',
    start: async (asked: TestbedRequest) => void started.push(asked.gatewayDirectory),
  } as unknown as TestbedRuntime;
  const { progress } = building(() => false);
  const own = { buildDirectory: null, resumed: null };
  for (const gatewayDirectory of ['/base', null]) {
    await candidateRuntime(runtime, { ...own, gatewayDirectory }, progress).start({} as TestbedRequest, never);
  }
  expect(started).toEqual(['/base', undefined]);
});
