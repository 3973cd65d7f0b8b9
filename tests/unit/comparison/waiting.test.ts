import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/core/comparison/decision.ts';
import type { Level } from '../../../src/core/comparison/hypothesis.ts';
import { type Judged, sparedBy, waitedFor } from '../../../src/core/comparison/waiting.ts';

const CASES = { ping: ['go/ping/100', 'go/ping/1000'], users: ['go/users/100'] };
const ALL = [...CASES.ping, ...CASES.users];

interface Said extends Partial<Pick<Decision, 'verdict' | 'leansToRed'>> {
  after?: string | null;
  acceptance?: Judged['acceptance'];
  isToldApart?: boolean;
  isWatched?: boolean;
}

type Statement = [level: Level, metric: string, caseKeys: readonly string[], said?: Said];

/** `level metric` of each that is waited for. */
const waiting = (said: Statement[]) => named(waitedFor, said);

/** `level metric` of each that is open and not waited for. */
const spared = (said: Statement[]) => named(sparedBy, said);

function named(ids: typeof waitedFor, said: Statement[]): string[] {
  const judged = said.map(([level, metric, caseKeys, own = {}], index): Judged => {
    const { after = null, acceptance = null, isToldApart = false, isWatched = false } = own;
    return { hypothesis: { id: `${index}`, level, metric, after }, caseKeys, acceptance, isToldApart, isWatched };
  });
  const decisions = new Map(
    said.map(([, , , of = {}], index): [string, Decision] => {
      const { verdict, leansToRed } = { verdict: 'inconclusive', leansToRed: false, ...of } as const;
      const decidedAt = verdict === 'inconclusive' ? null : 8;
      const rest = { estimate: 0, interval: null, adjusted: null, rounds: 8, minimumDetectable: null };
      return [`${index}`, { id: `${index}`, ...rest, verdict, leansToRed, decidedAt }];
    }),
  );
  return [...ids(judged, decisions)].map((id) => said[Number(id)]!.slice(0, 2).join(' '));
}

const CPU = 'cpu-per-request';
const RED = { verdict: 'regression' } as const;
const SAME = { verdict: 'no-change' } as const;
const LEANS = { leansToRed: true } satisfies Said;

describe('what another round is measured for', () => {
  it('is each service and endpoint that is not decided, and no case by itself', () => {
    expect(
      waiting([
        ['service', CPU, ALL],
        ['endpoint', CPU, CASES.ping],
        ['endpoint', CPU, CASES.users, SAME],
        ['case', CPU, CASES.ping.slice(0, 1)],
      ]),
    ).toEqual([`service ${CPU}`, `endpoint ${CPU}`]);
  });

  it('is nothing that is watched, unless it leans to red', () => {
    expect(waiting([['service', 'start-up', ALL, { isWatched: true }]])).toEqual([]);
    expect(waiting([['service', 'start-up', ALL, { isWatched: true, ...LEANS }]])).toEqual(['service start-up']);
  });

  it('is not a service of which an endpoint is red, nor an endpoint of which the service is', () => {
    expect(
      waiting([
        ['service', CPU, ALL],
        ['endpoint', CPU, CASES.ping, RED],
      ]),
    ).toEqual([]);
    expect(
      waiting([
        ['service', CPU, ALL, RED],
        ['endpoint', CPU, CASES.ping],
      ]),
    ).toEqual([]);
  });

  it('is an endpoint beside one that is red', () => {
    expect(
      waiting([
        ['endpoint', CPU, CASES.ping, RED],
        ['endpoint', CPU, CASES.users],
      ]),
    ).toEqual([`endpoint ${CPU}`]);
  });

  it('is not the throughput of an endpoint whose CPU time is red, which says the same, but its latency', () => {
    expect(
      waiting([
        ['endpoint', CPU, ALL, RED],
        ['endpoint', 'throughput', CASES.ping],
        ['endpoint', 'latency-p50', ALL],
      ]),
    ).toEqual(['endpoint latency-p50']);
    expect(
      waiting([
        ['endpoint', 'throughput', CASES.ping, RED],
        ['endpoint', CPU, ALL],
      ]),
    ).toEqual([]);
    // On another level too: that all endpoints cost more is that each of them answers less.
    expect(
      waiting([
        ['service', CPU, ALL, RED],
        ['endpoint', 'throughput', CASES.ping],
        ['endpoint', 'throughput', CASES.users],
      ]),
    ).toEqual([]);
    expect(
      waiting([
        ['endpoint', CPU, CASES.ping, RED],
        ['service', 'throughput', ALL],
        ['endpoint', 'throughput', CASES.users],
      ]),
    ).toEqual(['endpoint throughput']);
  });

  it('is the throughput of an endpoint whose CPU time is red, where the two do not tell the same', () => {
    const apart = { isToldApart: true } as const;
    expect(
      waiting([
        ['endpoint', CPU, CASES.ping, { ...RED, ...apart }],
        ['endpoint', 'throughput', CASES.ping, apart],
        ['service', CPU, ALL, apart],
      ]),
    ).toEqual(['endpoint throughput']);
  });

  it('is a case that leans to red, while nothing that it is part of is', () => {
    const one = CASES.ping.slice(0, 1);
    expect(
      waiting([
        ['case', CPU, one, LEANS],
        ['endpoint', CPU, CASES.ping, SAME],
      ]),
    ).toEqual([`case ${CPU}`]);
    expect(
      waiting([
        ['case', CPU, one, LEANS],
        ['endpoint', CPU, CASES.ping, RED],
      ]),
    ).toEqual([]);
    expect(
      waiting([
        ['case', CPU, one, LEANS],
        ['endpoint', CPU, CASES.users, RED],
      ]),
    ).toEqual([`case ${CPU}`]);
    expect(waiting([['case', CPU, one, { ...LEANS, after: 'x' }]])).toEqual([]);
  });
});

