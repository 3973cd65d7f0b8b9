// needs: nothing
import { describe, expect, it } from 'vitest';
import { slower } from '../../unit/reporting/made-up.ts';
import { addArtifact, recordFor, reported, world } from './given.ts';

describe('a forge like GitHub', () => {
  it('under another base path, and without check runs, works', async () => {
    const given = await world({ basePath: '/api/v3', missing: ['checks/create'] });
    addArtifact(given.forge, recordFor(slower));
    await reported(given, {}, { check: true });
    expect(given.forge.statuses[0]!.state).toBe('failure');
    expect(given.forge.comments).toHaveLength(1);
    expect(given.warnings).toEqual([expect.stringMatching(/^The check wrkbench\/rest-api cannot be written: /)]);
  });

  it('that lets it write neither comment nor status: the verdict stands, and it is told', async () => {
    const given = await world({ permissions: { actions: 'read', contents: 'read', 'pull-requests': 'read' } });
    addArtifact(given.forge, recordFor(slower));
    const { judged } = await reported(given);
    expect(judged[0]!.comparison!.gate.passed).toBe(false);
    expect(given.warnings).toEqual([
      expect.stringContaining('permissions: statuses: write'),
      expect.stringContaining('permissions: pull-requests: write'),
    ]);
    expect(given.summaries).toHaveLength(1);
  });
});
