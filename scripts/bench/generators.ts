import { createGeneratorRunner } from '../../src/adapters/generators/runner.ts';
import { type Case, casesOf } from '../../src/core/config/case.ts';
import { readSpec } from '../../src/core/config/read.ts';
import { median } from '../../src/core/statistics/quantile.ts';
import { startedNginx } from './nginx.ts';
import { atMost, type BenchResult, rounded } from './target.ts';

const CONNECTIONS = 50;
const SECONDS = 3;
const ROUNDS = 3;
const RATES = [1000, 5000, 10_000, 20_000, 40_000];
const PORT = 18_099;

const SPEC = `
name: generators
services: {nginx: {command: [nginx], port: ${PORT}}}
endpoints: {ping: /ping}
load:
  wrk: {threads: 1, connections: ${CONNECTIONS}, keep-alive: on}
  k6: {rate: vus, connections: ${CONNECTIONS}, keep-alive: on}
  h2load: {rate: max, connections: ${CONNECTIONS}}
`;

interface Run {
  sentPerSecond: number;
  cores: number;
  p50Ms: number;
  p99Ms: number;
}

/** What each generator can send from one core, and what its latencies are at a rate, all of one nginx on another core. */
export async function generatorsSideBySide(say: (line: string) => void): Promise<BenchResult> {
  const cases = casesOf(readSpec(SPEC, 'generators.yml'));
  const stop = await startedNginx(PORT, '0');
  try {
    const figures: Record<string, number> = {};
    const costs = new Map<string, number>();
    for (const each of cases) {
      await measure(`${each.generator}, as much as it can`, each, null);
      if (each.generator === 'wrk') continue;
      for (const rate of RATES) await measure(`${each.generator} at ${rate}/s`, each, rate);
    }
    async function measure(name: string, each: Case, rate: number | null): Promise<void> {
      const runs: Run[] = [];
      for (let round = 0; round < ROUNDS; round += 1) runs.push(await runOf(each, rate));
      const middle = (key: keyof Run) => median(runs.map((run) => run[key]));
      const costUs = (middle('cores') / middle('sentPerSecond')) * 1e6;
      say(
        `${name}: ${Math.round(middle('sentPerSecond'))}/s from ${middle('cores').toFixed(2)} of a core (${costUs.toFixed(1)} us each), p50 ${middle('p50Ms').toFixed(3)} ms, p99 ${middle('p99Ms').toFixed(3)} ms`,
      );
      figures[`${name}: sent per second`] = Math.round(middle('sentPerSecond'));
      figures[`${name}: us of CPU time per request`] = rounded(costUs);
      figures[`${name}: p50, ms`] = rounded(middle('p50Ms'));
      figures[`${name}: p99, ms`] = rounded(middle('p99Ms'));
      costs.set(name, costUs);
    }
    const ratio = rounded(costs.get('h2load at 5000/s')! / costs.get('k6 at 5000/s')!);
    return { figures, targets: [atMost('CPU time of a request at 5000/s, h2load / k6', ratio, 0.5)] };
  } finally {
    await stop();
  }
}

const runner = createGeneratorRunner({ specDirectory: '/' });

async function runOf(each: Case, rate: number | null): Promise<Run> {
  const run = await runner.run(
    { case: each, origin: `http://127.0.0.1:${PORT}`, durationSeconds: SECONDS, rate, cpus: '1' },
    new AbortController().signal,
  );
  if (run.outcome === null) throw new Error(run.failure ?? 'no outcome');
  const { requests = 0, leadInRequests = 0, durationSeconds = SECONDS, latencyMs = {} } = run.outcome;
  return {
    sentPerSecond: requests / durationSeconds,
    cores: (run.cpuNs / 1e9 / durationSeconds) * (requests / (requests + leadInRequests)),
    p50Ms: latencyMs.p50 ?? Number.NaN,
    p99Ms: latencyMs.p99 ?? Number.NaN,
  };
}
