/** The parts of a spec that say how hard it is asked, and for how long a comparison goes on. */
export interface LoadText {
  /** What stands under `load:`. */
  load: readonly string[];
  /** The first lines under `gate:`. */
  gate: readonly string[];
  /** That a pull request waits with it, starts being as slow as they were seen to be; absent where nothing was measured. */
  waitSeconds?: number;
}

/** Of a spec of whose endpoints nobody has measured what they answer. */
export const USUAL_LOAD: LoadText = {
  load: [
    '  preset: standard   # wrk: 4 threads, 100 and 1000 connections, keep-alive on and off, 10 s; `quick` for a first look',
    '  k6: {rate: 60%}    # latency at 60 % of what the service can do',
  ],
  gate: [],
};
