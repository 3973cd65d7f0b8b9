import type { Comparison, MetricComparison } from '../../comparison/comparison.ts';
import { type Inline, left, type Mark, type Row, right, type Table, withoutEmptyColumns } from '../document.ts';
import type { CaseLabels } from './case-labels.ts';
import { changeFigure, intervalText, limitFigure, metricFigure, percent } from './change-figures.ts';
import { type CaseFindings, caseFindings, type Finding, type FindingKind, judgedIn } from './findings.ts';
import { metricTitle } from './metric-words.ts';

/** What changed, the worst first: a row a metric, the case named in the first of its rows. Null where nothing did. */
export function changeTable(comparison: Comparison, labels: CaseLabels, most: number): Table | null {
  const cases = caseFindings(comparison);
  if (cases.length === 0) return null;
  const confidences = new Set(judgedIn(comparison).flatMap(({ metrics }) => confidencesOf(metrics)));
  const level = confidences.size === 1 ? ` (${percent([...confidences][0]!).replace('.0', '')})` : '';
  const rows = cases.slice(0, most).flatMap((each) => rowsOf(each, labels));
  const titles = ['Case', 'Metric', 'Baseline', 'Candidate', `Change${level}`, 'Limit'];
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
    return {
      tone: isWorse ? 'worse' : 'better',
      cells: [
        index === 0 ? labels.of(key) : '',
        metricTitle(metric),
        shown(compared.baseline),
        isWorse ? { strong: shown(compared.candidate) } : shown(compared.candidate),
        changeCell(finding),
        isWorse ? limitFigure(metric, compared) : '',
      ],
    };
  });
}

/** `🔴 **+6.1 %** worse (+4.9 … +7.3)`: the word says it to whom the colour does not. */
function changeCell({ metric, compared, kind }: Finding): Inline {
  const { mark, word } = signs[kind];
  if (kind === 'regression' && compared.verdict !== 'regression')
    return [{ mark }, ' ', { strong: 'beyond the limit' }];
  const figure = changeFigure(metric, compared);
  const interval = compared.interval === null ? '' : ` ${intervalText(compared.interval)}`;
  return [{ mark }, ' ', kind === 'regression' ? { strong: figure } : figure, ` ${word}${interval}`];
}

const signs: Record<FindingKind, { mark: Mark; word: string }> = {
  regression: { mark: 'fail', word: 'worse' },
  accepted: { mark: 'none', word: 'worse, accepted' },
  improvement: { mark: 'pass', word: 'better' },
};
