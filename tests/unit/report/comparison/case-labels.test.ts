import { describe, expect, it } from 'vitest';
import { caseLabels } from '../../../../src/core/report/comparison/case-labels.ts';
import { fixtureRecord } from '../fixture-records.ts';
import { caseOf, comparisonOf, cpu, keys, unitOf } from './made-up.ts';

const memory = (limit: number) =>
  cpu({ unit: 'bytes', threshold: { kind: 'ratio', value: limit }, baseline: 2 ** 25, candidate: 2 ** 25 });
const whole = (key: string, limit: number) => unitOf(key, { 'memory-peak': memory(limit) }, { endpoint: '*' });
const labelsOf = (...services: ReturnType<typeof whole>[]) =>
  caseLabels(comparisonOf([], { services }), fixtureRecord('compared'));

describe('how a service is called', () => {
  it('is by its name, and that all endpoints are meant', () => {
    const labels = labelsOf(whole('go/*', 0.1));
    expect([labels.of('go/*'), labels.short('go/*')]).toEqual(['go · all endpoints', 'go · all endpoints']);
  });

  it('is by their limit where there are several', () => {
    const labels = labelsOf(whole('go/*@50%', 0.5), whole('go/*@5%', 0.05));
    expect([labels.of('go/*@50%'), labels.of('go/*@5%')]).toEqual([
      'go · cases limited to +50 %',
      'go · cases limited to +5 %',
    ]);
    expect(labels.short('go/*@5%')).toBe('go · cases limited to +5 %');
  });
});

describe('how an endpoint is called', () => {
  it('is by its path, and by the limit of its cases where there are several', () => {
    const endpoints = [unitOf('api/users/*', { p: memory(0.1) }), unitOf('api/ping/*@5%', { p: memory(0.05) })];
    const labels = caseLabels(comparisonOf([], { endpoints }), fixtureRecord('compared'));
    expect(endpoints.map(({ key }) => labels.of(key))).toEqual([
      'api · /db/users',
      'api · /ping · cases limited to +5 %',
    ]);
  });
});

describe('how a case is called', () => {
  const record = fixtureRecord('compared');
  const comparison = comparisonOf([caseOf(keys.usersK6, {})]);

  it('is by the share of the capacity that k6 asked for', () => {
    expect(caseLabels(comparison, record).of(keys.usersK6)).toBe(
      'api · /db/users · keep-alive on · 100 connections at 60%',
    );
  });

  it.each(['vus', 'max'])('is by the closed loop, whatever its generator calls it: %s', (word) => {
    const closed = caseOf(keys.usersK6.replace(/@.*/, `@${word}`), {});
    expect(caseLabels(comparisonOf([closed]), record).of(closed.key)).toMatch(
      / · keep-alive on · 100 connections, closed loop$/,
    );
  });

  it('is by the rate where k6 could not send that share', () => {
    const warnings = [{ code: 'rate-capped', message: 'half of that was sent' }];
    const cases = record.cases.map((each) => (each.key === keys.usersK6 ? { ...each, warnings } : each));
    expect(caseLabels(comparison, { ...record, cases }).of(keys.usersK6)).toBe(
      'api · /db/users · keep-alive on · 100 connections at 1,447/s, not 60%',
    );
  });
});
