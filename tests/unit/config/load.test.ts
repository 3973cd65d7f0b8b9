import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../src/core/config/read.ts';
import { leastWith } from './specs.ts';

function loadOf(load: string) {
  return readSpec(leastWith(`load: ${load}\n`), 'wrkbench.yml').load;
}

describe('the presets', () => {
  it.each([
    [
      'standard',
      {
        wrk: { threads: 4, connections: [100, 1000], keepAlive: [true, false], durationSeconds: 10, timeoutSeconds: 2 },
        k6: {
          arrival: { kind: 'share', shareOfCapacity: 0.6 },
          connections: [50],
          keepAlive: [true],
          durationSeconds: 10,
          timeoutSeconds: 10,
          script: null,
        },
      },
    ],
    [
      'quick',
      { wrk: { threads: 2, connections: [64], keepAlive: [true, false], durationSeconds: 2, timeoutSeconds: 2 } },
    ],
    [
      'abstract-rest',
      { wrk: { threads: 8, connections: [512], keepAlive: [true], durationSeconds: 120, timeoutSeconds: 10 } },
    ],
    ['users-1000', { ab: { requests: 10_000, connections: [128], keepAlive: [false], timeoutSeconds: 30 } }],
    ['hardware-tax', { ab: { requests: 100_000, connections: [1000], keepAlive: [false], timeoutSeconds: 30 } }],
    [
      'event-pong',
      {
        wrk: {
          threads: 4,
          threadSteps: [
            { fromConnections: 2, threads: 1 },
            { fromConnections: 400, threads: 2 },
            { fromConnections: 20_000, threads: 4 },
          ],
          connections: [2, 400, 20_000],
          keepAlive: [true],
          durationSeconds: 60,
          timeoutSeconds: 2,
        },
      },
    ],
  ])('%s', (preset, expected) => {
    const { wrk, k6, ab, h2load } = loadOf(`{preset: ${preset}}`);
    expect({ wrk, k6, ab, h2load }).toEqual({ wrk: null, k6: null, ab: null, h2load: null, ...expected });
  });

  it.each([
    ['500ms', 0.5],
    ['0s', 0],
    ['2m', 120],
  ])('a warm-up of %s is one of %f s', (written, seconds) => {
    expect(loadOf(`{warm-up: ${written}}`).warmUp).toEqual({ kind: 'fixed', seconds });
  });

  it('quick warms up for one second', () => {
    expect(loadOf('{preset: quick}')).toMatchObject({ warmUp: { kind: 'fixed', seconds: 1 }, coolDownSeconds: 0.5 });
  });
});

describe('what stands beside a preset', () => {
  it('replaces it key by key', () => {
    expect(loadOf('{preset: abstract-rest, wrk: {duration: 5s}, cool-down: 0s}')).toMatchObject({
      wrk: { threads: 8, connections: [512], keepAlive: [true], durationSeconds: 5, timeoutSeconds: 10 },
      coolDownSeconds: 0,
    });
  });

  it('adds a generator that the preset does not have, with the defaults', () => {
    const { wrk, k6 } = loadOf('{preset: quick, k6: {connections: [10]}}');
    expect(wrk?.connections).toEqual([64]);
    expect(k6).toEqual({
      arrival: { kind: 'share', shareOfCapacity: 0.6 },
      connections: [10],
      keepAlive: [true, false],
      durationSeconds: 10,
      timeoutSeconds: 10,
      script: null,
    });
  });

  it('drops a generator', () => {
    const { wrk, k6, ab } = loadOf('{preset: standard, wrk: off, ab: on}');
    expect(wrk).toBeNull();
    expect(k6?.connections).toEqual([50]);
    expect(ab?.requests).toBe(10_000);
  });
});

describe('a load without a preset', () => {
  it('is the standard one where it names no generator', () => {
    expect(loadOf('{warm-up: 5s}')).toMatchObject({
      wrk: { connections: [100, 1000] },
      warmUp: { kind: 'fixed', seconds: 5 },
    });
    expect(loadOf('{k6: off}')).toMatchObject({ wrk: { connections: [100, 1000] }, k6: null });
  });

  it('holds only the generators that it names', () => {
    expect(loadOf('{ab: {requests: 500}}')).toMatchObject({ wrk: null, k6: null, ab: { requests: 500 } });
  });
});

describe('on and off', () => {
  it.each([
    ['on', [true]],
    ['off', [false]],
    ['true', [true]],
    ['false', [false]],
    ['[on, off]', [true, false]],
    ['[off, true]', [false, true]],
    ['"on"', [true]],
  ])('keep-alive: %s', (written, expected) => {
    expect(loadOf(`{wrk: {keep-alive: ${written}}}`).wrk?.keepAlive).toEqual(expected);
  });
});

describe('the rate of k6', () => {
  it.each([
    ['60%', { kind: 'share', shareOfCapacity: 0.6 }],
    ['2000/s', { kind: 'rate', requestsPerSecond: 2000 }],
    ['vus', { kind: 'vus' }],
  ])('%s', (rate, arrival) => {
    expect(loadOf(`{k6: {rate: ${rate}, script: load/k6.js}}`).k6).toMatchObject({ arrival, script: 'load/k6.js' });
  });
});
