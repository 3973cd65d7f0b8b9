import { studentQuantile } from '../../src/core/statistics/student.ts';

interface RatioInterval {
  ratio: number;
  low: number;
  high: number;
}

/**
 * Geometric mean of paired ratios with its two-sided t interval, worked out on their logarithms; `confidence` 0.95 is
 * 95 %. Null with fewer than two pairs.
 */
export function ratioInterval(
  pairs: readonly { numerator: number; denominator: number }[],
  confidence: number,
): RatioInterval | null {
  const logs = pairs.map(({ numerator, denominator }) => Math.log(numerator / denominator));
  const count = logs.length;
  if (count < 2) return null;
  const mean = logs.reduce((sum, value) => sum + value, 0) / count;
  const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const half = studentQuantile(0.5 + confidence / 2, count - 1) * Math.sqrt(variance / count);
  return { ratio: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}
