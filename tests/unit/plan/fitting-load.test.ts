import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../src/core/config/read.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { type EndpointCapacity, fittingLoad, MOST_WAIT_SECONDS } from '../../../src/core/plan/fitting-load.ts';

/** As many endpoints as capacities, of a service with a database. */
function specOf(count: number, database = true): ResolvedSpec {
  const endpoints = Array.from({ length: count }, (_, index) => `  e${index}: /e${index}\n`).join('');
  return readSpec(
    `name: shop\nservices: {web: {build: ., port: 80}}\n${database ? 'database: postgres:18\n' : ''}endpoints:\n${endpoints}`,
    'wrkbench.yml',
  );
}

const capacitiesOf = (perSecond: readonly number[], aloneMs: number | null = null): EndpointCapacity[] =>
  perSecond.map((requestsPerSecond, index) => ({ endpoint: `e${index}`, requestsPerSecond, aloneMs }));

const fittingOf = (perSecond: readonly number[], startSeconds = 0) =>
  fittingLoad(specOf(perSecond.length), capacitiesOf(perSecond), startSeconds)!;
const shapeOf = (perSecond: readonly number[]) => fittingOf(perSecond).shape;

describe('the load that fits what endpoints answer', () => {
  it('is the standard one where 1,000 connections wait an eighth of its timeout at most', () => {
    expect(shapeOf([80_000, 4000])).toBeNull();
    expect(shapeOf([80_000, 3999])).not.toBeNull();
  });

  it('has 16 and 64 connections where the dearest answers 64 in a quarter of a second', () => {
    expect(shapeOf([256])).toEqual({ connections: [16, 64], keepAlive: ['on'], timeoutSeconds: 2, k6Connections: 16 });
    expect(shapeOf([255])).toEqual({ connections: [32], keepAlive: ['on'], timeoutSeconds: 2, k6Connections: 16 });
  });

  it('closes connections as well where opening one counts', () => {
    expect(shapeOf([1000])?.keepAlive).toEqual(['on', 'off']);
    expect(shapeOf([999])?.keepAlive).toEqual(['on']);
  });

  it('has fewer connections where 64 wait longer, and waits longer for an answer before it has fewer than 4', () => {
    expect(shapeOf([64])).toMatchObject({ connections: [16], timeoutSeconds: 2 });
    expect(shapeOf([63])).toMatchObject({ connections: [8], timeoutSeconds: 2 });
    expect(shapeOf([16])).toMatchObject({ connections: [4], timeoutSeconds: 2 });
    expect(shapeOf([15])).toMatchObject({ connections: [4], timeoutSeconds: 5 });
    expect(shapeOf([6])).toMatchObject({ connections: [2], timeoutSeconds: 5 });
    expect(shapeOf([2])).toMatchObject({ connections: [1], timeoutSeconds: 5 });
  });

  it('fits the dearest of all endpoints, whatever the others answer', () => {
    expect(fittingOf([80_000, 12, 3000])).toMatchObject({
      shape: { connections: [4], keepAlive: ['on'], timeoutSeconds: 5, k6Connections: null },
      dearest: { endpoint: 'e1', requestsPerSecond: 12 },
    });
  });

  it('has k6 where each side of the dearest endpoint is sent 50 requests in 10 s', () => {
    // 30 % of the capacity.
    expect(fittingOf([16.7])).toMatchObject({ shape: { k6Connections: 16 }, withoutK6: null, k6Requests: 50 });
    expect(fittingOf([16.6])).toMatchObject({
      shape: { k6Connections: null },
      withoutK6: 'too few requests',
      k6Requests: 49,
    });
  });

  it('has as many users of k6 as requests that wait for something else are under way', () => {
    const waiting = fittingLoad(specOf(1), capacitiesOf([300], 50), 0);
    // 180 requests/s of 50 ms are 9 at a time.
    expect(waiting?.shape?.k6Connections).toBe(64);
    expect(fittingLoad(specOf(1), capacitiesOf([300], 3), 0)?.shape?.k6Connections).toBe(16);
  });

  it('leaves out what answers fewer than 2 requests/s, and is none where all do', () => {
    expect(fittingOf([0.5, 40])).toMatchObject({
      shape: { connections: [8], timeoutSeconds: 2 },
      tooSlow: [{ endpoint: 'e0', requestsPerSecond: 0.5, aloneMs: null }],
    });
    expect(fittingLoad(specOf(1), capacitiesOf([1.9]), 0)).toBeNull();
    expect(fittingLoad(specOf(1), [], 0)).toBeNull();
  });
});

