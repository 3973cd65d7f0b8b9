import { describe, expect, it } from 'vitest';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { budgetSecondsOf } from '../../../src/core/plan/budget.ts';
import { detectabilityOf } from '../../../src/core/plan/detectability.ts';
import { detectabilityText } from '../../../src/core/plan/detectability-text.ts';
import { NOISE_PROFILE_SOURCE, type NoiseProfileRow } from '../../../src/core/plan/noise-profile.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { specOfServices, specWith } from './fixtures.ts';

const noiseProfile: NoiseProfileRow[] = [
  ['throughput', 'wrk', 'duet', 'database', 'any', 'any', 0, 0.01],
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'keep-alive', 'any', 0, 0.01],
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'keep-alive-off', 'any', 0, 0.02],
  ['cpu-per-request', 'k6', 'duet', 'database', 'any', 'any', 0, 0.02],
  ['latency-p50', 'k6', 'duet', 'database', 'any', 'any', 0, 0.006],
  ['memory-peak', 'wrk', 'duet', 'no database', 'any', 'any', 0.03, 0],
];
const textOf = (spec: ResolvedSpec, own: readonly NoiseProfileRow[] = noiseProfile) => {
  const plan = planOf(spec, { seed: 1 });
  const found = detectabilityOf(spec, plan, budgetSecondsOf(spec, plan), { noiseProfile: own });
  return detectabilityText(spec, plan, found).split('\n');
};
const FROM = `Expected from ${NOISE_PROFILE_SOURCE}. Noisier machines and services detect less.`;

