// needs: nothing
import { describe, expect, it } from 'vitest';
import { reportRun } from '../../../src/app/posting/report-run.ts';
import type { Fault } from '../../support/github-api/server.ts';
import { recordOf, slower } from '../../unit/posting/made-up.ts';
import { expectNoHarm, expectToBeTold, FOR_A_MOMENT, ON_AND_ON } from './faults.ts';
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

/** One of the ways to fail that each operation has, each way in turn; tests/full has all of them. */
const oneOf = <T>(all: readonly T[], index: number): T[] => [all[index % all.length]!];

describe('an operation that fails for a moment costs nothing', () => {
  it.each(FOR_A_MOMENT.map(([operation, kinds], index) => [operation, oneOf(kinds, index)] as const))(
    '%s',
    expectNoHarm,
  );
});

describe('an operation that fails on and on is told, and nothing passes for it', () => {
  it.each(ON_AND_ON.map(([operation, kinds, outcome], index) => [operation, oneOf(kinds, index), outcome] as const))(
    '%s',
    expectToBeTold,
  );
});
