import { describe, expect, it } from 'vitest';
import { DEVIATIONS_SOURCE, type Deviation } from '../../../src/core/plan/deviations.ts';
import { foretoldOf } from '../../../src/core/plan/foretelling.ts';
import { foretellingText } from '../../../src/core/plan/foretelling-text.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import type { ResolvedSpec } from '../../../src/core/spec/resolved.ts';
import { specOfServices, specWith } from './fixtures.ts';

const deviations: Deviation[] = [
  ['throughput', 'wrk', 'duet', 'database', 'any', 'any', 0, 0.01],
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'keep-alive', 'any', 0, 0.01],
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'close', 'any', 0, 0.02],
  ['cpu-per-request', 'k6', 'duet', 'database', 'any', 'any', 0, 0.02],
  ['latency-p50', 'k6', 'duet', 'database', 'any', 'any', 0, 0.006],
  ['memory-peak', 'wrk', 'duet', 'no database', 'any', 'any', 0.03, 0],
];
const textOf = (spec: ResolvedSpec) =>
  foretellingText(spec, foretoldOf(spec, planOf(spec, { seed: 1 }), { deviations })).split('\n');
const FROM = `Foretold from ${DEVIATIONS_SOURCE}; where a machine or service scatters more, less is seen.`;

describe('plan, on comparing', () => {
  it('says for each metric from where on a change is called, by the cases that it is judged on', () => {
    const spec = specWith('{wrk: {connections: 100}, k6: {keep-alive: on}, warm-up: 2s}', 'database: {}\n');
    expect(textOf(spec)).toEqual([
      '',
      'Comparing with a baseline, in a budget of 5 min',
      '',
      'go, about 8 instances of both sides, 37 s each with 1 duet per case; 9 in 10 changes of this size are then called:',
      '  throughput           4 cases of wrk    limit -5 %   called from -7.3 % on',
      '  latency-p50          2 cases of k6     limit +5 %   called from +6.5 % on',
      '  cpu-per-request      2 cases of k6     limit +3 %   called from +8.1 % on',
      '  memory-peak          6 cases together  limit +10 %  called from +20.6 % on',
      '  queries-per-request  without load      limit 0      exactly',
      '  throughput: where both sides fill the CPU; elsewhere from slices in turn, which show only far larger ones',
      '  cpu-per-request: as of endpoints that ask the database; others show smaller changes',
      '',
      FROM,
      '',
    ]);
  });

  it('shows services that are alike once, a range where cases differ, and a quantity as a limit', () => {
    const spec = specOfServices(2, '{wrk: {connections: 100}, warm-up: 2s}');
    spec.gate.metrics['memory-peak'] = { maxIncrease: { kind: 'absolute', value: 64 * 2 ** 20 } };
    expect(textOf(spec)).toEqual([
      '',
      'Comparing with a baseline, in a budget of 5 min, 2 min 30 s for each service',
      '',
      'b, a, about 8 instances of both sides, 19 s each with 2 duets per case; 9 in 10 changes of this size are then called:',
      '  throughput       2 cases of wrk    limit -5 %       called from -6.6 % on',
      '  cpu-per-request  2 cases of wrk    limit +3 %       called from +4.8 % to +6.5 % on',
      '  memory-peak      2 cases together  limit +64.0 MiB  called from 9.5 % beyond it on',
      '  throughput: where both sides fill the CPU; elsewhere from slices in turn, which show only far larger ones',
      '',
      FROM,
      '',
    ]);
  });

  it('says which budget is enough where it is short', () => {
    const spec = specWith('{wrk: {connections: 100}, warm-up: 2s}', 'gate: {budget: 80s}\n');
    expect(textOf(spec)).toEqual([
      '',
      'Comparing with a baseline, in a budget of 80 s',
      '',
      'go, about 3 instances of both sides, 25 s each with 1 duet per case; 9 in 10 changes of this size are then called:',
      '  throughput       4 cases of wrk    limit -5 %   called from -11.9 % on',
      '  cpu-per-request  4 cases of wrk    limit +3 %   called from +11.0 % to +19.7 % on',
      '  memory-peak      4 cases together  limit +10 %  called from +183 % on',
      '  throughput: where both sides fill the CPU; elsewhere from slices in turn, which show only far larger ones',
      '  more instances show smaller ones: a budget of 2 min 10 s is enough for 5',
      '',
      FROM,
      '',
    ]);
  });

  it('tells of no change that is more than tenfold', () => {
    const spec = specWith(
      '{ab: {keep-alive: on}, warm-up: 2s}',
      'gate: {budget: 20s, memory-peak: {max-increase: 30%}}\n',
    );
    spec.endpoints = spec.endpoints.slice(0, 1);
    expect(textOf(spec)).toEqual([
      '',
      'Comparing with a baseline, in a budget of 20 s',
      '',
      'go, about 2 instances of both sides, 9 s each with 1 duet per case; 9 in 10 changes of this size are then called:',
      '  memory-peak  1 case of ab  limit +30 %  called from more than +1,000 % on',
      '  more instances show smaller ones: a budget of 45 s is enough for 5',
      '',
      FROM,
      '',
    ]);
  });

  it('says no more where it is too short for two instances', () => {
    const spec = specWith('{wrk: {connections: 100}, warm-up: 2s}', 'gate: {budget: 10s}\ndatabase: {}\n');
    expect(textOf(spec)).toEqual([
      '',
      'Comparing with a baseline, in a budget of 10 s',
      '',
      'go, for which 10 s are too short: one instance of both sides takes 24 s; a budget of 2 min is enough for 5',
      '  queries-per-request  without load  limit 0  exactly',
      '',
    ]);
  });

  it('says what is not known, and how slices in turn are taken', () => {
    const gate = 'gate: {pairing: interleaved, throughput: off, memory-peak: off, cpu-per-request: off}\n';
    expect(textOf(specWith('{k6: {keep-alive: on}, warm-up: 2s}', gate))).toEqual([
      '',
      'Comparing with a baseline, in a budget of 5 min',
      '',
      'go, about 10 instances of both sides, 30 s each with one pair of slices in turn per case; 9 in 10 changes of this size are then called:',
      '  latency-p50  2 cases of k6  limit +5 %  not known',
      '  latency-p50: how it scatters was not recorded',
      '',
      FROM,
      '',
    ]);
  });

  it('says what is measured less well than it could be', () => {
    const spec = specWith('{wrk: {connections: 100, keep-alive: on}, warm-up: 2s}', 'database: {}\n');
    spec.gate.metrics = { 'cpu-per-request': spec.gate.metrics['cpu-per-request']! };
    expect(textOf(spec)).toEqual([
      '',
      'Comparing with a baseline, in a budget of 5 min',
      '',
      'go, about 10 instances of both sides, 28 s each with 3 duets per case; 9 in 10 changes of this size are then called:',
      '  cpu-per-request  2 cases of wrk  limit +3 %  called from +4.0 % on',
      '  cpu-per-request: measured under saturation, where a database batches unevenly: a case of k6 at a fixed rate would show smaller changes',
      '  cpu-per-request: as of endpoints that ask the database; others show smaller changes',
      '',
      FROM,
      '',
    ]);
  });

  it('is short where nothing is measured side by side', () => {
    expect(textOf(specWith('{wrk: on}', 'gate: {baseline: none}\n'))).toEqual(['']);
    expect(textOf(specWith('{wrk: on}', 'gate: {baseline: stored}\n'))).toEqual([
      '',
      'Comparing with stored numbers takes no time; what it can show depends on how past runs scattered.',
      '',
    ]);
  });
});