describe('plan, on comparing', () => {
  it('says for each metric and level from where on a change is detected', () => {
    const spec = specWith('{wrk: {connections: 100}, k6: {keep-alive: on}, warm-up: 2s}', 'database: {}\n');
    expect(textOf(spec)).toEqual([
      '',
      'Comparing with a baseline takes up to 8 min 10 s (`gate.budget: auto`; up to 12 min where its rounds take longer or are noisier). A pull request waits about 9 min 20 s in all, without building images.',
      '',
      'go, about 32 rounds of 16 s, 1 trial of both sides per case in each; it detects 9 in 10 changes:',
      '  throughput           2 endpoints together  limit -5 %   from -5.7 %',
      '  throughput           each endpoint         limit -5 %   from -5.8 %',
      '  throughput           each case             limit -5 %   from -6.3 %',
      '  latency-p50          2 endpoints together  limit +5 %   from +5.6 %',
      '  latency-p50          each endpoint         limit +5 %   from +5.8 %',
      '  cpu-per-request      2 endpoints together  limit +3 %   from +3.8 %',
      '  cpu-per-request      each endpoint         limit +3 %   from +4.0 %',
      '  cpu-per-request      each case             limit +3 %   from +4.4 % to +5.8 %',
      '  memory-peak          the service           limit +10 %  from +12.5 %',
      '  memory-peak          each case             limit +10 %  from +14.6 %',
      '  queries-per-request  without load          limit 0      exactly',
      '  throughput: where both sides fill the CPU; elsewhere from trials in turn, which detect only far larger changes',
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
      'Comparing with a baseline takes up to 6 min 20 s, 3 min 10 s for each service (`gate.budget: auto`; up to 12 min where its rounds take longer or are noisier). A pull request waits about 7 min 20 s in all, without building images.',
      '',
      'b, a, about 30 rounds of 7 s, 2 trials of both sides per case in each; it detects 9 in 10 changes:',
      '  throughput       the endpoint  limit -5 %       from -5.6 %',
      '  throughput       each case     limit -5 %       from -5.9 %',
      '  cpu-per-request  the endpoint  limit +3 %       from +3.8 %',
      '  cpu-per-request  each case     limit +3 %       from +4.0 % to +5.0 %',
      '  memory-peak      the service   limit +64.0 MiB  from 2.8 % beyond it',
      '  memory-peak      each case     limit +64.0 MiB  from 4.2 % beyond it',
      '  throughput: where both sides fill the CPU; elsewhere from trials in turn, which detect only far larger changes',
      '',
      FROM,
      '',
    ]);
  });

  it('says which budget is enough where it is short, and nothing of changes with fewer than eight rounds', () => {
    const spec = specWith('{wrk: {connections: 100}, warm-up: 2s}', 'gate: {budget: 60s}\ndatabase: {}\n');
    expect(textOf(spec)).toEqual([
      '',
      'Comparing with a baseline takes up to 60 s. A pull request waits about 2 min in all, without building images. To see twice each limit takes 4 min 50 s: set `gate.budget: 5m`.',
      '',
      'go, about 5 rounds of 12 s, 2 trials of both sides per case in each; fewer than 8 rounds detect nothing but exact differences, and the gate does not pass',
      '  queries-per-request  without load  limit 0  exactly',
      '',
      FROM,
      '',
    ]);
  });

  it('tells of no change that is more than tenfold', () => {
    const gate = 'gate: {budget: 50s, memory-peak: {max-increase: 15%}}\n';
    const spec = specWith('{ab: {keep-alive: on}, warm-up: 2s}', gate);
    spec.endpoints = spec.endpoints.slice(0, 1);
    expect(textOf(spec, [['memory-peak', 'wrk', 'duet', 'no database', 'any', 'any', 2, 0]])).toEqual([
      '',
      'Comparing with a baseline takes up to 50 s. A pull request waits about 95 s in all, without building images. To see twice each limit takes 3 min 20 s: set `gate.budget: 4m`.',
      '',
      'go, about 9 rounds of 6 s, 1 trial of both sides per case in each; it detects 9 in 10 changes:',
      '  memory-peak  the endpoint  limit +15 %  from more than +1,000 %',
      '',
      'Warning: no case is judged by throughput or CPU per request, so a candidate that needs twice the CPU for each request would pass. Use `load: {preset: standard}`, or add cases of wrk (load.wrk).',
      '',
      FROM,
      '',
    ]);
  });

  it('says where no budget is enough', () => {
    const spec = specWith('{wrk: {connections: 100}, warm-up: 2s}', 'gate: {cpu-per-request: {max-increase: 0.1%}}\n');
    expect(textOf(spec)[1]).toBe(
      'Comparing with a baseline takes up to 12 min (`gate.budget: auto`). A pull request waits about 13 min in all, without building images. No budget is enough to see twice each limit: raise the limits that take more.',
    );
  });

  it('says where more than twelve minutes are needed, and that rounds enough for a verdict may take longer', () => {
    const connections = '{connections: [10, 20, 50, 100, 200, 500, 1000]}';
    const spec = specWith(`{wrk: ${connections}, k6: ${connections}, warm-up: 2s}`);
    expect(textOf(spec)[1]).toBe(
      'Comparing with a baseline takes up to 12 min (`gate.budget: auto`; up to 15 min where 8 rounds take longer). A pull request waits about 16 min in all, without building images. To see twice each limit takes 27 min: compare fewer endpoints, or raise the limits that it cannot see.',
    );
  });

  it('says what is not known, and how trials in turn are taken', () => {
    const gate = 'gate: {pairing: interleaved, throughput: off, memory-peak: off, cpu-per-request: off}\n';
    expect(textOf(specWith('{k6: {keep-alive: on}, warm-up: 2s}', gate))).toEqual([
      '',
      'Comparing with a baseline takes up to 12 min (`gate.budget: auto`). A pull request waits about 13 min in all, without building images. To see twice each limit takes 17 min: compare fewer endpoints, or raise the limits that it cannot see.',
      '',
      'go, about 39 rounds of 19 s, one trial of each side in turn per case in each; it detects 9 in 10 changes:',
      '  latency-p50  2 endpoints together  limit +5 %  not known',
      '  latency-p50  each endpoint         limit +5 %  not known',
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
      'Comparing with a baseline takes up to 4 min (`gate.budget: auto`; up to 12 min where its rounds take longer or are noisier). A pull request waits about 5 min in all, without building images.',
      '',
      'go, about 20 rounds of 12 s, 4 trials of both sides per case in each; it detects 9 in 10 changes:',
      '  cpu-per-request  2 endpoints together  limit +3 %  from +3.6 %',
      '  cpu-per-request  each endpoint         limit +3 %  from +3.7 %',
      '  cpu-per-request: measured under saturation, where a database batches unevenly: a case of k6 at a fixed rate would show smaller changes',
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
