import { describe, expect, it } from 'vitest';
import { withFittingHint } from '../../../src/core/comparison/worktree-hint.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';

const HINT = { code: 'clean-worktree', message: 'The baseline runs in a clean worktree.' };
const OTHER = { code: 'data-differ', message: 'Data differ.' };

type ServiceRecord = RunRecord['services'][number];
const failed = (variant: ServiceRecord['variant'], code: string | null) =>
  ({ service: 'api', variant, failure: code === null ? null : { code, message: 'It failed.' } }) as ServiceRecord;
const left = (...services: ServiceRecord[]) => withFittingHint([HINT, OTHER], { services });

describe('the hint at files that a clean worktree lacks', () => {
  it('stands where nothing failed, and where the baseline failed as it does without its files', () => {
    expect(left(failed('baseline', null), failed('candidate', null))).toEqual([HINT, OTHER]);
    expect(left(failed('baseline', 'exited'), failed('candidate', null))).toEqual([HINT, OTHER]);
  });

  it.each([
    ['the port of the baseline was in use', failed('baseline', 'port-in-use')],
    ['the candidate failed, which runs where its files are', failed('candidate', 'exited')],
    ['the baseline ran out of memory', failed('baseline', 'out-of-memory')],
  ])('is left out where %s', (_, service) => {
    expect(left(service)).toEqual([OTHER]);
  });
});