describe('what is red and accepted', () => {
  const ACCEPTED = { ...RED, acceptance: 'own' } as const;
  const FOR_ITS_PARTS = { ...RED, acceptance: 'of its parts' } as const;

  it('of an endpoint speaks for its service, and for no other endpoint', () => {
    expect(
      waiting([
        ['service', CPU, ALL],
        ['endpoint', CPU, CASES.users, ACCEPTED],
        ['endpoint', CPU, CASES.ping],
      ]),
    ).toEqual([`endpoint ${CPU}`]);
    expect(
      waiting([
        ['service', CPU, ALL, FOR_ITS_PARTS],
        ['endpoint', CPU, CASES.users, ACCEPTED],
        ['endpoint', CPU, CASES.ping],
      ]),
    ).toEqual([`endpoint ${CPU}`]);
  });

  it('of a metric alone does not speak for what the same trials say of another, and of all metrics does', () => {
    const throughput = (acceptance: Judged['acceptance']) =>
      waiting([
        ['endpoint', CPU, CASES.ping, ACCEPTED],
        ['endpoint', 'throughput', CASES.ping, { acceptance }],
      ]);
    expect(throughput(null)).toEqual(['endpoint throughput']);
    expect(throughput('own')).toEqual([]);
  });

  it('of a case does not speak for another one of its endpoint that leans to red', () => {
    const [one, other] = [CASES.ping.slice(0, 1), CASES.ping.slice(1)];
    expect(
      waiting([
        ['endpoint', CPU, CASES.ping, FOR_ITS_PARTS],
        ['case', CPU, one, ACCEPTED],
        ['case', CPU, other, LEANS],
      ]),
    ).toEqual([`case ${CPU}`]);
  });
});

describe('what is red spares', () => {
  it('the endpoints of its service, and nothing that is decided or that it does not speak for', () => {
    expect(
      spared([
        ['service', CPU, ALL, RED],
        ['endpoint', CPU, CASES.ping],
        ['endpoint', CPU, CASES.users, SAME],
        ['endpoint', 'latency-p50', CASES.users],
        ['case', CPU, CASES.ping.slice(0, 1)],
      ]),
    ).toEqual([`endpoint ${CPU}`]);
  });

  it('nothing where nothing is red', () => {
    expect(spared([['endpoint', CPU, CASES.ping]])).toEqual([]);
  });
});
