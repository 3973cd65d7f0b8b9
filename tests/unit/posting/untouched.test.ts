import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../src/core/config/read.ts';
import { isUntouched, relevantPaths } from '../../../src/core/posting/untouched.ts';

const nothing = () => false;

describe('a pull request that changes nothing that matters', () => {
  it('is one whose files fit none of the globs', () => {
    expect(isUntouched(['docs/a.md', 'README.md'], ['src/*', 'Dockerfile'], nothing)).toBe(true);
    expect(isUntouched(['docs/a.md', 'src/deep/server.ts'], ['src/**', 'Dockerfile'], nothing)).toBe(false);
    expect(isUntouched(['docs/a.md', 'src/deep/server.ts'], ['src/*', 'Dockerfile'], nothing)).toBe(true);
    expect(isUntouched([], ['src/*'], nothing)).toBe(true);
  });

  it('is none where nobody said what matters, or what was changed is not known', () => {
    expect(isUntouched(['README.md'], [], nothing)).toBe(false);
    expect(isUntouched(null, ['src/*'], nothing)).toBe(false);
  });
});

const SPEC = `name: api
services: {go: {build: {context: app, dockerfile: docker/Dockerfile}, port: 8080}}
database: {image: 'postgres:17', init: [sql/init.sql, steps/*.sql]}
endpoints: {ping: {path: /ping}}
gateway: {kind: nginx, config: nginx.conf}
load: {wrk: {threads: 1, connections: [10], duration: 5s, script: load.lua}}
gate: {baseline: 'record:base'}
`;

describe('what matters whatever the paths say', () => {
  const isRelevant = relevantPaths(['bench/*.yml'], [{ path: 'bench/api.yml', spec: readSpec(SPEC, 'bench/api.yml') }]);

  it.each([
    ['a spec', 'bench/api.yml'],
    ['a spec that was taken away, or is to come', 'bench/gone.yml'],
    ['how an image is built', 'bench/app/docker/Dockerfile'],
    ['what is left out of an image', 'bench/app/.dockerignore'],
    ['what fills the database', 'bench/sql/init.sql'],
    ['one of several that fill it', 'bench/steps/2.sql'],
    ['the configuration of the gateway', 'bench/nginx.conf'],
    ['a script of a generator', 'bench/load.lua'],
    ['a record to compare with', 'bench/base/run.json'],
  ])('is %s', (_, path) => {
    expect(isRelevant(path)).toBe(true);
    expect(isUntouched([path], ['src/**'], isRelevant)).toBe(false);
    expect(isUntouched([path], ['src/**', `!${path}`], isRelevant)).toBe(false);
  });

  it('is no file of the same name elsewhere, and no source beside a Dockerfile', () => {
    for (const path of ['sql/init.sql', 'bench/app/Dockerfile', 'bench/app/main.go', 'api.yml']) {
      expect([path, isRelevant(path)]).toEqual([path, false]);
    }
  });
});
