import { describe, expect, it } from 'vitest';
import type { Service } from '../../../src/core/config/resolved.ts';
import type { TrialMeasurement } from '../../../src/core/measurement/measurement.ts';
import { invalidReasons, warnings } from '../../../src/core/validity/verdict.ts';
import { healthyTrial, testCase } from '../support/trials.ts';

/** What is wrong with a trial of a service whose spec says this of it, and what it is marked with. */
function found(
  trial: Partial<TrialMeasurement>,
  service: Partial<Service>,
  keepAlive = true,
): { invalid: Record<string, string>; marks: Record<string, string> } {
  const own = testCase({ keepAlive });
  const evidence = {
    trial: healthyTrial(trial),
    case: { ...own, service: { ...own.service, ...service } },
    pass: null,
  };
  const texts = (all: { code: string; message: string }[]) =>
    Object.fromEntries(all.map(({ code, message }) => [code, message]));
  return { invalid: texts(invalidReasons(evidence)), marks: texts(warnings(evidence)) };
}

const { outcome } = healthyTrial();
const withErrors = (errors: Record<string, number>): Partial<TrialMeasurement> => ({
  outcome: { ...outcome!, errors },
});

describe('a service that closes each connection by design', () => {
  const closes = { keepAlive: 'closes' } as const;

  it('is measured with keep-alive on, and marked', () => {
    const said = 'the server accepted 50,000 connections for 50,000 requests';
    expect(found({ acceptedConnections: 50_000 }, closes)).toEqual({
      invalid: {},
      marks: { 'closes-connections': `closes connections, as its spec says: ${said}` },
    });
    expect(Object.keys(found({ acceptedConnections: 50_000 }, {}).invalid)).toEqual(['keep-alive-not-on']);
  });

  it('is told where it keeps them all the same', () => {
    expect(found({ acceptedConnections: 100 }, closes)).toEqual({
      invalid: {},
      marks: {
        'closes-connections':
          'the spec says that the service closes each connection, yet the server accepted 100 connections for 50,000 requests: it keeps some, and `keep-alive: closes` may go',
      },
    });
  });

  it('has no mark where the generator closes them, or where nobody counted', () => {
    expect(found({ acceptedConnections: 50_000 }, closes, false)).toEqual({ invalid: {}, marks: {} });
    expect(found({ acceptedConnections: null }, closes)).toEqual({ invalid: {}, marks: {} });
  });

  it('can run out of ports as without keep-alive', () => {
    const trial = {
      ...withErrors({ connect: 40 }),
      acceptedConnections: 50_000,
      ports: { timeWait: 28_000, available: 28_232 },
    };
    expect(Object.keys(found(trial, closes).invalid)).toContain('ports-exhausted');
  });
});

describe('a service whose spec lets errors pass', () => {
  const some = { errors: { max: 0.05 } };

  it('is measured with its errors up to that many, and marked', () => {
    expect(found(withErrors({ timeout: 2000, connect: 100 }), some)).toEqual({
      invalid: {},
      marks: {
        'errors-let-pass':
          '4.2 % of 50,000 requests failed (timeout 2,000, connect 100); the spec lets up to 5 % pass, and the case is not ranked',
      },
    });
  });

  it('is invalid with more', () => {
    const { invalid } = found(withErrors({ timeout: 5000 }), some);
    expect(invalid.errors).toMatch(/^10\.0 % of 50,000 requests failed \(timeout 5,000\); up to 5 % is let pass/);
  });

  it('has no mark with as few as every service may have', () => {
    expect(found(withErrors({ timeout: 50 }), some)).toEqual({ invalid: {}, marks: {} });
  });

  it('may have none at all where its limit is nought', () => {
    const { invalid } = found(withErrors({ read: 1 }), { errors: { max: 0 } });
    expect(invalid).toEqual({ errors: 'more than 0 % of 50,000 requests failed (read 1); up to 0 % is let pass' });
  });

  it('is not let pass an answer to nothing', () => {
    expect(found({ outcome: { tool: 'wrk', requests: 0 } }, { errors: { max: 1 } }).invalid).toMatchObject({
      'no-answer': expect.stringMatching(/^no request was answered in 10 s of wrk at 100 connections/),
    });
  });
});
