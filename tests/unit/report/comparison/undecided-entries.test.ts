import { describe, expect, it } from 'vitest';
import type { CaseComparison, Comparison } from '../../../../src/core/comparison/comparison.ts';
import { undecidedEntries } from '../../../../src/core/report/comparison/undecided-entries.ts';
import { accepted, caseOf, comparisonOf, costlier, cpu, keys, member, open, throughput, unitOf } from './made-up.ts';

const CPU = 'cpu-per-request';
const slower = throughput({ verdict: 'inconclusive' });

/** `key metric` of what is told as undecided, of two endpoints with two cases each. */
function told(of: {
  service?: CaseComparison['metrics'];
  ping?: CaseComparison['metrics'];
  users?: CaseComparison['metrics'];
  pingCase?: CaseComparison['metrics'];
  gate?: Partial<Comparison['gate']>;
}): string[] {
  const { service = {}, ping = {}, users = {}, pingCase = { [CPU]: member(cpu()) }, gate } = of;
  const comparison = comparisonOf(
    [
      caseOf(keys.ping, pingCase),
      caseOf(keys.pingMany, { [CPU]: member(cpu()) }),
      caseOf(keys.users, { [CPU]: member(cpu()) }),
      caseOf(keys.usersMany, { [CPU]: member(cpu()) }),
    ],
    {
      services: [unitOf(keys.ofApi, service)],
      endpoints: [unitOf(keys.ofPing, ping), unitOf(keys.ofUsers, users)],
      ...(gate === undefined ? {} : { gate }),
    },
  );
  return undecidedEntries(comparison).map(({ caseKey, metric }) => `${caseKey} ${metric}`);
}

describe('what is told as undecided', () => {
  it('is all that is open where nothing is red', () => {
    expect(told({ service: { [CPU]: open }, ping: { throughput: slower } })).toEqual([
      `${keys.ofApi} ${CPU}`,
      `${keys.ofPing} throughput`,
    ]);
  });

  it('is not the throughput of an endpoint whose CPU time is red, but its latency, and other endpoints', () => {
    const p50 = { ...open, unit: 'ms' as const };
    expect(
      told({
        ping: { [CPU]: costlier, throughput: slower, 'latency-p50': p50 },
        users: { [CPU]: open, throughput: slower },
      }),
    ).toEqual([`${keys.ofPing} latency-p50`, `${keys.ofUsers} ${CPU}`, `${keys.ofUsers} throughput`]);
  });

  it('is no endpoint of a service that is red, nor a service of which an endpoint is', () => {
    expect(told({ service: { [CPU]: costlier }, ping: { [CPU]: open }, users: { throughput: slower } })).toEqual([]);
    expect(told({ service: { [CPU]: open, throughput: slower }, ping: { [CPU]: costlier } })).toEqual([]);
  });

  it('is an endpoint of which a case alone is red, and not its service', () => {
    const pingCase = { [CPU]: costlier };
    expect(told({ service: { [CPU]: open }, ping: { [CPU]: open }, pingCase })).toEqual([`${keys.ofPing} ${CPU}`]);
  });

  it('is what lies beside something red that somebody has accepted', () => {
    const gate = { regressions: [], accepted: [accepted(keys.ofPing, CPU, 'known')] };
    expect(told({ ping: { [CPU]: costlier, throughput: slower }, gate })).toEqual([`${keys.ofPing} throughput`]);
  });
});
