import type { MetricComparison } from './comparison.ts';

type Compared = Pick<MetricComparison, 'baseline' | 'candidate' | 'change' | 'evidence'>;

/**
 * The candidate's figure as it stands beside a change. Published figures are of solo trials, and the change is of both sides under
 * load at once: 719 µs, 679 µs and +18.4 % would contradict each other. What was compared under load is therefore the baseline's
 * figure times the change.
 */
export function candidateFigure({ baseline, candidate, change, evidence }: Compared): number | null {
  if (baseline === null || candidate === null || change === null) return candidate;
  if (evidence.mode === 'exact' || evidence.mode === 'stored') return candidate;
  return baseline * (1 + change);
}
