import { UnreadableOutput } from '../definition.ts';
import { anyPresent, figure, percentileKey, positive, present } from '../figures.ts';
import type { GeneratorOutcome, LatencyMs } from '../outcome.ts';

/** No run lasts 30 years: a clock that was set back makes microseconds wrap around. */
const LONGEST_US = 1e15;

/**
 * Reads what the script of `script.ts` leaves behind: the figures that wrk's text rounds, in full.
 * Throws `UnreadableOutput`, and nothing else.
 */
export function parseWrkResult(json: string): GeneratorOutcome<'wrk'> {
  const result = objectOf(json);
  const requests = figure(result.requests);
  const durationUs = positive(result.duration_us);
  const seconds = durationUs === undefined || durationUs > LONGEST_US ? undefined : durationUs / 1e6;
  const errors = record(result.errors);
  const bytes = figure(result.bytes);
  return {
    tool: 'wrk',
    ...present({
      requests,
      sentRequests: figure(result.sent),
      durationSeconds: seconds,
      throughput: requests === undefined || seconds === undefined ? undefined : requests / seconds,
      bytes,
      bytesPerSecond: bytes === undefined || seconds === undefined ? undefined : bytes / seconds,
      latencyMs: latencies(record(result.latency_us)),
      errors: anyPresent({
        connect: figure(errors.connect),
        read: figure(errors.read),
        write: figure(errors.write),
        timeout: figure(errors.timeout),
        status: figure(errors.status),
      }),
    }),
  };
}

/** Empty statistics have a `max` of 0, and then a `min` of 2^64 - 1. */
function latencies(us: Record<string, unknown>): LatencyMs | undefined {
  if (positive(us.max) === undefined) return undefined;
  const percentiles = Object.entries(record(us.percentiles)).map(([percentile, value]) => [
    percentileKey(percentile),
    ms(value),
  ]);
  return anyPresent({
    mean: ms(us.mean),
    // One request alone has none; all alike have 0, and it is true.
    stdev: scaledMs(figure(us.stdev)),
    min: scaledMs(figure(us.min)),
    max: ms(us.max),
    ...(Object.fromEntries(percentiles) as LatencyMs),
  });
}

const ms = (value: unknown) => scaledMs(positive(value));
const scaledMs = (us: number | undefined) => (us === undefined ? undefined : us / 1000);

function objectOf(json: string): Record<string, unknown> {
  try {
    return record(JSON.parse(json));
  } catch {
    throw new UnreadableOutput(
      `What wrk's script left is not JSON (“${json.slice(0, 60)}”): wrk was stopped while it wrote, or the disk is full.`,
    );
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
