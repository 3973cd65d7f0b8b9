import { describe, expect, it } from 'vitest';
import { notMeasured } from '../../../src/app/workflow/not-measured.ts';
import { checkoutOf, specText } from './checkout.ts';

const UNTOUCHED = 'Not measured: no relevant files changed.';

/** In a job with one spec, whose Dockerfile lies in `app`. */
const why = async (
  changed: string[] | null,
  { paths = ['src/**'], event = 'pull_request', specs = ['wrkbench.yml'], files = { 'wrkbench.yml': SPEC } } = {},
) => await notMeasured({ paths, specs }, { event }, { files: checkoutOf(files), changedFiles: async () => changed });
const SPEC = specText('api').replace('image: bench/go:1', 'build: {context: app}');

describe('a job', () => {
  it('measures what changed, and everything where nobody said what matters', async () => {
    expect(await why(['src/a.ts'])).toBeNull();
    expect(await why(['README.md'], { paths: [] })).toBeNull();
  });

  it('does not measure a pull request that changes nothing of what matters', async () => {
    expect(await why(['README.md'])).toBe(UNTOUCHED);
  });

  it('does not measure what is in a merge queue, whatever it changes', async () => {
    expect(await why(null, { paths: [], event: 'merge_group' })).toBe(
      'Not measured: a merge queue holds what was measured in its pull requests.',
    );
  });

  it('measures where a spec was changed or taken away, or a file that one names, whatever its paths are', async () => {
    expect(await why(['wrkbench.yml'])).toBeNull();
    expect(await why(['wrkbench.yml'], { files: { 'wrkbench.yml': '' } })).toBeNull();
    expect(await why(['bench/gone.yml'], { specs: ['wrkbench.yml', 'bench/*.yml'] })).toBeNull();
    expect(await why(['app/Dockerfile'])).toBeNull();
    expect(await why(['app/main.go'])).toBe(UNTOUCHED);
  });

  it('measures, and so says what is wrong, where a spec has mistakes or is not there', async () => {
    expect(await why(['README.md'], { files: { 'wrkbench.yml': 'name: [' } })).toBeNull();
    expect(await why(['README.md'], { specs: ['gone.yml'] })).toBeNull();
  });
});
