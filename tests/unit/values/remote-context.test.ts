import { describe, expect, it } from 'vitest';
import { specPaths } from '../../../src/core/config/paths.ts';
import { readSpec } from '../../../src/core/config/read.ts';

const COMMIT = 'c1b6e2c3805604b93c46f7732fa1d658fe15d155';
const specOf = (build: string) =>
  readSpec(`name: api\nservices:\n  go: {build: ${build}, port: 80}\nendpoints: {ping: /ping}\n`, 'wrkbench.yml');

describe('a build from a repository at a commit', () => {
  it.each([
    [`"https://github.com/acme/api.git#${COMMIT}"`, 'Dockerfile'],
    [`"https://github.com/acme/api.git#${COMMIT}:bench/server"`, 'Dockerfile'],
    [`{context: "https://git.acme.org:8443/a/b.git#${COMMIT}:bench", dockerfile: own/Dockerfile}`, 'own/Dockerfile'],
  ])('is taken as it stands: %s', (build, dockerfile) => {
    const spec = specOf(build);
    const context = /https:[^"]+/.exec(build)![0];
    expect(spec.services[0]!.image).toEqual({ kind: 'build', context, dockerfile, target: null, args: {} });
  });

  it('names no file of the checkout', () => {
    expect(specPaths(specOf(`"https://github.com/acme/api.git#${COMMIT}"`))).toEqual([]);
  });

  it.each([
    ['a branch, which is another commit tomorrow', 'https://github.com/acme/api.git#main'],
    ['a short commit', `https://github.com/acme/api.git#${COMMIT.slice(0, 7)}`],
    ['no commit', 'https://github.com/acme/api.git'],
    ['a token', `https://me:token@github.com/acme/api.git#${COMMIT}`],
    ['a folder above it', `https://github.com/acme/api.git#${COMMIT}:../x`],
    ['what is no repository', `https://example.org/api.tar.gz#${COMMIT}`],
    ['another protocol', `ssh://git@github.com/acme/api.git#${COMMIT}`],
  ])('is refused with %s', (_, context) => {
    expect(() => specOf(`"${context}"`)).toThrow(
      /^wrkbench\.yml:3:15: services\.go\.build is `[^`]+`: expected a path inside the spec's folder, relative to it, without \.\., or a repository at a full commit such as https:\/\/host\/repo\.git#COMMIT:folder$/m,
    );
  });
});