describe('the time that a pull request waits for it', () => {
  it('is left to the automatic budget where that is short enough', () => {
    const { budgetSeconds, waitSeconds, isInTime, needsWiderLimits } = fittingOf([1000]);
    expect({ budgetSeconds, isInTime, needsWiderLimits }).toEqual({
      ...{ budgetSeconds: null, isInTime: true, needsWiderLimits: false },
    });
    expect(waitSeconds).toBeLessThan(MOST_WAIT_SECONDS);
  });

  it('is left to it with wider limits too, which goes on where rounds scatter or take longer than was planned', () => {
    const { budgetSeconds, waitSeconds, isInTime, needsWiderLimits } = fittingOf([999]);
    expect({ budgetSeconds, isInTime, needsWiderLimits }).toEqual({
      ...{ budgetSeconds: null, isInTime: true, needsWiderLimits: true },
    });
    expect(waitSeconds).toBeLessThanOrEqual(MOST_WAIT_SECONDS);
  });

  it('is made 8 minutes by a budget where the automatic one is longer, and by fewer cases where there are more endpoints', () => {
    const cases = [4, 5, 6, 8].map((count) => {
      const { shape, budgetSeconds, withoutK6, isInTime, waitSeconds } = fittingOf(
        Array.from({ length: count }, () => 300),
      );
      expect(isInTime).toBe(true);
      expect(waitSeconds).toBeLessThanOrEqual(MOST_WAIT_SECONDS);
      return { count, connections: shape?.connections, withoutK6, budgetSeconds };
    });
    expect(cases).toEqual([
      { count: 4, connections: [16, 64], withoutK6: null, budgetSeconds: 360 },
      { count: 5, connections: [64], withoutK6: null, budgetSeconds: 360 },
      { count: 6, connections: [16, 64], withoutK6: 'too little time', budgetSeconds: null },
      { count: 8, connections: [16, 64], withoutK6: 'too little time', budgetSeconds: null },
    ]);
  });

  it('counts that each round starts both sides', () => {
    expect(fittingOf([300, 300, 300, 300], 0)).toMatchObject({ withoutK6: null });
    expect(fittingOf([300, 300, 300, 300], 8)).toMatchObject({ withoutK6: 'too little time', isInTime: true });
  });

  it('is longer, without a budget, where no load is done with in time', () => {
    const slow = fittingOf([10, 13, 13, 27, 40], 17);
    expect(slow).toMatchObject({ budgetSeconds: null, isInTime: false });
    expect(slow.waitSeconds).toBeGreaterThan(MOST_WAIT_SECONDS);
  });

  it.each([
    { endpoints: 6, min: 20 },
    { endpoints: 8, min: 40 },
  ])(
    'is 8 minutes at most for up to $endpoints endpoints of $min requests/s and more whose service starts in a second',
    ({ endpoints, min }) => {
      const capacities = fc.array(fc.double({ min, max: 3999, noNaN: true }), { minLength: 1, maxLength: endpoints });
      fc.assert(
        fc.property(capacities, fc.boolean(), (perSecond, database) => {
          const spec = specOf(perSecond.length, database);
          const { isInTime, waitSeconds, shape, dearest } = fittingLoad(spec, capacitiesOf(perSecond), 1)!;
          expect(isInTime).toBe(true);
          expect(waitSeconds).toBeLessThanOrEqual(MOST_WAIT_SECONDS);
          const most = Math.max(...shape!.connections);
          expect(most / dearest.requestsPerSecond).toBeLessThanOrEqual(shape!.timeoutSeconds / 8);
        }),
        { numRuns: 50 },
      );
    },
  );
});
