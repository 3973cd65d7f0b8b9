// needs: nothing
import { describe, expect, it } from 'vitest';
import { slower } from '../../unit/posting/made-up.ts';
import { addArtifact, HEAD, OTHER, onBranch, REPORTING, recordFor, reported, SPEC, WORKFLOW, world } from './given.ts';

/** What a caller grants that wants check runs. */
const permissions = { ...REPORTING, checks: 'write' } as const;

async function checked(made: Parameters<typeof recordFor>[0], request = {}, changed: string[] = []) {
  const given = await world({ permissions, secondMs: 2 });
  given.forge.pulls[0]!.files.push(...changed);
  addArtifact(given.forge, recordFor(made));
  await reported(given, request, { check: true });
  expect(given.warnings).toEqual([]);
  return given.forge.checks;
}

describe('a check run', () => {
  it('has the verdict in its title, without markup, and the tables in its summary', async () => {
    const [check, ...others] = (await checked(slower)) as { output: { title: string; summary: string } }[];
    expect(others).toEqual([]);
    expect(check).toEqual({
      name: 'wrkbench/rest-api',
      head_sha: HEAD,
      status: 'completed',
      conclusion: 'failure',
      output: {
        title: expect.stringMatching(/^Regression: go · \/ping costs \d+(\.\d)? % more CPU per request/),
        summary: expect.stringContaining('<details><summary>How this was measured</summary>'),
        annotations: [
          {
            path: WORKFLOW,
            start_line: 1,
            end_line: 1,
            annotation_level: 'failure',
            title: 'wrkbench/rest-api: regression',
            message: expect.stringMatching(/^go · \/ping costs \d+(\.\d)? % more CPU per request$/),
          },
        ],
      },
    });
    expect(check!.output.summary).toMatch(/^\*\*Check failed\*\* /);
    expect(check!.output.summary).toMatch(/^\| Where +\|.*CPU per request/m);
    expect(check!.output.summary.length).toBeLessThan(65_536);
  });

  it('stands at the line of the spec that has the endpoint, as the commit has it', async () => {
    const given = await world({ permissions, secondMs: 2 });
    given.forge.files.set(HEAD, { 'wrkbench.yml': `# A comment.\n${SPEC}` });
    const record = recordFor(slower);
    addArtifact(given.forge, { ...record, source: { ...record.source, specPath: 'wrkbench.yml' } });
    await reported(given, {}, { check: true });
    const line = `# A comment.\n${SPEC}`.split('\n').findIndex((text) => /^ {2}ping:/.test(text)) + 1;
    expect(line).toBeGreaterThan(2);
    expect(given.forge.checks).toMatchObject([
      { output: { annotations: [{ path: 'wrkbench.yml', start_line: line, end_line: line }] } },
    ]);
  });

  it('names the workflow where a record says that its spec lies outside of the repository', async () => {
    const given = await world({ permissions, secondMs: 2 });
    const record = recordFor(slower);
    addArtifact(given.forge, { ...record, source: { ...record.source, specPath: '../../etc/passwd' } });
    await reported(given, {}, { check: true });
    expect(given.forge.checks).toMatchObject([{ output: { annotations: [{ path: WORKFLOW, start_line: 1 }] } }]);
  });

  it.each([
    ['success', 'no change', { rounds: 20 }, {}],
    ['neutral', 'what could not be decided', { rounds: 10, scatter: 0.05 }, {}],
    ['failure', 'the same where that fails', { rounds: 10, scatter: 0.05 }, { fail: 'inconclusive' }],
    ['success', 'a regression where nothing fails', slower, { fail: 'never' }],
  ] as const)('is a %s for %s', async (conclusion, _, made, request) => {
    expect(await checked(made, request)).toMatchObject([{ conclusion }]);
  });

  it('is never a success for a run that nobody can believe, whatever fails a job', async () => {
    expect(await checked({ rounds: 20 }, { fail: 'never' }, [WORKFLOW])).toMatchObject([
      {
        conclusion: 'failure',
        output: { title: expect.stringMatching(/^Not verified: This pull request changes how/) },
      },
    ]);
  });

  it('is neutral for a first measurement, at the commit that was pushed', async () => {
    const given = await world({ permissions, secondMs: 2 });
    onBranch(given);
    addArtifact(given.forge, recordFor({ comparing: null }, OTHER));
    await reported(given, {}, { check: true });
    expect(given.forge.checks).toMatchObject([{ head_sha: OTHER, conclusion: 'neutral' }]);
  });

  it('is not made where nobody asked for it', async () => {
    const given = await world({ permissions, secondMs: 2 });
    addArtifact(given.forge, recordFor(slower));
    await reported(given);
    expect(given.forge.checks).toEqual([]);
  });

  it('is told with the permission that the job lacks, and costs nothing else', async () => {
    const given = await world({ secondMs: 2 });
    addArtifact(given.forge, recordFor(slower));
    await reported(given, {}, { check: true });
    expect(given.warnings).toEqual([
      expect.stringMatching(/^The check wrkbench\/rest-api cannot be written: .*`permissions: checks: write`/),
    ]);
    expect(given.forge.statuses).toMatchObject([{ state: 'failure' }]);
    expect(given.forge.comments).toHaveLength(1);
  });
});
