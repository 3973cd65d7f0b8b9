import { describe, expect, it } from 'vitest';
import {
  artifactOfRound,
  artifactsOf,
  declaresBuildArgument,
  oneBuildSentence,
} from '../../../src/core/config/builds.ts';

describe('the rounds of a comparison', () => {
  const built = { artifact: 'a', builds: ['a', 'b', 'c'] };

  it('use the builds in turn, and the first again after the last', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map((round) => artifactOfRound(built, round)).join('')).toBe('abcabca');
  });

  it('have the first build before they begin, where the published figures are measured', () => {
    expect(artifactOfRound(built, 0)).toBe('a');
  });

  it('have the one build that there is', () => {
    expect([0, 1, 2, 9].map((round) => artifactOfRound({ artifact: 'a' }, round)).join('')).toBe('aaaa');
    expect(artifactsOf({ artifact: 'a' })).toEqual(['a']);
    expect(artifactsOf(built)).toEqual(['a', 'b', 'c']);
  });
});

describe('a Dockerfile', () => {
  it.each([
    ['ARG WRKBENCH_BUILD', true],
    ['FROM golang:1.26\nARG WRKBENCH_BUILD=1\nRUN go build', true],
    ['  arg OTHER=2 WRKBENCH_BUILD=1', true],
    ['ARG \\\r\n  # the number of the build\r\n  WRKBENCH_BUILD', true],
    ['ARG WRKBENCH_BUILDS=1', false],
    ['# ARG WRKBENCH_BUILD', false],
    ['ENV WRKBENCH_BUILD=1\nRUN echo ARG $WRKBENCH_BUILD', false],
    ['', false],
  ])('%j takes the number of the build: %s', (text, takes) => {
    expect(declaresBuildArgument(text)).toBe(takes);
  });
});

describe('a service with one build, although several were asked for', () => {
  it('says why, and what to do', () => {
    expect(oneBuildSentence('go', 5, { why: 'image', reference: 'acme/go:1' })).toBe(
      'gate.builds is 5, but nothing is built more than once for go: its image acme/go:1 is used as it is.',
    );
    expect(oneBuildSentence('go', 5, { why: 'process' })).toBe(
      'gate.builds is 5, but nothing is built more than once for go: it runs as a process, which wrkbench does not build.',
    );
    expect(oneBuildSentence('go', 5, { why: 'undeclared', dockerfile: 'Dockerfile' })).toBe(
      'gate.builds is 5, but go was built once: Dockerfile does not declare WRKBENCH_BUILD, so all builds would be the same. ' +
        'Add the line `ARG WRKBENCH_BUILD=1` to the stage that compiles, and pass the number to the linker (see docs/builds.md of wrkbench).',
    );
    expect(oneBuildSentence('go', 5, { why: 'unused', dockerfile: 'Dockerfile' })).toBe(
      'gate.builds is 5, but all builds of go are the same image: Dockerfile declares WRKBENCH_BUILD where nothing uses it. ' +
        'Declare it in the stage that compiles, and pass the number to the linker (see docs/builds.md of wrkbench).',
    );
  });
});
