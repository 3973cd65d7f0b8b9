import type { Comparison, MetricComparison, Verdict } from '../comparison/comparison.ts';
import { perRequest } from '../format/figures.ts';
import { percent } from '../format/percent.ts';

/** Whether the demo's comparison found the query that was added, and what its reader is told of that. */
export interface DemoResult {
  found: boolean;
  text: string;
}

/** `request` is the one that sends one query more, as in `GET /users`. */
export function demoResult(comparison: Comparison, request: string): DemoResult {
  const queries = judged(comparison, 'queries-per-request', ['regression']);
  if (queries === null) {
    const text = `Undecided: wrkbench did not find the query that we added to ${request}. Most often other programs keep the machine too busy: end them, and run the demo again.`;
    return { found: false, text };
  }
  const { baseline, candidate } = queries;
  const cpu = judged(comparison, 'cpu-per-request', ['regression'])?.change ?? null;
  const found = [
    `${perRequest(candidate!)} queries per request instead of ${perRequest(baseline!)}`,
    ...(cpu === null ? [] : [`${percent(cpu)} more CPU per request`]),
  ].join(' and ');
  const open =
    cpu === null && judged(comparison, 'cpu-per-request', ['inconclusive', 'not-measured', 'no-change', 'invalid'])
      ? ' How much CPU time it costs was not decided here, most often since other programs keep the machine too busy.'
      : '';
  const text = `We added one query to ${request}; wrkbench found it: ${found}.${open} This red verdict is what the demo is meant to show.`;
  return { found: true, text };
}

/** Of the first level that has such a verdict. */
function judged(
  { cases, endpoints, services }: Comparison,
  name: string,
  verdicts: readonly Verdict[],
): MetricComparison | null {
  const all = [...cases, ...endpoints, ...services].flatMap(({ metrics }) => metrics[name] ?? []);
  return all.find(({ verdict }) => verdict !== null && verdicts.includes(verdict)) ?? null;
}
