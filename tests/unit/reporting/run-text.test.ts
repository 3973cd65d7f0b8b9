import { describe, expect, it } from 'vitest';
import { headlineMarkdown, runMarkdown, runText } from '../../../src/core/reporting/run-text.ts';
import { judged, slower } from './made-up.ts';

const line = (run: ReturnType<typeof judged>, storedAs: string | null = null) =>
  headlineMarkdown(runText(run, storedAs));
const alone = { comparing: null, cases: [{ only: 'candidate' as const }] };

describe('the first line of a run', () => {
  it('is that of its comparison', () => {
    expect(line(judged(slower))).toMatch(/^🔴 Regression: `go · \/ping` costs \d+(\.\d)? % more CPU per request/);
    expect(line(judged({ instances: 20 }))).toMatch(/^🟢 No change in 1 case \(would have seen /);
  });

  it('says of a first measurement what has become of it', () => {
    expect(line(judged(alone), 'main')).toBe('⚪ First measurement: stored as the baseline of main');
    expect(line(judged(alone))).toBe('⚪ First measurement: there is no baseline to compare with');
  });

  it('says which limit is broken where there is no baseline', () => {
    const gate = { metrics: { throughput: { min: 1e9 } } };
    expect(line(judged({ ...alone, gate }))).toMatch(/^🔴 1 limit broken: Throughput/);
  });

  it('says before all else that nobody can believe it', () => {
    const run = { ...judged({ instances: 20 }), unverified: 'This pull request changes how it is measured.' };
    expect(line(run)).toBe('❌ Not verified: This pull request changes how it is measured.');
    expect(runMarkdown(runText(run, null), 60_000)).toMatch(/^What the run says of itself: 🟢 No change in 1 case/);
  });
});

describe('its text', () => {
  it('shows the figures of a first measurement', () => {
    const text = runMarkdown(runText(judged(alone), 'main'), 60_000);
    expect(text).toContain('<details><summary>The case</summary>');
    expect(text).toContain('RPS');
  });

  it('is as short as it has to be', () => {
    const cases = Array.from({ length: 60 }, (_, index) => ({ endpoint: `path-${index}`, only: 'candidate' as const }));
    const text = runText(judged({ comparing: null, cases }), null);
    const [long, short] = [runMarkdown(text, 1_000_000), runMarkdown(text, 8_000)];
    expect(short.length).toBeLessThanOrEqual(8_000);
    expect(short.length).toBeLessThan(long.length);
    expect(short).toContain('more cases: all are in report.html');
  });
});
