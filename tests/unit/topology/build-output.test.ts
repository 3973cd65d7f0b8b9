import { describe, expect, it } from 'vitest';
import { failedStepLines } from '../../../src/core/topology/build-output.ts';

const BUILDKIT = `#8 [front 2/3] RUN npm run build
#8 0.412 building
#9 [build 3/5] RUN npm ci
#9 2.134 npm error code E404
#9 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1
#8 CANCELED
------
 > [build 3/5] RUN npm ci:
2.134 npm error code E404
2.135 npm error 404 Not Found - GET https://registry.example/none
------
Dockerfile:7
--------------------
   6 |     COPY package.json .
   7 | >>> RUN npm ci
   8 |     COPY . .
--------------------
ERROR: failed to build: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1
`;

describe('what a build has said that failed', () => {
  it('is what its failed step has said, where others were built beside it', () => {
    expect(failedStepLines(BUILDKIT)).toEqual([
      '[build 3/5] RUN npm ci',
      'npm error code E404',
      'npm error 404 Not Found - GET https://registry.example/none',
    ]);
  });

  it('is the same with the line ends of another system', () => {
    expect(failedStepLines(BUILDKIT.replaceAll('\n', '\r\n'))[0]).toBe('[build 3/5] RUN npm ci');
  });

  it('is the end of all where it goes step by step', () => {
    const steps = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`);
    expect(failedStepLines(`${steps.join('\n')}\n\n`)).toEqual(steps.slice(10));
  });
});
