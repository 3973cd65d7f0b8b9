import { candidateFigure } from '../../comparison/candidate-figure.ts';
import type { Comparison, MetricComparison } from '../../comparison/comparison.ts';
import { intervalText, percent } from '../../format/percent.ts';
import { type Inline, left, type Mark, type Row, right, type Table, withoutEmptyColumns } from '../document.ts';
import type { CaseLabels } from './case-labels.ts';
import { changeFigure, limitFigure, metricFigure } from './change-figures.ts';
import { judgedIn } from './endpoint-groups.ts';
import { type CaseFindings, caseFindings, type Finding, type FindingKind } from './findings.ts';
import { metricTitle } from './metric-words.ts';

/**
 * What changed, the worst first, services and endpoints before cases: one row per metric; the first row names where. Null where nothing
 * did.
 */
export function changeTable(comparison: Comparison, labels: CaseLabels, most: number): Table | null {
  const cases = caseFindings(comparison);
  if (cases.length === 0) return null;
  const confidences = new Set(judgedIn(comparison).flatMap(({ metrics }) => confidencesOf(metrics)));
  const level = confidences.size === 1 ? ` (${percent([...confidences][0]!).replace('.0', '')})` : '';
  const rows = cases.slice(0, most).flatMap((each) => rowsOf(each, labels));
  const titles = ['Where', 'Metric', 'Baseline', 'Candidate', `Change${level}`, 'Limit'];
  const columns = titles.map((title, index) => (index < 2 ? left(title) : right(title)));
  return withoutEmptyColumns({ label: 'What changed', columns, rows }, '');
}

function confidencesOf(metrics: Record<string, MetricComparison>): number[] {
  return Object.values(metrics).flatMap(({ interval, confidence }) => (interval === null ? [] : confidence));
}

function rowsOf({ key, findings }: CaseFindings, labels: CaseLabels): Row[] {
  return findings.map((finding, index): Row => {
    const { metric, compared, kind } = finding;
    const shown = (value: number | null) => metricFigure(metric, compared, value);
    const isWorse = kind !== 'improvement';
    const candidate = isBeyondOnly(finding) ? compared.candidate : candidateFigure(compared);
    return {
      tone: isWorse ? 'worse' : 'better',
      cells: [
        index === 0 ? labels.of(key) : '',
        metricTitle(metric),
        shown(compared.baseline),
        isWorse ? { strong: shown(candidate) } : shown(candidate),
        changeCell(finding),
        isWorse ? limitFigure(metric, compared) : '',
      ],
    };
  });
}

/** What an absolute limit is held against is the published figure. */
function isBeyondOnly({ compared }: Pick<Finding, 'compared'>): boolean {
  return compared.brokenLimit !== null && compared.verdict !== 'regression';
}

/** `🔴 **+6.1 %** worse (+4.9 … +7.3)`: the word says it to whom the colour does not. */
function changeCell({ metric, compared, kind }: Finding): Inline {
  const { mark, word } = signs[kind];
  if (kind === 'regression' && isBeyondOnly({ compared })) return [{ mark }, ' ', { strong: 'beyond the limit' }];
  const figure = changeFigure(metric, compared);
  const interval = compared.interval === null ? '' : ` ${intervalText(compared.interval)}`;
  return [{ mark }, ' ', kind === 'regression' ? { strong: figure } : figure, ` ${word}${interval}`];
}

const signs: Record<FindingKind, { mark: Mark; word: string }> = {
  regression: { mark: 'fail', word: 'worse' },
  accepted: { mark: 'none', word: 'worse, accepted' },
  improvement: { mark: 'pass', word: 'better' },
};
