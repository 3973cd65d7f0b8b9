import { describe, expect, it } from 'vitest';
import type { GeneratorOutcome } from '../../../src/core/generators/outcome.ts';
import type { GeneratorName } from '../../../src/core/generators/registry.ts';
import type { TrialMeasurement, UnloadedPass } from '../../../src/core/measurement/measurement.ts';
import { metrics, tellTheSame } from '../../../src/core/metrics/registry.ts';
import { healthyPass, healthyTrial } from '../support/trials.ts';

function all(trial: TrialMeasurement, pass: UnloadedPass): Record<string, number | null> {
  return Object.fromEntries(
    metrics.map((metric) => [metric.name, metric.ofTrial?.(trial) ?? metric.ofPass?.(pass) ?? null]),
  );
}

describe('the metrics of a trial', () => {
  it('are those of the contract, in the order of the reports', () => {
    expect(all(healthyTrial(), healthyPass({ syscalls: 808 }))).toEqual({
      throughput: 5000,
      'throughput-solo': null,
      'latency-mean': 20,
      'latency-p50': 19,
      'latency-p75': 22,
      'latency-p90': 30,
      'latency-p95': 41,
      'latency-p99': 60,
      'latency-p99.9': 74,
      'latency-max': 80,
      errors: 0,
      'cpu-per-request': 198,
      'database-cpu-per-request': 58,
      'dependencies-cpu-per-request': null,
      'memory-idle': 10_000_000,
      'memory-peak': 30_000_000,
      'memory-settled': 20_000_000,
      'memory-growth': null,
      'start-up': null,
      'queries-per-request': 2,
      'rows-per-request': 21,
      'syscalls-per-request': 4.04,
      'bytes-per-response': 150,
    });
  });

  it('hold what a side answered by itself on all of its CPUs, and how long it took to start, where the trial tells', () => {
    const own = { ofAllCpus: true, startUpNs: 812_000_000 } as const;
    expect(all(healthyTrial(own), healthyPass())).toMatchObject({
      ...{ throughput: 5000, 'throughput-solo': 5000, 'start-up': 812 },
    });
  });

  it('count as throughput only what was answered as expected', () => {
    const trial = healthyTrial();
    const outcome = { ...trial.outcome!, errors: { status: 10_000, timeout: 5 } };
    const figures = all({ ...trial, outcome }, healthyPass());
    expect(figures.throughput).toBe(4000);
    expect(figures.errors).toBe(10_005 / 50_000);
  });

  it('take off a duet what the longer side gained when it had the CPU to itself', () => {
    // 2 s together with half of the CPU, then 0.1 s alone with all of it: a tenth of 22,000 requests.
    const duet = {
      overlapNs: 2_000_000_000,
      ownNs: 1_000_000_000,
      partnerNs: 1_000_000_000,
      idleNs: 0,
      partnerWindowNs: 1_000_000_000,
      partnerGeneratorNs: 0,
    };
    const cpu = { ...healthyTrial().cpu, serviceNs: 1_100_000_000, databaseNs: 0 };
    const outcome = { ...healthyTrial().outcome!, requests: 22_000, durationSeconds: 2.1 };
    expect(all(healthyTrial({ mode: 'duet', duet, cpu, outcome }), healthyPass()).throughput).toBeCloseTo(10_000, 6);
  });

  it('divide what the service did for all that was sent by that, where it is known', () => {
    // 600 answered in 0.5 s of CPU time, 400 more in 0.3 s after the load: 800 us each.
    const cpu = { ...healthyTrial().cpu, serviceNs: 400e6, databaseNs: 100e6, gatewayNs: 0 };
    const afterLoad = { serviceNs: 240e6, databaseNs: 60e6, gatewayNs: 0 };
    const outcome = { ...healthyTrial().outcome!, requests: 600, sentRequests: 1000 };
    expect(all(healthyTrial({ cpu, outcome, afterLoad }), healthyPass())).toMatchObject({
      'cpu-per-request': 800,
      'database-cpu-per-request': 160,
    });
    // Of 0.5 s in which it had the CPU for 0.4 s: 500 requests.
    const overlap = { overlapNs: 500e6, ownNs: 400e6, partnerNs: 100e6, idleNs: 0 };
    const duet = { ...overlap, partnerWindowNs: 100e6, partnerGeneratorNs: 0 };
    const throughput = (changes: Partial<TrialMeasurement>) =>
      all(healthyTrial({ mode: 'duet', duet, cpu, outcome, afterLoad, ...changes }), healthyPass()).throughput;
    expect(throughput({})).toBeCloseTo(1000, 6);
    expect(throughput({ outcome: { ...outcome, errors: { status: 300 } } })).toBeCloseTo(500, 6);
    expect(throughput({ outcome: { ...outcome, requests: 0 } })).toBe(0);
  });

  it('tell what is left of CPU per request without background threads, where the main threads do most of the work', () => {
    const { withoutBackground } = metrics.find(({ name }) => name === 'cpu-per-request')!;
    const used = { ...healthyTrial().cpu, serviceNs: 400e6, databaseNs: 100e6, gatewayNs: 0 };
    const trial = (mainThreadsNs: number | null, afterLoadNs = 0) =>
      healthyTrial({
        cpu: mainThreadsNs === null ? used : { ...used, mainThreadsNs },
        afterLoad: { serviceNs: 0, databaseNs: 0, gatewayNs: 0, mainThreadsNs: afterLoadNs },
        outcome: { ...healthyTrial().outcome!, requests: 600, sentRequests: 1000 },
      });
    expect(withoutBackground!(trial(300e6))).toBe(400);
    expect(withoutBackground!(trial(300e6, 50e6))).toBe(450);
    // Both are read one after the other, and a thread may be ahead by microseconds.
    expect(withoutBackground!(trial(401e6))).toBe(500);
    expect([200e6, 0, null].map((main) => withoutBackground!(trial(main)))).toEqual([null, null, null]);
  });

  it('tell what throughput of a duet would be without them, and of a trial alone nothing', () => {
    const { withoutBackground, ofTrial } = metrics.find(({ name }) => name === 'throughput')!;
    const overlap = { overlapNs: 500e6, ownNs: 400e6, partnerNs: 100e6, idleNs: 0 };
    const trial = healthyTrial({
      mode: 'duet',
      duet: { ...overlap, partnerWindowNs: 100e6, partnerGeneratorNs: 0 },
      cpu: { ...healthyTrial().cpu, serviceNs: 300e6, databaseNs: 90e6, gatewayNs: 10e6, mainThreadsNs: 220e6 },
      outcome: { ...healthyTrial().outcome!, requests: 1000, durationSeconds: 0.5 },
    });
    // A fifth of the CPU time was theirs.
    expect(ofTrial!(trial)).toBeCloseTo(2000, 6);
    expect(withoutBackground!(trial)).toBeCloseTo(2500, 6);
    const { duet: _, ...alone } = trial;
    expect(withoutBackground!({ ...alone, mode: 'solo' })).toBeNull();
    expect(withoutBackground!({ ...trial, cpu: { ...trial.cpu, mainThreadsNs: 150e6 } })).toBeNull();
  });

  it('divide what was used in the load by what was answered in it, where what was sent is not known', () => {
    const cpu = { ...healthyTrial().cpu, serviceNs: 400e6, databaseNs: 100e6 };
    const afterLoad = { serviceNs: 240e6, databaseNs: 60e6, gatewayNs: 0 };
    const outcome = { ...healthyTrial().outcome!, requests: 500 };
    expect(all(healthyTrial({ cpu, outcome, afterLoad }), healthyPass())['cpu-per-request']).toBe(1000);
    const sent = { ...outcome, sentRequests: 900 };
    expect(all(healthyTrial({ cpu, outcome: sent }), healthyPass())['cpu-per-request']).toBe(1000);
  });

  it('count failures as each generator tells them', () => {
    const answered = (outcome: GeneratorOutcome<GeneratorName>) =>
      all(healthyTrial({ outcome }), healthyPass()).throughput;
    const told = { requests: 1000, durationSeconds: 1, failedRequests: 100, errors: { status: 60 } };
    expect(answered({ ...told, tool: 'k6' })).toBe(900);
    expect(answered({ ...told, tool: 'ab' })).toBe(840);
    // ab can report more failures than requests: one for each way in which a request failed.
    expect(answered({ tool: 'ab', requests: 10, durationSeconds: 1, failedRequests: 15 })).toBe(0);
  });

  it('are taken by the clock of the machine where the generator tells no duration', () => {
    const { durationSeconds: _, ...outcome } = healthyTrial().outcome!;
    expect(all(healthyTrial({ outcome }), healthyPass()).throughput).toBeCloseTo(50_000 / 10.02, 9);
  });

  it('are absent, and never 0, where nothing was measured', () => {
    const nothing = healthyTrial({ outcome: null, memory: { idleBytes: 0, peakBytes: 0, settledBytes: 0 } });
    const figures = all(nothing, healthyPass({ requests: 0, statements: [] }));
    expect(Object.values(figures).every((value) => value === null)).toBe(true);
  });

  it('do not divide by no requests', () => {
    const none = (errors: Record<string, number>) => healthyTrial({ outcome: { tool: 'wrk', requests: 0, errors } });
    expect(all(none({ read: 0 }), healthyPass())).toMatchObject({
      errors: null,
      'cpu-per-request': null,
      throughput: 0,
    });
    expect(all(none({ connect: 7 }), healthyPass())).toMatchObject({ errors: 1 });
  });

  it('have no exact counts where requests of the pass failed', () => {
    expect(all(healthyTrial(), healthyPass({ failures: 1, syscalls: 808 }))).toMatchObject({
      'syscalls-per-request': null,
      'queries-per-request': null,
      'rows-per-request': null,
      'bytes-per-response': 150,
    });
  });

  it('count the CPU of dependencies with that of the service, and by itself', () => {
    const { cpu, outcome } = healthyTrial();
    const requests = outcome!.requests!;
    const beside = { redis: requests * 20_000, search: requests * 5000 };
    const plain = all(healthyTrial(), healthyPass());
    const figures = all(healthyTrial({ cpu: { ...cpu, dependenciesNs: beside } }), healthyPass());
    expect(figures['dependencies-cpu-per-request']).toBeCloseTo(25, 9);
    expect(figures['cpu-per-request']! - plain['cpu-per-request']!).toBeCloseTo(25, 9);
    expect(figures['database-cpu-per-request']).toBe(plain['database-cpu-per-request']);
  });

  it('have no database part where there is no database', () => {
    const figures = all(healthyTrial({ statements: null }), healthyPass({ statements: null }));
    expect(figures).toMatchObject({
      'database-cpu-per-request': null,
      'queries-per-request': null,
      'rows-per-request': null,
    });
  });

  it('each have a title, a unit, a direction, and a name of their own', () => {
    expect(new Set(metrics.map(({ name }) => name)).size).toBe(metrics.length);
    for (const metric of metrics) {
      expect(metric.title).toMatch(/^[A-Z]/);
      expect(metric.better).toBe(metric.name.startsWith('throughput') ? 'higher' : 'lower');
    }
  });

  it('tell the same where they are one, or of the same CPU time of duets', () => {
    expect(tellTheSame('latency-p50', 'latency-p50')).toBe(true);
    expect(tellTheSame('throughput', 'cpu-per-request')).toBe(true);
    expect(tellTheSame('throughput', 'latency-p50')).toBe(false);
    expect(tellTheSame('latency-p50', 'memory-peak')).toBe(false);
    expect(tellTheSame('throughput', 'of-a-later-wrkbench')).toBe(false);
  });
});
