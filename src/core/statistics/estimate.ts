/** What is known of one quantity: enough for an interval at any level by Student's t. */
export interface Estimate {
  mean: number;
  /** Of the mean. 0 where it is exact; NaN where it is unknown (a single repetition). */
  standardError: number;
  /** Need not be whole; Infinity for a normal distribution. */
  degreesOfFreedom: number;
}
