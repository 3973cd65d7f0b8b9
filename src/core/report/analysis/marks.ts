import type { Entry, ReportView } from '../view.ts';

/** Cases that carry the same mark. */
export interface MarkCount {
  code: string;
  cases: number;
  /** What is said of the first of them. */
  message: string;
}

/** The most frequent first. */
export function markCounts({ tests }: ReportView): MarkCount[] {
  const counts = new Map<string, MarkCount>();
  const marks = tests.flatMap(({ entries }) => entries.flatMap(({ record }: Entry) => record.marks));
  for (const { code, message } of marks) {
    const known = counts.get(code);
    counts.set(code, { code, cases: (known?.cases ?? 0) + 1, message: known?.message ?? message });
  }
  return [...counts.values()].sort((one, other) => other.cases - one.cases);
}
