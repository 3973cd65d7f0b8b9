import type { Comparison, GateEntry } from '../../comparison/comparison.ts';
import { LAYOUT_WARNING } from '../../comparison/layout-warning.ts';
import { counted } from '../../format/figures.ts';
import type { Reason } from '../../measurement/names.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { beyondBlocks } from '../beyond.ts';
import { type Block, type IntervalChart, joined, withCode } from '../document.ts';
import { advice } from './advice.ts';
import { anchorLine } from './anchor-line.ts';
import { type CaseLabels, caseLabels } from './case-labels.ts';
import { changeBlocks } from './changes.ts';
import { clippedLine } from './clipped-text.ts';
import { type EntryList, entryLists } from './entries.ts';
import { headline } from './headline.ts';
import { changeTitle } from './interval-level.ts';
import { intervalCharts } from './intervals.ts';
import { matrix } from './matrix.ts';
import { measured } from './measured.ts';
import { sinceAnchorBlocks } from './since-anchor.ts';
import { unchangedSaid } from './unchanged.ts';
import { undecidedEntries } from './undecided-entries.ts';
import { undecidedChanges, undecidedTable } from './undecided-table.ts';

/** How much of a comparison is shown: a comment has an end, and a run may have thousands of cases. */
export interface Extent {
  /** Cases, endpoints or services in a table or list. */
  cases: number;
  /** Entries of a list that is not folded. */
  listed: number;
}

export const everything: Extent = { cases: Number.POSITIVE_INFINITY, listed: 10 };

/** All that a reader sees of a comparison under its headline. `record` is the candidate's. */
export function comparisonBlocks(comparison: Comparison, record: RunRecord, extent: Extent): Block[] {
  const labels = caseLabels(comparison, record);
  // A possible cause belongs to what was found, not before it.
  const before = comparison.warnings.filter(({ code }) => code !== LAYOUT_WARNING);
  const causes = comparison.warnings.filter(({ code }) => code === LAYOUT_WARNING);
  return [
    ...warningBlocks(before.slice(0, extent.listed)),
    ...changeBlocks(comparison, labels, extent.cases),
    ...causes.map(({ message }): Block => ({ kind: 'paragraph', text: withCode(clippedLine(message, 500)) })),
    ...undecidedBlocks(comparison, labels, extent),
    ...entryLists(comparison, labels, withoutChange(comparison)).flatMap((list) => entryBlocks(list, extent)),
    ...beyondBlocks(record),
    ...advice(comparison, record).map((text): Block => ({ kind: 'paragraph', text })),
    ...(headline(comparison, record).saysAll ? [] : countBlocks(comparison)),
    ...intervalCharts(comparison, labels).map(picture),
    ...allCases(comparison, labels, extent),
    ...anchorBlocks(comparison.anchor, record, extent),
    { kind: 'details', summary: 'How this was measured', blocks: measured(comparison, record) },
  ];
}

/** What a reader should know before believing what stands below. */
export function warningBlocks(warnings: readonly Reason[]): Block[] {
  const said = warnings.map(({ message }) => clippedLine(message, 500));
  return said.length === 0 ? [] : [{ kind: 'warning', text: joined(said, ' ') }];
}

/** What many small steps come to since a release: told, and not gated. */
function anchorBlocks(anchor: Comparison['anchor'], record: RunRecord, extent: Extent): Block[] {
  if (anchor === undefined) return [];
  return [
    { kind: 'paragraph', text: anchorLine(anchor, record) },
    ...sinceAnchorBlocks(anchor, record),
    { kind: 'details', summary: 'Against the anchor', blocks: comparisonBlocks(anchor, record, extent) },
  ];
}

function undecidedBlocks(comparison: Comparison, labels: CaseLabels, { cases, listed }: Extent): Block[] {
  const changes = undecidedChanges(comparison);
  const tableOf = (some: typeof changes): Block => ({
    kind: 'table',
    table: undecidedTable(some, changeTitle(comparison), labels),
  });
  if (changes.length === 0) return [];
  const folded = changes.slice(listed, cases);
  if (folded.length === 0) return [tableOf(changes.slice(0, listed))];
  const summary = `${changes.length - listed} more undecided`;
  return [tableOf(changes.slice(0, listed)), { kind: 'details', summary, blocks: [tableOf(folded)] }];
}

/** What is undecided for another reason than its change: it has a sentence. */
function withoutChange(comparison: Comparison): GateEntry[] {
  const changes = new Set(undecidedChanges(comparison).map(({ entry }) => entry));
  return undecidedEntries(comparison).filter((entry) => !changes.has(entry));
}

function countBlocks(comparison: Comparison): Block[] {
  const text = unchangedSaid(comparison);
  return text.length === 0 ? [] : [{ kind: 'paragraph', text }];
}

function allCases(comparison: Comparison, labels: CaseLabels, extent: Extent): Block[] {
  const number = comparison.cases.length;
  const table = matrix(comparison, labels, extent.cases);
  // Names alone, where nothing was measured of any of them.
  if (number === 0 || table.columns.length === 1) return [];
  return [
    {
      kind: 'details',
      summary: number === 1 ? 'The case, all metrics' : `All ${number} cases`,
      blocks: [{ kind: 'table', table }, ...notShown(number, extent.cases)],
    },
  ];
}

function notShown(number: number, shown: number): Block[] {
  if (number <= shown) return [];
  return [{ kind: 'paragraph', text: `… and ${counted(number - shown, 'more case')}: all are in report.html.` }];
}

/** The first of a list, and the others folded. */
export function entryBlocks({ title, mark, lines }: EntryList, extent: Extent): Block[] {
  const folded = lines.slice(extent.listed);
  const blocks: Block[] = [
    { kind: 'paragraph', text: [{ mark }, ' ', { strong: `${title}:` }] },
    { kind: 'list', items: lines.slice(0, extent.listed) },
  ];
  if (folded.length === 0) return blocks;
  const items = folded.slice(0, extent.cases);
  if (items.length < folded.length) items.push(`… and ${counted(folded.length - items.length, 'more', 'more')}.`);
  return [...blocks, { kind: 'details', summary: `${folded.length} more`, blocks: [{ kind: 'list', items }] }];
}

/** Pictures of many cases would push all else away. */
function picture(chart: IntervalChart): Block {
  const block: Block = { kind: 'intervals', chart };
  return chart.rows.length <= 24 ? block : { kind: 'details', summary: chart.title, blocks: [block] };
}
