// needs: engine, git
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createEngine } from '../../../src/adapters/docker/engine.ts';
import { imageStore } from '../../../src/adapters/docker/images.ts';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import { baselineFiles } from '../../../src/adapters/files/baseline-files.ts';
import { folderHistory } from '../../../src/adapters/files/record-history.ts';
import { gitRepositories } from '../../../src/adapters/git/repository.ts';
import type { BuiltBaseline } from '../../../src/app/baseline/baseline-plan.ts';
import { resolveBaseline } from '../../../src/app/baseline/resolve.ts';
import type { PreparedService } from '../../../src/app/ports/testbed.ts';
import { readBaselinePhrase } from '../../../src/core/config/baseline-phrase.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { WHOLE } from '../../../src/core/config/selection.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { buildFixtureImages, docker, imageId, MISBEHAVING, newRunId } from '../docker/given.ts';
import { type Author, never, newRepository } from './given.ts';

const NAME = `baseline-test-${process.pid}`;
const SPEC = `name: ${NAME}
services: {go: {build: ., port: 8080}}
endpoints: {ping: /ping}
`;

beforeAll(() => buildFixtureImages('misbehaving'));
afterEach(() => {
  const ids = docker('image', 'ls', '--quiet', '--filter', `label=wrkbench.test=${NAME}`).split('\n').filter(Boolean);
  if (ids.length > 0) docker('image', 'rm', '--force', ...new Set(ids));
});

function repositoryWithImage(): Author {
  const own = newRepository();
  const dockerfile = `FROM ${MISBEHAVING}\nLABEL wrkbench.test=${NAME}\nCOPY version /version\n`;
  own.commit({ 'wrkbench.yml': SPEC, Dockerfile: dockerfile, version: '1', '.dockerignore': '.git' });
  return own;
}

async function builtOf(own: Author, phrase: string): Promise<BuiltBaseline> {
  const plan = await resolveBaseline(
    {
      phrase: readBaselinePhrase(phrase),
      phraseFrom: 'call',
      spec: readSpec(SPEC, 'wrkbench.yml'),
      selection: WHOLE,
      shortened: (spec) => spec,
      specFile: join(own.folder, 'wrkbench.yml'),
      recordDirectory: own.folder,
      ownFolders: [],
      runtime: 'docker',
    },
    {
      repositories: gitRepositories(),
      images: imageStore(createEngine(process.env)),
      history: folderHistory(join(own.folder, 'none')),
      files: baselineFiles(),
      workflow: { event: null, sha: null, ref: null, baseBranch: null, pullRequestHead: null, defaultBranch: null },
    },
    never(),
  );
  if (plan.kind !== 'built') throw new Error(JSON.stringify(plan));
  onTestFinished(() => plan.release());
  return plan;
}

function prepared(spec: ResolvedSpec, specDirectory: string): Promise<PreparedService[]> {
  const request = { runId: newRunId(), spec, services: spec.services, specDirectory, onLine: () => undefined };
  return dockerRuntime({ environment: process.env }).prepare(request, never());
}

describe('both sides built by the engine', () => {
  it('are the same image where their files are, and another one where they are not', async () => {
    const own = repositoryWithImage();
    const candidate = readSpec(SPEC, 'wrkbench.yml');
    const plan = await builtOf(own, 'commit:HEAD');
    const baseline = await prepared(plan.spec, plan.specDirectory);
    expect(baseline[0]).toMatchObject({ service: 'go', failure: null });
    expect(await plan.sameOnBothSides(baseline, await prepared(candidate, own.folder))).toEqual({
      code: 'same-on-both-sides',
      message: 'Not measured: both sides have the same images, the same spec and the same init files.',
    });
    own.write({ version: '2' });
    expect(await plan.sameOnBothSides(baseline, await prepared(candidate, own.folder))).toBeNull();
    expect(readFileSync(join(plan.specDirectory, 'version'), 'utf8')).toBe('1');
  });

  it('are the same where the baseline is named by its image', async () => {
    const own = repositoryWithImage();
    const [candidate] = await prepared(readSpec(SPEC, 'wrkbench.yml'), own.folder);
    const tag = `wrkbench-test/${NAME}:latest`;
    docker('tag', candidate!.artifact, tag);
    const plan = await builtOf(own, `image:${tag}`);
    const baseline = await prepared(plan.spec, plan.specDirectory);
    expect(await plan.sameOnBothSides(baseline, [candidate!])).toMatchObject({ code: 'same-on-both-sides' });
  });
});

