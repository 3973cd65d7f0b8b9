/**
 * What it means for a mean of n values that each hangs together with the one before it, as in a first-order
 * autoregression: corr(x_i, x_j) = rho^|i-j|.
 */
export interface SerialCorrelation {
  rho: number;
  /** By how much the standard error of a mean is greater than s / sqrt(n), the bias of s included. */
  inflation: number;
  degreesOfFreedom: number;
}

/** At most: beyond it a mean of few values tells next to nothing anyway. */
const MOST_RHO = 0.95;
const STEPS = 95;

interface Row extends SerialCorrelation {
  /** E(sum e_i e_i+1) / E(sum e_i^2) of residuals about the mean. */
  expectedRatio: number;
}

const tables = new Map<number, Row[]>();

/**
 * Lag-1 autocorrelation that several series of residuals about their own means point to together, 0 or more. The plain ratio
 * is biased downwards by (1 + 3 rho) / n and more, for n = 10 from 0.6 to 0.26 (Marriott and Pope, Biometrika 41, 1954); here the
 * rho is taken whose expected sums have the ratio observed. That is less than the whole of it: 0.6 is found as 0.48 in series of 10
 * and as 0.57 in series of 40. `count` is the usual length of the series.
 */
export function serialCorrelationOf(series: readonly (readonly number[])[], count: number): number {
  let products = 0;
  let squares = 0;
  for (const residuals of series) {
    const own = residuals.reduce((sum, each) => sum + each ** 2, 0);
    if (own === 0) continue;
    // Each series has the same say, however much it scatters.
    products += residuals.slice(1).reduce((sum, each, index) => sum + each * residuals[index]!, 0) / own;
    squares += 1;
  }
  if (squares === 0 || count < 3) return 0;
  const ratio = products / squares;
  const rows = tableOf(Math.round(count));
  const above = rows.findIndex(({ expectedRatio }) => expectedRatio >= ratio);
  if (above === 0) return 0;
  if (above < 0) return MOST_RHO;
  const [low, high] = [rows[above - 1]!, rows[above]!];
  const part = (ratio - low.expectedRatio) / (high.expectedRatio - low.expectedRatio);
  return low.rho + part * (high.rho - low.rho);
}

/** Of a mean of `count` values with this autocorrelation; 0 is independence. */
export function withSerialCorrelation(count: number, rho: number): SerialCorrelation {
  const rows = tableOf(count);
  const place = (Math.min(Math.max(rho, 0), MOST_RHO) / MOST_RHO) * STEPS;
  const [low, high] = [rows[Math.floor(place)]!, rows[Math.min(STEPS, Math.floor(place) + 1)]!];
  const part = place - Math.floor(place);
  const between = (key: 'inflation' | 'degreesOfFreedom') => low[key] + part * (high[key] - low[key]);
  return { rho, inflation: between('inflation'), degreesOfFreedom: between('degreesOfFreedom') };
}

function tableOf(count: number): Row[] {
  const known = tables.get(count);
  if (known !== undefined) return known;
  const rows = Array.from({ length: STEPS + 1 }, (_, step) => rowOf(count, (step / STEPS) * MOST_RHO));
  tables.set(count, rows);
  return rows;
}

/**
 * With R the correlations, M = I - 11'/n and A = M R M, sums of squares about the mean are those of normal values with
 * covariance A: their expectation is tr(A), their degrees of freedom tr(A)^2 / tr(A^2) (Satterthwaite 1946), and that of
 * neighbouring products the sum of A's first off-diagonal.
 */
function rowOf(count: number, rho: number): Row {
  const powers = Array.from({ length: count }, (_, lag) => rho ** lag);
  const correlation = (i: number, j: number) => powers[Math.abs(i - j)]!;
  const all = Array.from({ length: count }, (_, index) => index);
  const rows = all.map((i) => all.reduce((sum, j) => sum + correlation(i, j), 0));
  const total = rows.reduce((sum, each) => sum + each, 0);
  const a = (i: number, j: number) => correlation(i, j) - (rows[i]! + rows[j]!) / count + total / count ** 2;
  const trace = all.reduce((sum, i) => sum + a(i, i), 0);
  const squares = all.reduce((sum, i) => sum + all.reduce((own, j) => own + a(i, j) ** 2, 0), 0);
  const neighbours = all.slice(1).reduce((sum, i) => sum + a(i, i - 1), 0);
  return {
    rho,
    expectedRatio: neighbours / trace,
    inflation: Math.sqrt(((total / count) * (count - 1)) / trace),
    degreesOfFreedom: trace ** 2 / squares,
  };
}
