import type { CaseComparison, Comparison, MetricComparison } from '../../comparison/comparison.ts';
import { absent } from '../../format/figures.ts';
import { metrics } from '../../metrics/registry.ts';
import { type Inline, left, type Row, right, type Table, withoutEmptyColumns } from '../document.ts';
import { outcomes, unchangedOf } from './by-verdict.ts';
import type { CaseLabels } from './case-labels.ts';
import { changeFigure, metricFigure } from './change-figures.ts';
import { endpointGroups, judgedIn } from './endpoint-groups.ts';
import { inReportOrder } from './metric-words.ts';
import { rowFigure } from './row-figures.ts';

/** Shown whether they are judged or not. */
const always = metrics.filter(({ alwaysCompared }) => alwaysCompared).map(({ name }) => name);

/**
 * Every case, under its endpoint: the candidate's figures, each with its change and, where it is judged, its verdict. Services come first.
 */
export function matrix(comparison: Comparison, labels: CaseLabels, most: number): Table {
  const judged = judgedIn(comparison).flatMap(({ metrics }) =>
    Object.keys(metrics).filter((name) => isJudged(metrics[name]!)),
  );
  const names = inReportOrder([...always, ...judged]);
  const outcomeOf = outcomes(comparison);
  const row = (each: CaseComparison, title: Inline): Row => ({
    tone: 'plain',
    cells: [title, ...names.map((name) => comparedCell(each, name))],
    ...unchangedOf(outcomeOf(each)),
  });
  const shown = new Set(comparison.cases.slice(0, most));
  const groups = endpointGroups(comparison).filter(({ cases }) => cases.some((each) => shown.has(each)));
  const rows = [
    ...comparison.services.map((each) => row(each, { strong: labels.of(each.key) })),
    ...groups.flatMap(({ units, cases }) => [
      ...units.map((each) => row(each, { strong: labels.of(each.key) })),
      ...cases.filter((each) => shown.has(each)).map((each) => row(each, labels.of(each.key))),
    ]),
  ];
  const columns = [left('Where'), ...names.map((name) => right(labels.metric(name)))];
  return withoutEmptyColumns({ label: 'All cases, candidate against baseline', columns, rows }, absent);
}

function isJudged({ verdict, brokenLimit }: MetricComparison): boolean {
  return verdict !== null || brokenLimit !== null;
}

/** `437 µs (+6.1 %, worse)`, `48,120/s (+0.3 %)`. */
export function comparedCell(each: CaseComparison, name: string): Inline {
  const { metrics, presence } = each;
  const compared = Object.hasOwn(metrics, name) ? metrics[name]! : null;
  if (compared === null || (compared.baseline === null && compared.candidate === null)) return absent;
  const { candidate, verdict, brokenLimit } = compared;
  const figure = candidate === null ? 'missing' : metricFigure(name, compared, rowFigure(each, name));
  const change = changeFigure(name, compared);
  const notes = [
    ...(presence === 'both' && change !== absent ? [change] : []),
    ...(verdict === null || verdict === 'no-change' ? [] : [verdictWords[verdict]]),
    ...(brokenLimit === null ? [] : ['beyond its limit']),
  ];
  const said = notes.length === 0 ? figure : `${figure} (${notes.join(', ')})`;
  return verdict === 'regression' || brokenLimit !== null ? { strong: said } : said;
}

const verdictWords = {
  regression: 'worse',
  improvement: 'better',
  inconclusive: 'undecided',
  'not-measured': 'not measured',
  invalid: 'invalid',
  new: 'new',
} as const;