describe('both sides that copy all of their folder, without a .dockerignore', () => {
  const dockerfile = (step: string) => `FROM ${MISBEHAVING}\nLABEL wrkbench.test=${NAME}\nCOPY . /app\n${step}`;

  it('are the same image where their commits are, whatever git ignores', async () => {
    const own = newRepository();
    own.commit({ 'wrkbench.yml': SPEC, Dockerfile: dockerfile(''), '.gitignore': '.env\n' });
    own.write({ '.env': 'SECRET=1' });
    const plan = await builtOf(own, 'commit:HEAD');
    const baseline = await prepared(plan.spec, plan.specDirectory);
    const candidate = await prepared(readSpec(SPEC, 'wrkbench.yml'), plan.candidateBuildDirectory!);
    expect([...baseline, ...candidate].map(({ failure }) => failure)).toEqual([null, null]);
    expect(await plan.sameOnBothSides(baseline, candidate)).toMatchObject({ code: 'same-on-both-sides' });
    const container = docker('create', baseline[0]!.artifact).trim();
    onTestFinished(() => void docker('rm', container));
    const copy = join(temporaryFolder(), 'app');
    docker('cp', `${container}:/app`, copy);
    expect(readdirSync(copy).sort()).toEqual(['.gitignore', 'Dockerfile', 'wrkbench.yml']);
  });
});

describe('an image that was built for a baseline', () => {
  const ids = () => docker('image', 'ls', '--all', '--quiet', '--no-trunc').split('\n');

  it('goes when a later build has taken its name, and no sooner', async () => {
    const own = repositoryWithImage();
    const runtime = dockerRuntime({ environment: process.env });
    const spec = readSpec(SPEC, 'wrkbench.yml');
    const build = () =>
      runtime.prepare(
        { runId: newRunId(), spec, services: spec.services, specDirectory: own.folder, onLine: () => undefined },
        never(),
      );
    const first = await build();
    await runtime.discard(first);
    expect(ids()).toContain(first[0]!.artifact);
    own.write({ version: '2' });
    const second = await build();
    await runtime.discard(first);
    expect(ids()).not.toContain(first[0]!.artifact);
    expect(ids()).toContain(second[0]!.artifact);
  });

  it('stays where somebody else has it too', async () => {
    const own = repositoryWithImage();
    const spec = readSpec(SPEC, 'wrkbench.yml');
    const [theirs] = await prepared(spec, own.folder);
    const runtime = dockerRuntime({ environment: process.env });
    const request = { runId: newRunId(), spec, services: spec.services, onLine: () => undefined };
    const ours = await runtime.prepare({ ...request, specDirectory: own.folder }, never());
    expect(ours[0]!.artifact).toBe(theirs!.artifact);
    own.write({ version: '2' });
    await runtime.prepare({ ...request, specDirectory: own.folder }, never());
    await runtime.discard(ours);
    expect(ids()).toContain(theirs!.artifact);
  });
});

describe('the images of an engine', () => {
  it('are known by id and by name, and none where no engine answers', async () => {
    const here = imageStore(createEngine(process.env));
    expect(await here.has(imageId(MISBEHAVING))).toBe(true);
    expect(await here.has(MISBEHAVING)).toBe(true);
    expect(await here.has(`sha256:${'0'.repeat(64)}`)).toBe(false);
    expect(await here.has(`localhost:1/none@sha256:${'0'.repeat(64)}`)).toBe(false);
    const nowhere = createEngine({ PATH: process.env.PATH, DOCKER_HOST: 'unix:///nonexistent.sock' });
    expect(await imageStore(nowhere).has(MISBEHAVING)).toBe(false);
  });
});
