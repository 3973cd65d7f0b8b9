import { candidateFigure } from '../../comparison/candidate-figure.ts';
import type { Comparison, MetricComparison } from '../../comparison/comparison.ts';
import { intervalText } from '../../format/percent.ts';
import { type Inline, left, type Mark, type Row, right, type Table, withoutEmptyColumns } from '../document.ts';
import type { CaseLabels } from './case-labels.ts';
import { changeFigure, limitFigure, metricFigure } from './change-figures.ts';
import { type CaseFindings, caseFindings, type Finding, type FindingKind } from './findings.ts';
import { changeTitle } from './interval-level.ts';

/**
 * What changed, the worst first, services and endpoints before cases: one row per metric; the first row names where. Null where nothing
 * did.
 */
export function changeTable(comparison: Comparison, labels: CaseLabels, most: number): Table | null {
  const cases = caseFindings(comparison);
  if (cases.length === 0) return null;
  const rows = cases.slice(0, most).flatMap((each) => rowsOf(each, labels));
  const titles = ['Where', 'Metric', 'Baseline', 'Candidate', changeTitle(comparison), 'Limit'];
  const columns = titles.map((title, index) => (index < 2 ? left(title) : right(title)));
  return withoutEmptyColumns({ label: 'What changed', columns, rows, stacks: true }, '');
}

function rowsOf({ key, findings }: CaseFindings, labels: CaseLabels): Row[] {
  return findings.map((finding, index): Row => {
    const { baseline, candidate, change, limit } = findingCells(finding);
    return {
      tone: finding.kind === 'improvement' ? 'better' : 'worse',
      cells: [index === 0 ? labels.of(key) : '', labels.metric(finding.metric), baseline, candidate, change, limit],
    };
  });
}

/** Of one row. */
export interface FindingCells {
  baseline: string;
  candidate: Inline;
  change: Inline;
  limit: string;
}

export function findingCells(finding: Finding): FindingCells {
  const { metric, compared, kind } = finding;
  const shown = (value: number | null) => metricFigure(metric, compared, value);
  const isWorse = kind !== 'improvement';
  const candidate = isBeyondOnly(finding) ? compared.candidate : candidateFigure(compared);
  return {
    baseline: shown(compared.baseline),
    candidate: isWorse ? { strong: shown(candidate) } : shown(candidate),
    change: changeCell(finding),
    limit: isWorse ? limitFigure(metric, compared) : '',
  };
}

/** What an absolute limit is held against is the published figure. */
export function isBeyondOnly({ compared }: Pick<Finding, 'compared'>): boolean {
  return compared.brokenLimit !== null && compared.verdict !== 'regression';
}

/** `🔴 **+6.1 %** worse (+4.9 … +7.3)`: the word says it to whom the colour does not. */
function changeCell({ metric, compared, kind }: Finding): Inline {
  const { mark, word } = signs[kind];
  if (kind === 'regression' && isBeyondOnly({ compared })) return [{ mark }, ' ', { strong: 'beyond the limit' }];
  const figure = changeFigure(metric, compared);
  return [{ mark }, ' ', kind === 'regression' ? { strong: figure } : figure, ` ${word}${intervalSaid(compared)}`];
}

/** ` (+4.9 … +7.3)`, the interval that the verdict rests on; empty where there is none. */
export function intervalSaid({ adjusted }: MetricComparison): string {
  return adjusted === null ? '' : ` ${intervalText(adjusted)}`;
}

const signs: Record<FindingKind, { mark: Mark; word: string }> = {
  regression: { mark: 'fail', word: 'worse' },
  accepted: { mark: 'none', word: 'worse, accepted' },
  improvement: { mark: 'pass', word: 'better' },
};
