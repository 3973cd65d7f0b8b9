// needs: engine
// seconds: 8
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import type { MeasuringAdapters } from '../../../src/app/measuring/adapters.ts';
import type { SideBySideRequest } from '../../../src/app/measuring/side-by-side/request.ts';
import { startedTestbeds } from '../../../src/app/measuring/side-by-side/started-testbeds.ts';
import type { PreparedService } from '../../../src/app/ports/testbed.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import {
  buildFixtureImages,
  docker,
  MISBEHAVING,
  never,
  newRunId,
  serviceWith,
  specWith,
} from '../../integration/docker/given.ts';
import { specFolder } from '../../support/spec-folder.ts';

const LABEL = `wrkbench.test=builds-${process.pid}`;
const runtime = dockerRuntime({ environment: process.env });
const image = { kind: 'build', context: '.', dockerfile: 'Dockerfile', target: null, args: {} } as const;
const spec: ResolvedSpec = { ...specWith(serviceWith({ image })), name: `builds-${process.pid}` };

/** The number is in the environment of every process of the image. */
const numbered = `FROM ${MISBEHAVING}\nLABEL ${LABEL}\nARG WRKBENCH_BUILD=1\nENV BUILD=\${WRKBENCH_BUILD}\n`;

async function prepared(dockerfile: string, builds: number, own = spec, by = runtime): Promise<PreparedService> {
  const specDirectory = specFolder({ Dockerfile: dockerfile });
  const request = { runId: newRunId(), spec: own, services: own.services, specDirectory, builds, onLine: () => {} };
  const [only] = await by.prepare(request, never());
  if (only?.failure) throw only.failure;
  return only!;
}

const buildIn = (what: string) =>
  /^BUILD=(.*)$/m.exec(docker('inspect', '--format', '{{range .Config.Env}}{{println .}}{{end}}', what))?.[1];
const ids = () => docker('image', 'ls', '--all', '--quiet', '--no-trunc').split('\n');

beforeAll(() => buildFixtureImages('misbehaving'));
afterEach(() => {
  const made = docker('image', 'ls', '--quiet', '--filter', `label=${LABEL}`).split('\n').filter(Boolean);
  if (made.length > 0) docker('image', 'rm', '--force', ...new Set(made));
});

describe('several builds of a service', () => {
  it('have each its number, and a discarded build goes as soon as it has lost its name', async () => {
    const one = await prepared(numbered, 3);
    expect(one.builds?.map(buildIn)).toEqual(['1', '2', '3']);
    expect([one.artifact, one.oneBuild]).toEqual([one.builds![0], undefined]);
    await runtime.discard([one]);
    expect(ids()).toEqual(expect.arrayContaining(one.builds!));
    await prepared(numbered.replace('ENV ', 'ENV LATER=1 '), 3);
    await runtime.discard([one]);
    expect(ids().filter((id) => one.builds!.includes(id))).toEqual([]);
  });

  it('stand in turn, round by round, the same on both sides', async () => {
    const both = await prepared(numbered, 2);
    const runId = newRunId();
    const side = { spec, specDirectory: process.cwd(), service: spec.services[0]!, prepared: both };
    const request = {
      ...{ runId, seed: 1, planned: { service: side.service, cases: [] } },
      ...{ sides: { baseline: side, candidate: side }, placement: { service: '0', database: '0', generator: '1' } },
    } as unknown as SideBySideRequest;
    const journal: JournalEntry[] = [];
    const store = { journal: { append: async (entry: JournalEntry) => void journal.push(entry) } };
    const seen: string[] = [];
    for (const round of [0, 1, 2, 3]) {
      const testbeds = await startedTestbeds(
        request,
        round,
        { runtime, store } as unknown as MeasuringAdapters,
        never(),
      );
      for (const variant of ['baseline', 'candidate'] as const) {
        seen.push(`${variant} ${round}: build ${buildIn(`wrkbench-${runId}-plain-${variant}-${round}-service`)}`);
        await testbeds[variant].stop();
      }
    }
    expect(seen).toEqual([
      ...['baseline 0: build 1', 'candidate 0: build 1', 'baseline 1: build 1', 'candidate 1: build 1'],
      ...['baseline 2: build 2', 'candidate 2: build 2', 'baseline 3: build 1', 'candidate 3: build 1'],
    ]);
    expect(journal.every((entry) => entry.kind === 'service' && entry.builds?.join() === both.builds!.join())).toBe(
      true,
    );
  });
});

describe('a service with one build, although several were asked for', () => {
  it('has a Dockerfile that does not take the number, or takes it where nothing uses it', async () => {
    const plain = await prepared(`FROM ${MISBEHAVING}\nLABEL ${LABEL}\n`, 2);
    expect(plain).toMatchObject({ oneBuild: expect.stringContaining('Dockerfile does not declare WRKBENCH_BUILD') });
    expect(plain).not.toHaveProperty('builds');
    const unused = await prepared(`ARG WRKBENCH_BUILD\nFROM ${MISBEHAVING}\nLABEL ${LABEL}\n`, 2);
    expect(unused).toMatchObject({ oneBuild: expect.stringContaining('all builds of plain are the same image') });
    expect(unused).not.toHaveProperty('builds');
  });

  it('is an image of its own, or a reference, which is never compared', async () => {
    const taken = await prepared('', 2, specWith(serviceWith()));
    expect(taken.oneBuild).toBe(
      `gate.builds is 2, but nothing is built more than once for plain: its image ${MISBEHAVING} is used as it is.`,
    );
    const reference = await prepared(numbered, 2, { ...spec, services: [serviceWith({ image, role: 'reference' })] });
    expect(Object.keys(reference).sort()).toEqual(['artifact', 'failure', 'service']);
  });
});

describe('a service with one build, as by default', () => {
  it('has the first number, or one that its spec chooses', async () => {
    expect(buildIn((await prepared(numbered.replace('=1\n', '\n'), 1)).artifact)).toBe('1');
    const args = { WRKBENCH_BUILD: '7' };
    const own = { ...spec, services: [serviceWith({ image: { ...image, args } })] };
    expect(buildIn((await prepared(numbered, 1, own)).artifact)).toBe('7');
  });
});

describe('the cache of a build in a workflow', () => {
  const shown = `FROM ${MISBEHAVING}\nLABEL ${LABEL}\nARG BUILDKIT_CACHE_MOUNT_NS\nENV BUILD=\${BUILDKIT_CACHE_MOUNT_NS}\n`;
  const workflow = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_REF: 'refs/pull/7/merge' };

  it('is that of its branch or pull request, whatever its spec says', async () => {
    const by = dockerRuntime({ environment: { ...process.env, ...workflow } });
    const args = { BUILDKIT_CACHE_MOUNT_NS: 'wrkbench:acme/shop:refs/heads/main' };
    const own = { ...spec, services: [serviceWith({ image: { ...image, args } })] };
    expect(buildIn((await prepared(shown, 1, own, by)).artifact)).toBe('wrkbench:acme/shop:refs/pull/7/merge');
  });
});
