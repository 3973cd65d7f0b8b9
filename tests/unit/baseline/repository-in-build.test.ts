import { describe, expect, it } from 'vitest';
import { readsRepository } from '../../../src/core/baseline/repository-in-build.ts';

describe('a build that reads the repository', () => {
  it.each([
    ['copies it', 'FROM golang:1.26\nCOPY .git/ .\nRUN make\n', {}],
    ['copies it with its files', 'FROM golang:1.26\nCOPY --chown=1000 go.mod .git ./\n', {}],
    ['mounts it', 'FROM x\nRUN --mount=type=bind,source=.git,target=.git go build\n', {}],
    ['asks git for a version', 'FROM x\nCOPY . .\nRUN go build -ldflags "-X main.v=$(git describe --tags)"\n', {}],
    ['lets make ask', 'FROM x\nCOPY . .\nRUN make build\n', { Makefile: 'V := $(shell git rev-parse HEAD)\n' }],
    [
      'takes its version from it',
      'FROM x\nCOPY . .\nRUN pip install .\n',
      { 'pyproject.toml': 'requires = ["setuptools_scm>=8"]' },
    ],
    [
      'takes its version from it by another tool',
      'FROM x\n',
      { 'pyproject.toml': 'requires = ["hatchling", "hatch-vcs"]' },
    ],
  ])('%s', (_, dockerfile, settings) => {
    expect(readsRepository(dockerfile, settings)).toBe(true);
  });

  it.each([
    ['has git installed', 'FROM x\nRUN apk add git\nCOPY . .\n', {}],
    ['clones another one', 'FROM x\nRUN git clone https://example.com/a.git\n', {}],
    ['copies what git ignores', 'FROM x\nCOPY .gitignore .gitattributes ./\n', {}],
    ['copies an address that ends so', 'FROM x\nADD https://example.com/a.git#v1 /a\n', {}],
    ['makes something without asking git', 'FROM x\nRUN make\n', { Makefile: 'all:\n\tgo build\n' }],
    ['has a Makefile for people', 'FROM x\nRUN go build\n', { Makefile: 'V := $(shell git describe)\n' }],
  ])('is none that %s', (_, dockerfile, settings) => {
    expect(readsRepository(dockerfile, settings)).toBe(false);
  });
});
