import { describe, expect, it } from 'vitest';
import { removedMarkdown } from '../../../src/core/posting/removed-spec.ts';
import { removedStatus } from '../../../src/core/posting/status.ts';
import { jobSummary } from '../../../src/core/posting/summary.ts';
import { REPORTED } from './made-up.ts';

const removed = { specName: 'api', reason: 'measured by *web*, @acme' };
const BODY =
  '**Check passed** (`wrkbench/api`): this pull request has no such spec any more, and nothing is measured for it.';

describe('what is said of a spec that is gone, as somebody accepted', () => {
  it('is who accepted it and why, in words that are only shown', () => {
    const headline = '🟢 Removed, and accepted (measured by \\*web\\*, @\u200bacme)';
    expect(removedMarkdown(removed)).toEqual({ headline, body: BODY });
    expect(jobSummary([], REPORTED, [], { removed: [removed] })).toBe(`## ${headline}\n\n${BODY}\n`);
  });

  it('is a status that does not fail', () => {
    expect(removedStatus(removed)).toEqual({
      context: 'wrkbench/api',
      state: 'success',
      reason: 'removal-accepted',
      description: 'Removed, and accepted (measured by *web*, @acme)',
    });
  });
});
