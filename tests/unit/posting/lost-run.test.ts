import { describe, expect, it } from 'vitest';
import { lostMarkdown } from '../../../src/core/posting/lost-run.ts';
import { missingStatus } from '../../../src/core/posting/status.ts';
import { jobSummary } from '../../../src/core/posting/summary.ts';
import { REPORTED } from './made-up.ts';

const said = (why: string) => lostMarkdown({ specName: 'api', why }, 'regression');
const INTRODUCED =
  '**Check failed** (`wrkbench/api`): [wrkbench](https://github.com/wrkbench/wrkbench#readme) could not measure this spec.';

describe('what is said of a spec without a run', () => {
  it('is its mistake, with the line', () => {
    const why = 'specs/api.yml:12:5: unknown key `conections` in `load.wrk`';
    expect(said(why)).toEqual({
      headline: '❌ Not measured: specs/api.yml:12:5: unknown key `conections` in `load.wrk`',
      body: INTRODUCED,
    });
  });

  it('is the line that decides first, and what was printed below, without folders of the runner', () => {
    const why = [
      'api: The image of service api cannot be built from /home/runner/work/api/api/Dockerfile (1). The last lines:',
      '    #9 [3/3] RUN go build .',
      '    /home/runner/work/api/api/main.go:12:2: undefined: shop',
      '    ERROR: failed to solve: exit code: 1',
    ].join('\n');
    const { headline, body } = said(why);
    expect(headline).toBe('❌ Not measured: api does not build: main.go:12:2: undefined: shop');
    expect(body).toBe(
      `${INTRODUCED}\n\n\`\`\`\napi: The image of service api cannot be built from Dockerfile (1). The last lines:\n` +
        '    #9 [3/3] RUN go build .\n    main.go:12:2: undefined: shop\n    ERROR: failed to solve: exit code: 1\n```',
    );
    expect(missingStatus('api', why).description).toBe(
      'Not measured: api does not build: main.go:12:2: undefined: shop',
    );
  });

  it('is short, however much was printed', () => {
    const { body } = said(
      `api: It failed.\n${Array.from({ length: 5000 }, (_, line) => `${line} ${'x'.repeat(500)}`).join('\n')}`,
    );
    expect(body.length).toBeLessThan(5000);
  });

  it('stands in the summary of its job as well', () => {
    expect(jobSummary([], REPORTED, [{ specName: 'api', why: 'the run was cancelled' }])).toBe(
      `## ❌ Not measured: the run was cancelled\n\n${INTRODUCED}\n`,
    );
  });
});
