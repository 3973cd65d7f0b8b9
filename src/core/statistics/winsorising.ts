import { median } from './quantile.ts';

/** With fewer values their own scatter is too uncertain to call one of them wild. */
const LEAST_VALUES = 7;
/** Deviations from the median; next to no value of a normal distribution lies beyond it. */
const FARTHEST = 4;
/** Median absolute deviation → standard deviation, of a normal distribution. */
const NORMAL = 1.4826;

export interface Winsorised {
  values: number[];
  /** How many were pulled in. */
  pulledIn: number;
}

/**
 * Wild values pulled in to four deviations from the median, the deviation being the median absolute one times 1.4826
 * (Hampel, Journal of the American Statistical Association 69, 1974), a bit more for few values. Fewer than seven values
 * stay as they are.
 */
export function winsorised(values: readonly number[]): Winsorised {
  if (values.length < LEAST_VALUES) return { values: [...values], pulledIn: 0 };
  const centre = median(values);
  const usual = NORMAL * (1 + 1 / values.length) * median(values.map((value) => Math.abs(value - centre)));
  const [low, high] = [centre - FARTHEST * usual, centre + FARTHEST * usual];
  return {
    values: values.map((value) => Math.min(high, Math.max(low, value))),
    pulledIn: values.filter((value) => value < low || value > high).length,
  };
}
