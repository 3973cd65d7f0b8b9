/** The parts of a spec that say how hard it is asked, and for how long a comparison goes on. */
export interface LoadText {
  /** What stands under `load:`. */
  load: readonly string[];
  /** The first lines under `gate:`: a budget, and limits of what is measured under load. */
  gate: readonly string[];
  /** That a pull request waits with it, starts being as slow as they were seen to be; absent where nothing was measured. */
  waitSeconds?: number;
}

/** What every spec has that says nothing else, in percent. */
export const USUAL_PERCENTS = { cpuPerRequest: 3, throughput: 5, latencyP50: 5 };

/** Lines of `gate:`. A limit of latency holds for nothing without a fixed rate, and each run would say so. */
export function limitLines(percents: typeof USUAL_PERCENTS, hasFixedRate: boolean): string[] {
  return [
    `  cpu-per-request: {max-increase: ${percents.cpuPerRequest}%}`,
    `  throughput: {max-decrease: ${percents.throughput}%}`,
    ...(hasFixedRate ? [`  latency-p50: {max-increase: ${percents.latencyP50}%}`] : []),
  ];
}

/** Of a spec of whose endpoints nobody has measured what they answer. */
export const USUAL_LOAD: LoadText = {
  load: [
    '  preset: standard   # wrk: 4 threads, 100 and 1000 connections, keep-alive on and off, 10 s; `quick` for a first look',
    '  k6: {rate: 60%}    # latency at 60 % of what the service can do',
  ],
  gate: limitLines(USUAL_PERCENTS, true),
};
