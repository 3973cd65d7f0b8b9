import { comparedCases } from '../comparison/compared-case.ts';
import type { Acceptance } from '../comparison/comparison.ts';
import { fits } from '../comparison/thresholds.ts';
import { clippedLine } from '../report/comparison/clipped-text.ts';
import type { JudgedRun } from './verdict.ts';

/**
 * The runs, of which the first compared one says which acceptances name nothing that any of them compares: whoever set a label must not take
 * it for counted. `specNames` are those that were accepted as removed.
 */
export function withUnmatched(
  judged: readonly JudgedRun[],
  accepted: readonly Acceptance[],
  specNames: readonly string[],
): JudgedRun[] {
  const names = judged.flatMap(({ record }) => comparedCases(record).map((each) => each.names));
  const first = judged.find(({ comparison }) => comparison !== null && comparison.cases.length > 0);
  // Of a run without a case nobody knows what it would have compared.
  if (first === undefined || judged.some(({ record }) => record.cases.length === 0)) return [...judged];
  const units = judged.flatMap(({ comparison }) => [...(comparison?.endpoints ?? []), ...(comparison?.services ?? [])]);
  const all = [...names, ...units.map(({ key }) => [key])];
  const unmatched = accepted.filter(
    ({ cases }) => !specNames.includes(cases) && !all.some((each) => fits(cases, each)),
  );
  const subjects = [...new Map(unmatched.map((each) => [each.cases, each])).values()];
  const warnings = subjects.map(({ cases, reason }) => ({
    code: 'acceptance-unmatched',
    message: clippedLine(
      `“${cases}” was accepted (${reason}) and names no case, endpoint, service or path of this run: it accepts nothing. Use a name as it stands below.`,
      400,
    ),
  }));
  if (warnings.length === 0) return [...judged];
  const { comparison } = first;
  const told: JudgedRun = {
    ...first,
    comparison: { ...comparison!, warnings: [...comparison!.warnings, ...warnings] },
  };
  return judged.map((each) => (each === first ? told : each));
}
