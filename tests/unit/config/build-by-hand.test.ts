import { describe, expect, it } from 'vitest';
import { buildByHand, dockerfileOf } from '../../../src/core/config/build-by-hand.ts';

const build = { kind: 'build', context: '.', dockerfile: 'Dockerfile', target: null, args: {} } as const;
const remote = `https://example.org/servers.git#${'1'.repeat(40)}`;

describe('how to build an image by hand', () => {
  it.each([
    ['the folder of the spec itself', build, 'docker build .'],
    ['another folder', { ...build, context: './server/' }, 'docker build server'],
    [
      'a Dockerfile of another name',
      { ...build, context: 'server', dockerfile: '../bench.dockerfile' },
      'docker build --file bench.dockerfile server',
    ],
    [
      'a stage, and arguments, whose values nobody else is told',
      { ...build, target: 'run', args: { TOKEN: 'hunter22', MODE: 'fast' } },
      'docker build --target run --build-arg TOKEN --build-arg MODE .',
    ],
    [
      'a folder with a blank and one that a shell would obey',
      { ...build, context: 'my server/$(id)' },
      "docker build 'my server/$(id)'",
    ],
  ])('of %s', (_, source, command) => {
    expect(buildByHand(source)).toBe(`Try it by hand, in the folder of the spec: \`${command}\``);
  });

  it('of a repository elsewhere, wherever one is', () => {
    const own = { ...build, context: `${remote}:http`, dockerfile: 'own.dockerfile' };
    expect(buildByHand(own)).toBe(`Try it by hand: \`docker build --file own.dockerfile '${remote}:http'\``);
    expect(buildByHand({ ...own, dockerfile: 'Dockerfile' })).toBe(`Try it by hand: \`docker build '${remote}:http'\``);
  });
});

describe('the Dockerfile of a build', () => {
  it('is named as the spec sees it', () => {
    expect(dockerfileOf(build)).toBe('Dockerfile');
    expect(dockerfileOf({ ...build, context: 'server', dockerfile: 'own' })).toBe('server/own');
    expect(dockerfileOf({ ...build, context: remote, dockerfile: 'own' })).toBe('own');
  });
});
