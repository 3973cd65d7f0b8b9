import { describe, expect, it } from 'vitest';
import { measuredBy, touched, withCalls } from '../../../src/core/reporting/measuring-files.ts';

const WORKFLOW = '.github/workflows/measure.yml';
const files = withCalls(
  measuredBy(WORKFLOW),
  `
jobs:
  measure:
    uses: ./.github/workflows/own.yml
  other:
    steps:
      - uses: actions/checkout@v7
      - uses: ./ci/setup
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
