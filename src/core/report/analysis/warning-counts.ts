import type { Entry, ReportView } from '../view.ts';

/** Cases that carry the same warning. */
export interface WarningCount {
  code: string;
  cases: number;
  /** What is said of the first of them. */
  message: string;
}

/** The most frequent first. */
export function warningCounts({ tests }: ReportView): WarningCount[] {
  const counts = new Map<string, WarningCount>();
  const warnings = tests.flatMap(({ entries }) => entries.flatMap(({ record }: Entry) => record.warnings));
  for (const { code, message } of warnings) {
    const known = counts.get(code);
    counts.set(code, { code, cases: (known?.cases ?? 0) + 1, message: known?.message ?? message });
  }
  return [...counts.values()].sort((one, other) => other.cases - one.cases);
}
