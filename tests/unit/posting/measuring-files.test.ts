import { describe, expect, it } from 'vitest';
import { callersIn, measuredBy, touched, withCalls } from '../../../src/core/posting/measuring-files.ts';

const WORKFLOW = '.github/workflows/measure.yml';
const files = withCalls(
  measuredBy(WORKFLOW),
  `
jobs:
  measure:
    uses: ./.github/workflows/own.yml
  more:
    uses: $/.github/workflows/more.yml
  other:
    steps:
      - uses: actions/checkout@v7
      - uses: ./ci/setup
      - uses: $/ci/teardown
      - uses: ./
`,
);

describe('files that decide how a pull request is measured', () => {
  it.each([
    WORKFLOW,
    '.github/workflows/own.yml',
    '.github/actions/setup/action.yml',
    'ci/setup/action.yml',
    'ci/setup/lib/run.sh',
    '.github/workflows/more.yml',
    'ci/teardown/action.yml',
    'action.yml',
    'dist/action.cjs',
  ])('are touched by a change of %s', (path) => {
    expect(touched(['README.md', path], files)).toEqual([path]);
  });

  it.each(['src/server.ts', '.github/workflows/lint.yml', 'ci/setup.md', 'docs/action.yml', 'wrkbench.yml'])(
    'are not by a change of %s',
    (path) => {
      expect(touched([path], files)).toEqual([]);
    },
  );

  it('are the workflow and all own actions where its text says nothing', () => {
    for (const text of ['', '[1', 'jobs: 3', 'jobs: {a: {steps: 1}}', 'jobs: {a: {uses: 7}}']) {
      expect(withCalls(measuredBy(WORKFLOW), text)).toEqual(measuredBy(WORKFLOW));
    }
  });
});

describe('what has to be read for it', () => {
  it('is the workflow, then each action that is called, under either name', () => {
    expect(callersIn(files)).toEqual([
      [WORKFLOW],
      ['.github/workflows/own.yml'],
      ['.github/workflows/more.yml'],
      ['ci/setup/action.yml', 'ci/setup/action.yaml'],
      ['ci/teardown/action.yml', 'ci/teardown/action.yaml'],
      ['action.yml', 'action.yaml'],
    ]);
  });

  it.each(['./tools/../load/', '$/tools/../load/', '$/./load', '$//load'])(
    'is what a composite action calls as well, from the top of the repository: %s',
    (uses) => {
      const text = `runs: {using: composite, steps: [{uses: ${uses}}, {uses: actions/cache@v5}, {run: make}]}`;
      const more = withCalls(files, text);
      expect(callersIn(more).at(-1)).toEqual(['load/action.yml', 'load/action.yaml']);
      expect(touched(['load/run.sh', 'loader/run.sh'], more)).toEqual(['load/run.sh']);
    },
  );
});

describe('where the forge does not say which workflow it was', () => {
  it.each(['.github/workflows/a.yml', '.forgejo/workflows/a.yml', '.gitea/workflows/a.yml'])('%s may be it', (path) => {
    expect(touched([path, 'docs/workflows/a.yml'], measuredBy(''))).toEqual([path]);
  });
});
