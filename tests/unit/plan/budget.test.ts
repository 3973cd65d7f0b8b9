import { describe, expect, it } from 'vitest';
import { AUTO_BUDGET_SECONDS, budgetSecondsOf, neededBudget } from '../../../src/core/plan/budget.ts';
import { detectabilityOf } from '../../../src/core/plan/detectability.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { pullRequestSeconds } from '../../../src/core/plan/pull-request-time.ts';
import type { ResolvedSpec } from '../../../src/core/spec/resolved.ts';
import { specOfServices, specWith } from './fixtures.ts';

const planned = (spec: ResolvedSpec) => planOf(spec, { seed: 1 });
const budgetOf = (spec: ResolvedSpec) => budgetSecondsOf(spec, planned(spec));
const neededOf = (spec: ResolvedSpec) => neededBudget(spec, planned(spec));
const MANY = '{connections: [10, 20, 50, 100, 200, 500, 1000]}';

describe('the budget of a comparison', () => {
  it('is the one that is written', () => {
    expect(budgetOf(specWith('{preset: standard}', 'gate: {budget: 45s}\n'))).toBe(45);
    expect(budgetOf(specWith('{preset: standard}', 'gate: {budget: 1h}\n'))).toBe(3600);
  });

  it('is what twice each limit takes to be seen where it is `auto`, as it is by default', () => {
    const spec = specWith('{preset: standard}', 'database: {}\n');
    expect(specWith('{preset: standard}', 'gate: {budget: auto}\n').gate.budgetSeconds).toBeNull();
    expect(neededOf(spec)).toEqual({ seconds: 280, isEnough: true });
    expect(budgetOf(spec)).toBe(280);
  });

  it('is never less than two minutes, nor more than twelve', () => {
    expect(AUTO_BUDGET_SECONDS).toEqual({ least: 120, most: 720 });
    const wide = 'gate: {throughput: {max-decrease: 20%}, cpu-per-request: {max-increase: 20%}, memory-peak: off}\n';
    const small = specWith('{wrk: {connections: 100, keep-alive: on}}', wide);
    expect(neededOf(small).seconds).toBeLessThan(120);
    expect(budgetOf(small)).toBe(120);
    const large = specWith(`{wrk: ${MANY}, k6: ${MANY}}`);
    expect(neededOf(large).seconds).toBeGreaterThan(720);
    expect(budgetOf(large)).toBe(720);
  });

  it('shows twice each limit of the service and its endpoints, in the plan of that budget', () => {
    const spec = specWith('{preset: standard}');
    const [found] = detectabilityOf(spec, planned(spec), budgetOf(spec));
    const held = found!.units.filter(({ level }) => level !== 'case');
    for (const { beyond, threshold } of held) expect(beyond).toBeLessThanOrEqual(threshold!);
    const [less] = detectabilityOf(spec, planned(spec), budgetOf(spec) - found!.round.seconds - 10);
    expect(less!.units.some(({ level, beyond, threshold }) => level !== 'case' && beyond! > threshold!)).toBe(true);
  });

  it('is as much for each service as the one takes that needs most, since it is divided evenly', () => {
    // At the least: the error rate is divided as well.
    const one = neededOf(specOfServices(1)).seconds;
    expect(neededOf(specOfServices(3)).seconds).toBeGreaterThan(3 * (one - 10));
    const spec = specOfServices(2);
    // What memory takes decides of both; in `a` alone it may grow by half.
    spec.gate.cases = { a: { 'memory-peak': { maxIncrease: { kind: 'ratio', value: 0.5 } } } };
    expect(neededOf(spec)).toEqual(neededOf(specOfServices(2)));
  });

  it('is that of the most rounds where none is enough', () => {
    const spec = specWith('{wrk: {connections: 100}}', 'gate: {throughput: {max-decrease: 0.1%}}\n');
    const [{ round } = { round: { seconds: 0 } }] = detectabilityOf(spec, planned(spec), 720);
    expect(neededOf(spec)).toEqual({ seconds: 10 * Math.ceil((40 * round.seconds) / 10), isEnough: false });
  });

  it('goes by the default limit where the written one is 0, or a quantity of which nobody knows the share', () => {
    const usual = neededOf(specWith('{preset: standard}'));
    for (const limit of ['throughput: {max-decrease: 0%}', 'memory-peak: {max-increase: 64MiB}']) {
      expect(neededOf(specWith('{preset: standard}', `gate: {${limit}}\n`))).toEqual(usual);
    }
  });

  it('takes no account of a tail that no number of rounds shows', () => {
    const gate = 'gate: {latency-p99: {max-increase: 20%}}\n';
    const load = '{wrk: {connections: 100}, k6: {rate: 100/s, keep-alive: on}}';
    expect(neededOf(specWith(load, gate))).toEqual(neededOf(specWith(load)));
  });

  it('is nothing where nothing is compared, and one round where all is counted', () => {
    const spec = specWith('{wrk: {connections: 100, keep-alive: on}}', 'database: {}\n');
    spec.gate.metrics = { 'queries-per-request': spec.gate.metrics['queries-per-request']! };
    // That round has three trials of both endpoints, and takes 10.6 s.
    expect(neededOf(spec)).toEqual({ seconds: 20, isEnough: true });
    spec.services[0]!.role = 'reference';
    expect(neededOf(spec)).toEqual({ seconds: 0, isEnough: true });
  });
});

describe('how long a pull request waits', () => {
  it('is the job, short trials of each side, what the first round learns, and the budget', () => {
    const spec = specWith('{wrk: {connections: 100, keep-alive: on}, warm-up: 2s}');
    const setUp = 1.2 + 2 * (0.04 + 2);
    expect(pullRequestSeconds(spec, planned(spec), 120)).toBeCloseTo(30 + 2 * 2 * 1.25 + 2 * 7 + setUp + 120);
  });
});
