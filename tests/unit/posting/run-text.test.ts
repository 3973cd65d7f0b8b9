import { describe, expect, it } from 'vitest';
import { absoluteLimits } from '../../../src/core/comparison/absolute-limits.ts';
import { headlineMarkdown, runMarkdown, runText } from '../../../src/core/posting/run-text.ts';
import { jobSummary } from '../../../src/core/posting/summary.ts';
import { judgedRun } from '../../../src/core/posting/verdict.ts';
import { judged, REPORTED, slower } from './made-up.ts';

const line = (run: ReturnType<typeof judged>, storedAs: string | null = null) =>
  headlineMarkdown(runText(run, { ...REPORTED, storedAs }));
const TOOL = '[wrkbench](https://github.com/wrkbench/wrkbench#readme)';
const alone = { rounds: 7, comparing: null, cases: [{ only: 'candidate' as const }] };

describe('the first line of a run', () => {
  it('is that of its comparison', () => {
    expect(line(judged(slower))).toMatch(/^🔴 Regression: `go · \/ping` costs \d+(\.\d)? % more CPU per request/);
    expect(line(judged({ rounds: 20 }))).toMatch(
      /^🟢 No change in 1 endpoint \(at most \d+(\.\d+)? % lower throughput, /,
    );
  });

  it('says of a first measurement what has become of it', () => {
    expect(line(judged(alone), 'main')).toBe('⚪ First measurement: stored as the baseline of main');
    expect(line(judged(alone))).toBe('⚪ First measurement: there is no baseline to compare with');
  });

  it('says which limit is broken where there is no baseline', () => {
    const gate = { metrics: { throughput: { min: 1e9 } } };
    expect(line(judged({ ...alone, gate }))).toMatch(/^🔴 1 limit broken: Throughput/);
  });

  it('says of a broken limit that somebody accepted it, and why, where there is no baseline', () => {
    const { record } = judged({ ...alone, gate: { metrics: { throughput: { min: 1e9 } } } });
    const limits = absoluteLimits(record, { accepted: [{ cases: '*', metric: null, reason: 'it signs now' }] });
    const text = runText({ ...judgedRun(record, null), limits }, REPORTED);
    const said = 'Throughput: 22,756 req/s; limit at least 1,000,000,000 req/s (it signs now)';
    expect(headlineMarkdown(text)).toBe(`🟢 1 broken limit accepted: ${said}`);
    const markdown = runMarkdown(text, 60_000);
    expect(markdown).toMatch(/^\*\*Check passed\*\*/);
    expect(markdown).toContain(`**Accepted:**\n\n- go/ping/direct/wrk/keep-alive/100: ${said}\n`);
  });

  it('says of an invalid run without a baseline why', () => {
    const invalid = { candidate: '3 % of requests failed' };
    expect(line(judged({ ...alone, cases: [{ only: 'candidate', invalid }] }))).toBe(
      '❌ Invalid: go: 3 % of requests failed',
    );
  });

  it('says before all else that nobody can believe it', () => {
    const run = { ...judged({ rounds: 20 }), unverified: 'This pull request changes how it is measured.' };
    expect(line(run)).toBe('❌ Not verified: This pull request changes how it is measured.');
    expect(runMarkdown(runText(run, REPORTED), 60_000)).toMatch(
      /^\*\*Check failed\*\* .*\n\nWhat the run says of itself: 🟢 No change in 1 endpoint/,
    );
  });
});

describe('its text', () => {
  const folded = (candidate: string) => `<details><summary>The case</summary>

**ping (GET /ping)**

| Case                            |    RPS |     p50 |     p99 |
| ------------------------------- | -----: | ------: | ------: |
| keep-alive on · 100 connections | 22,756 | 3.99 ms | 9.98 ms |

</details>

<details><summary>How this was measured</summary>

- **Candidate**: ${candidate}; go \`sha256:200000000000\`
- Each service ran by itself, and its cases were loaded one after the other.
- **wrk**: 4 threads, 100 connections, 10 s for each case, keep-alive on, timeout 2 s.
- 4 x AMD EPYC 7763 64-Core Processor, 4 min 12 s, 3 min 18 s of it under load, seed 12.
- wrk 4.1.0, k6 1.3.0, ab 2.3, docker 28.0.4, postgres 18.1, wrkbench 0.1.0.

\`\`\`bash
git fetch origin 9d1e7b2c44f0a35be2f8a4d07e5c1b6a3f90d812
git checkout 9d1e7b2c44f0a35be2f8a4d07e5c1b6a3f90d812
wrkbench run wrkbench.yml --out again --seed 12
\`\`\`

</details>`;

  it('of a first measurement shows its figures, and how they were measured', () => {
    expect(runMarkdown(runText(judged(alone), { ...REPORTED, storedAs: 'main' }), 60_000)).toBe(
      `**Check passed** (\`wrkbench/rest-api\`): ${TOOL} load-tested \`9d1e7b2\`, and had nothing to compare it with.

**go** answers up to 22,756 requests/s (ping · wrk · keep-alive on · 100 connections), 99% of them within 9.98 ms.

${folded('commit <code>9d1e7b2</code>')}`,
    );
  });

  it('of a run whose baseline could not be had says why, and what was measured', () => {
    const side = { recordId: null, sha: null, text: 'the working tree' };
    const warning = { code: 'worktree-failed', message: 'The commit cannot be checked out.' };
    const { record } = judged({ ...alone, gate: { metrics: { throughput: { min: 1e9 } } } });
    const wanted = { wanted: 'auto', baseline: null, candidate: side, failed: true, accepted: [] };
    const run = judgedRun({ ...record, unpaired: { ...wanted, warnings: [warning] } }, null);
    expect(runMarkdown(runText(run, REPORTED), 60_000)).toBe(
      `**Check failed** (\`wrkbench/rest-api\`): ${TOOL} load-tested \`9d1e7b2\`, and had nothing to compare it with.

The commit cannot be checked out.

**go** answers up to 22,756 requests/s (ping · wrk · keep-alive on · 100 connections), 99% of them within 9.98 ms.

**Beyond its limit:**

- go/ping/direct/wrk/keep-alive/100: Throughput: 22,756 req/s; limit at least 1,000,000,000 req/s

${folded('the working tree')}`,
    );
  });

  it('is what a summary shows of a run on its own, under its verdict', () => {
    const run = judged(alone);
    expect(jobSummary([run], REPORTED)).toBe(`## ${line(run)}\n\n${runMarkdown(runText(run, REPORTED), 900_000)}\n`);
    expect(jobSummary([run], REPORTED)).toContain(folded('commit <code>9d1e7b2</code>'));
  });

  it('is as short as it has to be', () => {
    const cases = Array.from({ length: 60 }, (_, index) => ({ endpoint: `path-${index}`, only: 'candidate' as const }));
    const text = runText(judged({ comparing: null, cases }), REPORTED);
    const [long, short] = [runMarkdown(text, 1_000_000), runMarkdown(text, 8_000)];
    expect(short.length).toBeLessThanOrEqual(8_000);
    expect(short.length).toBeLessThan(long.length);
    expect(short).toContain('more cases: all are in report.html');
    const shortest = runMarkdown(text, 1_000);
    expect(shortest.length).toBeLessThanOrEqual(1_000);
    expect(shortest).toContain('requests/s');
    expect(shortest).not.toContain('How this was measured');
  });
});
