import { expect, it } from 'vitest';
import { noPast, rangesOf, rangesSaid } from '../../../../src/core/report/analysis/ranges.ts';
import { fixtureRecord } from '../fixture-records.ts';

const [single] = fixtureRecord('apostol').cases;
const [repeated] = fixtureRecord('small').cases;

it('are those of the trials of a run, where it has several', () => {
  const ranges = rangesOf([repeated!], ['throughput'], () => [1, 2, 3]);
  expect(ranges.of).toBe('trials');
  const [low, high] = ranges.range(repeated!, 'throughput')!;
  expect(low).toBeLessThan(repeated!.metrics.throughput!.value);
  expect(high).toBeGreaterThan(repeated!.metrics.throughput!.value);
  expect(rangesSaid(ranges)).toBe('Thin lines: lowest to highest of 10 trials in this run.');
});

it('are else those of past runs, from three on, and say what they are', () => {
  const ranges = rangesOf([single!], ['throughput'], () => [30, 10, 20]);
  expect(ranges.range(single!, 'throughput')).toEqual([10, 30]);
  expect(rangesSaid(ranges)).toContain('earlier runs on the same CPU model, 3 runs');
  expect(rangesSaid(ranges)).toContain('not confidence intervals');
  expect(rangesOf([single!], ['throughput'], () => [30, 10]).of).toBeNull();
});

it('are none where nothing is known', () => {
  const ranges = rangesOf([single!], ['throughput', '__proto__'], noPast);
  expect(ranges.range(single!, 'throughput')).toBeNull();
  expect(rangesSaid(ranges)).toBeNull();
});
