/** Of the machine's memory, for a service whose spec says nothing: two of them leave room for a generator. */
export const DEFAULT_MEMORY_SHARE = 0.4;
/** Docker starts no container with less. */
export const LEAST_MEMORY_BYTES = 6 * 1024 ** 2;
/** Of one service. More take longer to build than they tell. */
export const MOST_BUILDS = 20;
/** No single wait or trial is longer. */
export const LONGEST_SECONDS = 24 * 3600;
/** A plan of more cases than this is a slip: at 10 s each it would take more than a day. */
export const MOST_CASES = 10_000;
