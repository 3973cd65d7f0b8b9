import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildPaths, withoutResults } from '../../../src/adapters/docker/build-context.ts';
import { createEngine } from '../../../src/adapters/docker/engine.ts';
import { buildImage } from '../../../src/adapters/docker/images.ts';
import { IMAGES } from '../../support/images.ts';
import { specFolder } from '../../support/spec-folder.ts';
import { buildFixtureImages, never } from './given.ts';

const build = { kind: 'build', context: '.', dockerfile: 'Dockerfile', target: null, args: {} } as const;
const DOCKERFILE = `FROM ${IMAGES.node}\nCOPY . /app/\n`;

describe('what a build is not sent', () => {
  const ignored = async (files: Record<string, string>, of = build) => {
    const specDirectory = specFolder(files);
    const paths = await buildPaths(of, { whose: 'service api', specDirectory });
    const { context, dockerfile } = await withoutResults(paths, of, specFolder({}));
    expect(context).toBe(specDirectory);
    expect(readFileSync(dockerfile, 'utf8')).toBe(DOCKERFILE);
    return readFileSync(`${dockerfile}.dockerignore`, 'utf8');
  };

  it('are the results of earlier runs, and what its own list names', async () => {
    expect(await ignored({ Dockerfile: DOCKERFILE })).toBe('\n**/wrkbench-results\n');
    const lists = { '.dockerignore': 'node_modules\n', 'Dockerfile.dockerignore': '*\n!src' };
    expect(await ignored({ Dockerfile: DOCKERFILE, '.dockerignore': 'node_modules\n' })).toBe(
      'node_modules\n\n**/wrkbench-results\n',
    );
    expect(await ignored({ Dockerfile: DOCKERFILE, ...lists })).toBe('*\n!src\n**/wrkbench-results\n');
  });

  it.each([
    ['a list that is a folder', { Dockerfile: DOCKERFILE, '.dockerignore/x': '' }],
    ['a Dockerfile that is not there', {}],
  ])('is left to the builder, which says what is wrong with %s', async (_, files) => {
    const specDirectory = specFolder(files);
    const paths = await buildPaths(build, { whose: 'service api', specDirectory });
    expect(await withoutResults(paths, build, specFolder({}))).toEqual(paths);
  });

  it('and of a repository elsewhere nothing is changed', async () => {
    const context = 'https://github.com/owner/name.git#0123456789012345678901234567890123456789';
    const of = { ...build, context };
    const paths = await buildPaths(of, { whose: 'service api', specDirectory: '/nowhere' });
    expect(await withoutResults(paths, of, '/nowhere')).toEqual({ context, dockerfile: 'Dockerfile' });
  });
});

describe('an image that copies its whole context', () => {
  beforeAll(() => buildFixtureImages('node'));

  it('is the same after a run that left its results there, where the engine has BuildKit', async () => {
    const folder = specFolder({ Dockerfile: DOCKERFILE, 'server.mjs': '' });
    const names = { tag: 'wrkbench-build/context:latest', whose: 'service api', specDirectory: folder };
    const built = () =>
      buildImage(createEngine(process.env), build, { ...names, cacheNamespace: null }, () => {}, never());
    const before = await built();
    mkdirSync(join(folder, 'wrkbench-results/2026-11-30T07-00-00'), { recursive: true });
    writeFileSync(join(folder, 'wrkbench-results/2026-11-30T07-00-00/run.json'), '{}');
    const after = await built();
    expect(after.id === before.id).toBe(hasBuildKit());
  });
});

function hasBuildKit(): boolean {
  try {
    execFileSync('docker', ['buildx', 'version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
