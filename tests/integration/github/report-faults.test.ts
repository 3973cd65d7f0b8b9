// needs: nothing
import { describe, expect, it } from 'vitest';
import { reportRun } from '../../../src/app/reporting/report-run.ts';
import type { Fault } from '../../support/github-api/server.ts';
import { recordOf, slower } from '../../unit/reporting/made-up.ts';
import { addArtifact, BASE, MERGE, world } from './given.ts';

const never = new AbortController().signal;

async function withFault(fault: Fault) {
  const given = await world();
  const record = recordOf(slower);
  const comparing = { ...record.comparing!, baseline: { ...record.comparing!.baseline, sha: BASE } };
  addArtifact(given.forge, { ...record, comparing, source: { ...record.source, sha: MERGE } });
  const request = await given.request();
  given.api.faults.push(fault);
  const result = await reportRun(request, given.adapters(), never);
  return { ...given, result };
}

const CREATE = 'issues/create-comment';

describe('where the API fails for a moment', () => {
  it.each<Fault['kind']>([500, 502, 'secondary-limit', 'drop'])(
    'with %s, there is one comment in the end',
    async (kind) => {
      const { forge, result } = await withFault({ operation: CREATE, times: 1, kind });
      expect(forge.comments).toHaveLength(1);
      expect(forge.statuses).toHaveLength(1);
      expect(result.judged[0]!.comparison!.gate.passed).toBe(false);
    },
  );

  it('after it had written the comment, there is one all the same', async () => {
    const { forge } = await withFault({ operation: CREATE, times: 1, kind: 'apply-and-drop' });
    expect(forge.comments).toHaveLength(1);
  });
});

describe('where the API goes on failing', () => {
  it.each<Fault['kind']>([500, 404, 422, 'drop'])('with %s, it is told, and the gate is unharmed', async (kind) => {
    const { forge, warnings, result } = await withFault({ operation: CREATE, times: 100, kind });
    expect(forge.comments).toEqual([]);
    expect(forge.statuses).toMatchObject([{ state: 'failure' }]);
    expect(warnings.at(-1)).toMatch(
      /^The comment cannot be written: POST \/repos\/acme\/api\/issues\/12\/comments was/,
    );
    expect(result.judged).toHaveLength(1);
  });
});

describe('where somebody removes the comment meanwhile', () => {
  it('it is written anew', async () => {
    const given = await world();
    const record = recordOf(slower);
    addArtifact(given.forge, { ...record, source: { ...record.source, sha: MERGE } });
    const adapters = given.adapters();
    await reportRun(await given.request(), adapters, never);
    const update = adapters.forge.updateComment;
    let removed = false;
    adapters.forge.updateComment = async (id, text) => {
      if (!removed) given.forge.comments.length = 0;
      removed = true;
      return await update(id, text);
    };
    given.forge.runs[0]!.run_attempt = 2;
    await reportRun(await given.request(), adapters, never);
    expect({ removed, comments: given.forge.comments.length }).toEqual({ removed: true, comments: 1 });
  });
});
