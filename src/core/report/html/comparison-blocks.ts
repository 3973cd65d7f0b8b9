import type { CaseComparison, Comparison } from '../../comparison/comparison.ts';
import { LAYOUT_WARNING } from '../../comparison/layout-warning.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { beyondBlocks } from '../beyond.ts';
import { advice } from '../comparison/advice.ts';
import { anchorLine } from '../comparison/anchor-line.ts';
import { entryBlocks, everything, warningBlocks } from '../comparison/blocks.ts';
import { byVerdict } from '../comparison/by-verdict.ts';
import { type CaseLabels, caseLabels } from '../comparison/case-labels.ts';
import { changeBlocks } from '../comparison/changes.ts';
import { clippedLine } from '../comparison/clipped-text.ts';
import { unitFinder } from '../comparison/endpoint-groups.ts';
import { endpointTable } from '../comparison/endpoint-table.ts';
import { entryLists } from '../comparison/entries.ts';
import { headline } from '../comparison/headline.ts';
import { intervalCharts } from '../comparison/intervals.ts';
import { matrix } from '../comparison/matrix.ts';
import { measured } from '../comparison/measured.ts';
import { sinceAnchorBlocks } from '../comparison/since-anchor.ts';
import { unchangedSaid } from '../comparison/unchanged.ts';
import type { Block, Inline, IntervalChart, Table } from '../document.ts';
import { undecidedBlocks } from './undecided-blocks.ts';

/**
 * A comparison as the page has it: the endpoints by their verdict, what changed, what is open, and the pictures, of which those with
 * nothing to see are folded.
 */
export function pageComparison(unordered: Comparison, record: RunRecord): Block[] {
  const comparison = byVerdict(unordered);
  const labels = caseLabels(comparison, record);
  const paragraphs = (texts: readonly Inline[]) => texts.map((text): Block => ({ kind: 'paragraph', text }));
  // A possible cause belongs to what was found, not before it.
  const isCause = ({ code }: { code: string }) => code === LAYOUT_WARNING;
  const lists = entryLists(comparison, labels).filter(({ title }) => title !== 'Undecided');
  return [
    ...warningBlocks(comparison.warnings.filter((each) => !isCause(each))),
    ...tableBlocks(endpointTable(comparison, labels)),
    ...beyondBlocks(record),
    ...paragraphs(advice(comparison, record)),
    ...headed('What changed', changeBlocks(comparison, labels, everything.cases)),
    ...paragraphs(comparison.warnings.filter(isCause).map(({ message }) => clippedLine(message, 500))),
    ...lists.flatMap((list) => entryBlocks(list, everything)),
    ...undecidedBlocks(comparison, labels),
    ...(headline(comparison, record).saysAll ? [] : paragraphs([unchangedSaid(comparison)])),
    ...pictures(comparison, labels),
    ...allCases(comparison, labels),
    ...anchorBlocks(comparison.anchor, record),
    { kind: 'details', summary: 'How this was measured', blocks: measured(comparison, record) },
  ];
}

function tableBlocks(table: Table | null): Block[] {
  return table === null ? [] : [{ kind: 'table', table }];
}

function headed(title: string, blocks: Block[]): Block[] {
  return blocks.length === 0 ? [] : [{ kind: 'heading', text: title }, ...blocks];
}

/** Rows up to which a picture is unfolded. */
const MOST_ROWS = 24;

/**
 * A picture for each metric of what is judged as a whole, and one of the cases of it, folded. Pictures with a regression are unfolded;
 * without one the first, so that there is something to see.
 */
function pictures(comparison: Comparison, labels: CaseLabels): Block[] {
  const unitFor = unitFinder(comparison);
  const isPart = (each: CaseComparison, metric: string) => {
    const unit = unitFor(each, metric);
    return unit !== null && unit !== each && comparison.cases.includes(each);
  };
  const charts = intervalCharts(comparison, labels, (each, metric) => !isPart(each, metric));
  if (charts.length === 0) return [];
  const ofCases = intervalCharts(comparison, labels, isPart);
  const isRed = ({ rows }: IntervalChart) => rows.some(({ mark }) => mark === 'fail');
  const unfolded = charts.some(isRed) ? charts.filter(isRed) : charts.slice(0, 1);
  return [
    { kind: 'heading', text: 'Changes and their intervals' },
    { kind: 'interval-legend' },
    ...charts.flatMap((chart): Block[] => {
      const picture: Block = { kind: 'intervals', chart };
      const cases = ofCases.find(({ title }) => title === chart.title);
      const parts = cases === undefined ? [] : [folded(cases, ', single cases')];
      const isUnfolded = unfolded.includes(chart) && chart.rows.length <= MOST_ROWS;
      return isUnfolded ? [picture, ...parts] : [folded(chart, '', parts)];
    }),
  ];
}

/** `Throughput: 7 worse, 8 no change`: what a folded picture has to say. */
function folded(chart: IntervalChart, which: string, more: Block[] = []): Block {
  const words = chart.rows.map(({ word }) => word);
  const counts = [...new Set(words)].map((word) => `${words.filter((each) => each === word).length} ${word}`);
  const summary = [{ strong: `${chart.title}${which}` }, `: ${counts.join(', ')}`];
  return { kind: 'details', summary, blocks: [{ kind: 'intervals', chart }, ...more] };
}

function allCases(comparison: Comparison, labels: CaseLabels): Block[] {
  const number = comparison.cases.length;
  if (number === 0) return [];
  const table = matrix(comparison, labels, everything.cases);
  const summary = number === 1 ? 'The case, all metrics' : `All ${number} cases, all metrics`;
  return [{ kind: 'details', summary, blocks: [{ kind: 'table', table }] }];
}

/** What many small steps come to since a release: told, and not gated. */
function anchorBlocks(anchor: Comparison['anchor'], record: RunRecord): Block[] {
  if (anchor === undefined) return [];
  return [
    { kind: 'paragraph', text: anchorLine(anchor, record) },
    ...sinceAnchorBlocks(anchor, record),
    { kind: 'details', summary: 'Against the anchor', blocks: pageComparison(anchor, record) },
  ];
}
