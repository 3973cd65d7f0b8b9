import { describe, expect, it } from 'vitest';
import { readingCases, reconnectingCase } from '../../../src/app/measuring/reconnecting.ts';
import { type Case, casesOf } from '../../../src/core/config/case.ts';
import type { Endpoint } from '../../../src/core/config/resolved.ts';
import type { UnloadedPass } from '../../../src/core/measurement/measurement.ts';
import type { Variant } from '../../../src/core/measurement/names.ts';
import { smallSpec } from '../support/comparing.ts';

const CREATE: Partial<Endpoint> = { name: 'create', path: '/items', method: 'POST', body: '{}' };

function casesAt(connections: number[], keepAlive: boolean[] = [true]): Case[] {
  const spec = smallSpec([{ name: 'ping' }, { name: 'list' }, CREATE]);
  return casesOf({ ...spec, load: { ...spec.load, wrk: { ...spec.load.wrk!, connections, keepAlive } } });
}

const pass = (endpoint: string, calls: number | null, variant: Variant = 'candidate'): UnloadedPass => ({
  ...{ service: 'go', variant, round: 1, endpoint, route: 'direct', startedNs: 0, durationNs: 1, requests: 20 },
  ...{ failures: 0, bytes: 100, constantSize: true },
  statements: calls === null ? null : [{ query: 'select 1', calls, rows: 1, totalMs: 1 }],
});
const PASSES = [pass('ping', 0), pass('list', 20), pass('create', 20)];

describe('what a service opens its connections with once its data were put back', () => {
  const names = (cases: readonly Case[]) => cases.map(({ endpoint }) => endpoint.name);

  it('are cases that ask the database and change nothing, on both sides', () => {
    const cases = casesAt([10]);
    expect(names(readingCases(cases, PASSES))).toEqual(['list']);
    expect(names(readingCases(cases, [...PASSES, pass('list', 20, 'baseline')]))).toEqual(['list']);
    expect(names(readingCases(cases, [...PASSES, pass('list', 0, 'baseline')]))).toEqual([]);
    expect(names(readingCases(cases, [pass('list', null)]))).toEqual([]);
    expect(names(readingCases(cases, []))).toEqual([]);
  });

  it('is the case itself where it is one of them', () => {
    const cases = casesAt([10, 100]);
    const reading = readingCases(cases, PASSES);
    for (const own of reading) expect(reconnectingCase(own, reading)).toBe(own);
  });

  it('is one as like it as there is where it writes, or asks no database', () => {
    const cases = casesAt([10, 100], [true, false]);
    const reading = readingCases(cases, PASSES);
    for (const own of cases) {
      const { endpoint, connections, keepAlive } = reconnectingCase(own, reading);
      expect([endpoint.name, connections, keepAlive]).toEqual(['list', own.connections, own.keepAlive]);
    }
    const fewer = reading.filter(({ connections, keepAlive }) => connections === 10 || !keepAlive);
    const own = cases.find((each) => each.endpoint.name === 'create' && each.connections === 100 && each.keepAlive)!;
    expect(reconnectingCase(own, fewer)).toMatchObject({ connections: 100, keepAlive: false });
  });

  it('is the case itself where nothing else is known to ask the database', () => {
    const [own] = casesAt([10]).filter(({ endpoint }) => endpoint.name === 'create');
    expect(reconnectingCase(own!, [])).toBe(own);
  });
});
