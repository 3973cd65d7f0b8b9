import { median } from './quantile.ts';

/** With fewer values their own scatter is too uncertain to call one of them wild. */
const LEAST_VALUES = 7;
/** Deviations from the median; next to no value of a normal distribution lies beyond it. */
const FARTHEST = 4;
/** Median absolute deviation → standard deviation, of a normal distribution. */
const NORMAL = 1.4826;
/** More than every third are no exceptions: the values have two levels, and that is what is to be seen. */
const MOST_WILD = 1 / 3;

interface Winsorised {
  values: number[];
  /** How many were pulled in. */
  pulledIn: number;
}

/**
 * Wild values pulled in to four deviations from the median, the deviation being the median absolute one times 1.4826
 * (Hampel, Journal of the American Statistical Association 69, 1974), a bit more for few values. They stay as they are
 * where fewer than seven cannot tell a deviation, where most are equal (memory often is, to the page), and where more than
 * a third lie beyond it.
 */
export function winsorised(values: readonly number[]): Winsorised {
  const asTheyAre = { values: [...values], pulledIn: 0 };
  if (values.length < LEAST_VALUES) return asTheyAre;
  const centre = median(values);
  const usual = NORMAL * (1 + 1 / values.length) * median(values.map((value) => Math.abs(value - centre)));
  const [low, high] = [centre - FARTHEST * usual, centre + FARTHEST * usual];
  const pulledIn = values.filter((value) => value < low || value > high).length;
  if (usual === 0 || pulledIn > MOST_WILD * values.length) return asTheyAre;
  return { values: values.map((value) => Math.min(high, Math.max(low, value))), pulledIn };
}
