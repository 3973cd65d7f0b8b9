import { describe, expect, it } from 'vitest';
import { serviceErrorRate } from '../../../src/core/comparison/error-rates.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { budgetSecondsOf, neededBudget } from '../../../src/core/plan/budget.ts';
import { detectabilityOf, roundsNeeded } from '../../../src/core/plan/detectability.ts';
import { AUTO_BUDGET_SECONDS } from '../../../src/core/plan/duets.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { pullRequestSeconds } from '../../../src/core/plan/pull-request-time.ts';
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
    expect(neededOf(spec)).toEqual({ seconds: 360, isEnough: true });
    expect(budgetOf(spec)).toBe(360);
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
    expect(neededOf(spec)).toEqual({ seconds: 10 * Math.ceil((60 * round.seconds) / 10), isEnough: false });
  });

  it('goes by the default limit where the written one is 0, or a quantity of which nobody knows the share', () => {
    const usual = neededOf(specWith('{preset: standard}'));
    for (const limit of ['throughput: {max-decrease: 0%}', 'memory-peak: {max-increase: 64MiB}']) {
      expect(neededOf(specWith('{preset: standard}', `gate: {${limit}}\n`))).toEqual(usual);
    }
  });

  it('takes no account of a tail that no number of rounds shows', () => {
    const withTail = (rate: string, limit: string) =>
      specWith(
        `{wrk: {connections: 100}, k6: {rate: ${rate}, keep-alive: on}}`,
        `gate: {latency-p99: {max-increase: ${limit}}}\n`,
      );
    const spec = withTail('100/s', '20%');
    const [found] = detectabilityOf(spec, planned(spec), 720);
    // It has a share of the error rate, and so the others have less: that is all.
    const others = { ...found!, units: found!.units.filter(({ metric }) => metric.name !== 'latency-p99') };
    expect(others.units.length).toBeLessThan(found!.units.length);
    const seconds = roundsNeeded(others, serviceErrorRate({ spec }))! * found!.round.seconds;
    expect(neededOf(spec)).toEqual({ seconds: 10 * Math.ceil(seconds / 10), isEnough: true });
    // Not even where no number of rounds would show so little of it, as at a rate that may be enough.
    expect(neededOf(withTail('100/s', '0.1%'))).toEqual(neededOf(spec));
    expect(neededOf(withTail('60%', '0.1%')).isEnough).toBe(false);
  });

  it('is nothing where nothing is compared, and one round where all is counted', () => {
    const spec = specWith('{wrk: {connections: 100, keep-alive: on}}', 'database: {}\n');
    spec.gate.metrics = { 'queries-per-request': spec.gate.metrics['queries-per-request']! };
    // That round has two trials of both endpoints, and takes 9.1 s.
    expect(neededOf(spec)).toEqual({ seconds: 10, isEnough: true });
    spec.services[0]!.role = 'reference';
    expect(neededOf(spec)).toEqual({ seconds: 0, isEnough: true });
  });
});

describe('how long a pull request waits', () => {
  it('is the job, short trials of each side, what the first round learns, and the budget', () => {
    const spec = specWith('{wrk: {connections: 100, keep-alive: on}, warm-up: 2s}');
    const setUp = 1.2 + 2 * (0.04 + 2);
    expect(pullRequestSeconds(spec, planned(spec), 120)).toBeCloseTo(30 + 2 * 2 * 0.85 + 2 * 7 + setUp + 120);
  });
});
