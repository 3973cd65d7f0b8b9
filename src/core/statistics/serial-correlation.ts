import { mostBelieved } from './few-values.ts';
import { type CommonRounds, LARGEST_CHANCE } from './independent-series.ts';

/**
 * What it means for a mean of n values that each hangs together with the one before it, as in a first-order
 * autoregression: corr(x_i, x_j) = rho^|i-j|.
 */
export interface SerialCorrelation {
  rho: number;
  /** By how much the standard error of a mean is greater than s / sqrt(n), the bias of s included. */
  inflation: number;
  degreesOfFreedom: number;
  /**
   * Share by which the inflation usually is greater for each step of the ratio that rho is read from (`serialCorrelationOf`). Near
   * 0 it is less than its slope: what is found below 0 counts as none.
   */
  sensitivity: number;
}

/** At most: more would leave next to no degrees of freedom. */
const MOST_RHO = 0.75;
/** Found of few values, as of a spec with one case. */
const MOST_RHO_OF_FEW = 0.5;
const STEPS = 75;

/**
 * Rounds are fresh starts, which usually do not hang together, and few of them show by chance that they do: of the ratio's standard
 * deviation, 1 / sqrt(n k) for k independent series, a share of 3 / n counts for nothing.
 */
const DISCOUNT = 3;

/** How much of the slope counts at 0 and, since degrees of freedom are fewer too, from `SURELY_CORRELATED` on. */
const SENSITIVE = { least: 0.8, most: 1.3 };
const SURELY_CORRELATED = 0.3;

interface Row extends Omit<SerialCorrelation, 'sensitivity'> {
  /** Of sum e_i e_i+1 / sum e_i^2, of residuals about the mean. */
  expectedRatio: number;
}

const tables = new Map<number, Row[]>();

/**
 * Lag-1 autocorrelation that several series of residuals about their own means point to together, 0 or more. The plain ratio
 * is biased downwards by (1 + 3 rho) / n and more, for n = 10 from 0.6 to 0.26 (Marriott and Pope, Biometrika 41, 1954); here the
 * rho is taken from which such a ratio is expected, less what is chance. `count` is the usual length of the series,
 * which are worth `independent` ones.
 */
export function serialCorrelationOf(
  series: readonly (readonly number[])[],
  count: number,
  independent: number,
): number {
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
  const ratio = products / squares - DISCOUNT / (count * Math.sqrt(count * independent));
  const rows = tableOf(Math.round(count));
  const most = mostBelieved(count, series.length, { ofFew: MOST_RHO_OF_FEW, ofEnough: MOST_RHO });
  const above = rows.findIndex(({ expectedRatio }) => expectedRatio >= ratio);
  if (above === 0) return 0;
  if (above < 0) return most;
  const [low, high] = [rows[above - 1]!, rows[above]!];
  const part = (ratio - low.expectedRatio) / (high.expectedRatio - low.expectedRatio);
  return Math.min(most, low.rho + part * (high.rho - low.rho));
}

/** Between cases: from which correlation on, and until which, rounds are the less believed to be independent. */
const IN_COMMON = { from: 0.15, to: 0.3 };
const RHO_IN_COMMON = 0.5;

/**
 * What rounds are taken to hang together by at least, by how alike the cases of each metric are. Rounds in which all cases go up and
 * down together are moved by something that the cases share, which may well outlast a round, and few rounds do not show whether it
 * does. Below what is certainly beyond any recorded machine it is 0. (Recorded: correlations of 0.02 to 0.15.)
 */
export function leastSerialCorrelation(common: readonly CommonRounds[]): number {
  const pairs = common.reduce((sum, each) => sum + each.pairs, 0);
  if (pairs === 0) return 0;
  const correlation = common.reduce((sum, each) => sum + each.pairs * each.correlation, 0) / pairs;
  // Metrics of the same trials say the same: all of them tell no more than the one that tells most.
  const chance = Math.min(...common.map((each) => each.chance));
  const beyond = correlation - LARGEST_CHANCE * chance - IN_COMMON.from;
  return RHO_IN_COMMON * Math.min(1, Math.max(0, beyond / (IN_COMMON.to - IN_COMMON.from)));
}

/** Of a mean of `count` values with this autocorrelation; 0 is independence. */
export function withSerialCorrelation(count: number, rho: number): SerialCorrelation {
  const rows = tableOf(count);
  const place = (Math.min(Math.max(rho, 0), MOST_RHO) / MOST_RHO) * STEPS;
  const [low, high] = [rows[Math.floor(place)]!, rows[Math.min(STEPS, Math.floor(place) + 1)]!];
  const part = place - Math.floor(place);
  const between = (key: 'inflation' | 'degreesOfFreedom') => low[key] + part * (high[key] - low[key]);
  const steps = low === high ? rows.slice(-2) : [low, high];
  const [lower, upper] = steps as [Row, Row];
  const slope = Math.log(upper.inflation / lower.inflation) / (upper.expectedRatio - lower.expectedRatio);
  const share = SENSITIVE.least + (SENSITIVE.most - SENSITIVE.least) * Math.min(1, low.rho / SURELY_CORRELATED);
  return {
    rho,
    inflation: between('inflation'),
    degreesOfFreedom: between('degreesOfFreedom'),
    // Of fewer values the ratio says nothing: it is the same for every rho.
    sensitivity: count < 4 ? 0 : share * slope,
  };
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
 * neighbouring products N = tr(BA), the sum of A's first off-diagonal, with B a half on both off-diagonals. Of their ratio it is, to
 * the second order of the scatter of both,
 *
 *     N/D - 2 tr(B A^2) / D^2 + 2 tr(A^2) N / D^3,   D = tr(A)
 *
 * which is 0.24 for 10 values with a rho of 0.6, where simulated ones have 0.26 and N/D is 0.34.
 */
function rowOf(count: number, rho: number): Row {
  const powers = Array.from({ length: count }, (_, lag) => rho ** lag);
  const correlation = (i: number, j: number) => powers[Math.abs(i - j)]!;
  const all = Array.from({ length: count }, (_, index) => index);
  const rows = all.map((i) => all.reduce((sum, j) => sum + correlation(i, j), 0));
  const total = rows.reduce((sum, each) => sum + each, 0);
  const a = (i: number, j: number) => correlation(i, j) - (rows[i]! + rows[j]!) / count + total / count ** 2;
  const matrix = all.map((i) => all.map((j) => a(i, j)));
  const trace = all.reduce((sum, i) => sum + matrix[i]![i]!, 0);
  const squares = all.reduce((sum, i) => sum + all.reduce((own, j) => own + matrix[i]![j]! ** 2, 0), 0);
  const next = all.slice(1);
  const neighbours = next.reduce((sum, i) => sum + matrix[i]![i - 1]!, 0);
  const squaredNeighbours = next.reduce(
    (sum, i) => sum + all.reduce((own, j) => own + matrix[i]![j]! * matrix[j]![i - 1]!, 0),
    0,
  );
  return {
    rho,
    expectedRatio: neighbours / trace - (2 * squaredNeighbours) / trace ** 2 + (2 * squares * neighbours) / trace ** 3,
    inflation: Math.sqrt(((total / count) * (count - 1)) / trace),
    degreesOfFreedom: trace ** 2 / squares,
  };
}
