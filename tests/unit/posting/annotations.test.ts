import { describe, expect, it } from 'vitest';
import { annotationsOf, endpointLine, unjudged } from '../../../src/core/posting/annotations.ts';
import { judged, noisy } from './made-up.ts';

const two = (made: object) => [{ ...made }, { endpoint: 'users', ...made }];

describe('what is said beside a file', () => {
  it('is of each endpoint that got worse what leads, and where it is written', () => {
    const run = judged({ cases: two({ ratios: { 'cpu-per-request': 1.1, throughput: 0.9 } }) });
    expect(annotationsOf(run).map(({ level, title, endpoint }) => [level, title, endpoint])).toEqual([
      ['failure', 'wrkbench/rest-api: regression', null],
      ['failure', 'wrkbench/rest-api: regression', 'ping'],
      ['failure', 'wrkbench/rest-api: regression', 'users'],
    ]);
    expect(annotationsOf(run)[1]!.message).toMatch(/^go · \/ping (?:costs|answers) /);
  });

  it('is nothing where nothing got worse, nor of what was accepted', () => {
    expect(annotationsOf(judged({ rounds: 20 }))).toEqual([]);
    const accepted = [{ cases: '*', metric: null, reason: 'TLS' }];
    const run = judged({ cases: [{ ratios: { 'cpu-per-request': 1.1 } }], comparing: { accepted } });
    expect(annotationsOf(run)).toEqual([]);
  });

  it('is a warning of what is invalid, with the line that decides', () => {
    const message = '3.1 % of 48,210 requests failed\n    panic: no such table';
    const run = judged({ rounds: 20, cases: [{ invalid: { candidate: message } }, { endpoint: 'users' }] });
    expect(unjudged(run)).toEqual([
      {
        level: 'warning',
        title: 'wrkbench/rest-api: invalid',
        message:
          'go · /ping · keep-alive on · 100 connections: candidate: 3.1 % of 48,210 requests failed: panic: no such table',
        endpoint: null,
      },
    ]);
  });

  it('is a warning of what was not measured, and a notice of what is undecided', () => {
    expect(unjudged(judged({ rounds: 1 }))).toMatchObject([
      { level: 'warning', title: 'wrkbench/rest-api: not measured', message: expect.stringContaining('CPU') },
    ]);
    expect(unjudged(judged(noisy))).toEqual([]);
    expect(annotationsOf(judged(noisy))).toMatchObject([{ level: 'notice', title: 'wrkbench/rest-api: undecided' }]);
  });

  it('is a warning of a run on its own that is invalid', () => {
    const cases = [{ only: 'candidate' as const, invalid: { candidate: 'It answered 500.' } }];
    expect(unjudged(judged({ comparing: null, cases }))).toMatchObject([{ message: 'go: It answered 500.' }]);
  });
});

describe('the line of an endpoint', () => {
  const spec = 'name: api\nendpoints:\n  # The first.\n  ping: {path: /ping}\n  users:\n    path: /users\n';
  it.each([
    ['ping', 4],
    ['users', 5],
    ['gone', null],
    ['constructor', null],
  ])('of %s is %s', (endpoint, line) => {
    expect(endpointLine(spec, endpoint)).toBe(line);
  });

  it('is unknown of a text that is no spec', () => {
    expect(endpointLine('{', 'ping')).toBeNull();
    expect(endpointLine('', 'ping')).toBeNull();
  });
});
