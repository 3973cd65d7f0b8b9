import { percentileKey } from '../figures.ts';
import type { LatencyMs } from '../outcome.ts';

const PERCENTILES = [50, 75, 90, 95, 99, 99.9];

/**
 * Latencies of a log of `done` requests, each a line of microseconds since 1970, status and microseconds taken, with tabs
 * between them; where the answer broke off, the status is -1. Undefined where the log is not all of them: the rest would say
 * nothing of those that are missing.
 */
export function latenciesOfLog(log: string, done: number): LatencyMs | undefined {
  // Room is made for no more requests than there can be lines.
  if (done > log.length) return undefined;
  const microseconds = new Float64Array(done);
  let answered = 0;
  let lines = 0;
  for (let start = 0, end = log.indexOf('\n'); end !== -1; start = end + 1, end = log.indexOf('\n', start)) {
    const [time, status, taken, ...more] = log.slice(start, end).split('\t').map(Number);
    const isLine = time! > 0 && Number.isInteger(status) && taken! >= 0 && Number.isFinite(taken) && more.length === 0;
    if (!isLine || lines === done) return undefined;
    lines += 1;
    if (status === -1) continue;
    microseconds[answered] = taken!;
    answered += 1;
  }
  return lines === done && answered > 0 ? summary(microseconds.subarray(0, answered).sort()) : undefined;
}

function summary(ascending: Float64Array): LatencyMs {
  const count = ascending.length;
  const mean = ascending.reduce((sum, each) => sum + each, 0) / count;
  const variance = ascending.reduce((sum, each) => sum + (each - mean) ** 2, 0) / count;
  // Nearest rank: the smallest that as many are not above.
  const percentiles = PERCENTILES.map((p) => [percentileKey(p), ascending[Math.ceil((count * p) / 100) - 1]! / 1000]);
  return {
    min: ascending[0]! / 1000,
    mean: mean / 1000,
    stdev: Math.sqrt(variance) / 1000,
    max: ascending[count - 1]! / 1000,
    ...Object.fromEntries(percentiles),
  };
}
