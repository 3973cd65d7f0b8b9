import { describe, expect, it } from 'vitest';
import { choicesOf, contests, nearest } from '../../../../src/core/report/analysis/contest.ts';
import { viewOf } from '../../../../src/core/report/view.ts';
import { fixtureRecord } from '../fixture-records.ts';

const services = contests(viewOf(fixtureRecord('apostol')));
const endpoints = contests(viewOf(fixtureRecord('compared')));
const wanted = (choices: Record<string, string>) => new Map(Object.entries(choices));
const valuesOf = (contest: (typeof services)[number]) =>
  Object.fromEntries(Object.entries(contest.choices).map(([name, { value }]) => [name, value]));

describe('contests', () => {
  it('are of services, each under one load, the reference beside them and in no rank', () => {
    expect(services.every(({ of }) => of === 'services')).toBe(true);
    expect(services[0]!.rows.map(({ label, rank }) => [label, rank])).toEqual([
      ['nginx', null],
      ['apostol-v2', 1],
      ['go', 2],
      ['apostol-v1', 3],
      ['nodejs', 4],
      ['python', 5],
    ]);
  });

  it('are of the endpoints where there is one service, under each load', () => {
    const [first] = endpoints;
    expect(first!.of).toBe('endpoints');
    expect(first!.choices.endpoint).toBeUndefined();
    expect(first!.rows.map(({ rank }) => rank)).toEqual([1, 2]);
    expect(new Set(first!.rows.map(({ test }) => `${test.generator} ${test.connections} ${test.keepAlive}`)).size).toBe(
      1,
    );
  });

  it('rank nobody at a given rate, and no invalid case', () => {
    const open = endpoints.find(({ openModel }) => openModel)!;
    expect(open.rows.map(({ rank }) => rank)).toEqual(open.rows.map(() => null));
    const troubled = contests(viewOf(fixtureRecord('troubled')));
    const invalid = troubled.flatMap(({ rows }) => rows.filter(({ entry }) => !entry.valid));
    expect(invalid.length).toBeGreaterThan(1);
    expect(invalid.map(({ rank }) => rank)).toEqual(invalid.map(() => null));
  });
});

describe('the contest for an address', () => {
  it('is the one that has all that is asked for', () => {
    const asked = { endpoint: 'ping', generator: 'wrk', route: 'direct', 'keep-alive': 'off', load: '1000' };
    const { chosen, unknown } = nearest(services, wanted(asked))!;
    expect(valuesOf(chosen)).toEqual(asked);
    expect(unknown).toEqual([]);
  });

  it('is the first where nothing is asked for', () => {
    expect(nearest(services, new Map())!.chosen).toBe(services[0]);
  });

  it('has what was chosen last, whatever else there is', () => {
    const { chosen } = nearest(services, wanted({ endpoint: 'db-ping', 'keep-alive': 'on', load: '1000' }), 'load')!;
    expect(valuesOf(chosen)).toMatchObject({ endpoint: 'ping', load: '1000' });
  });

  it('says what nobody has, and shows something all the same', () => {
    const { chosen, unknown } = nearest(services, wanted({ endpoint: '__proto__', 'keep-alive': 'off' }))!;
    expect(valuesOf(chosen)['keep-alive']).toBe('off');
    expect(unknown).toEqual([['endpoint', '__proto__']]);
  });

  it('is none of a run without a case', () => {
    expect(nearest([], wanted({ endpoint: 'ping' }))).toBeNull();
  });
});

it('offers the choices that there are, and no list of one', () => {
  const offered = choicesOf(services).map(({ name, options }) => [name, options.map(({ value }) => value)]);
  expect(offered).toEqual([
    ['endpoint', ['ping', 'db-ping']],
    ['keep-alive', ['on', 'off']],
    ['load', ['100', '1000']],
  ]);
});
