import type { Comparison } from '../../comparison/comparison.ts';
import { columnsOf, leftToRight, paddedEnd, paddedStart, shortened, visible, wrapped } from '../../format/text.ts';
import type { Reason } from '../../measurement/names.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { beyondSaid, saidWhole } from '../beyond.ts';
import type { Inline, Mark } from '../document.ts';
import { plainStyle, type Style } from '../terminal-style.ts';
import { advice } from './advice.ts';
import { anchorLine } from './anchor-line.ts';
import { type CaseLabels, caseLabels } from './case-labels.ts';
import { changePointList } from './change-points.ts';
import { changeTable } from './change-table.ts';
import { clippedLine } from './clipped-text.ts';
import { type EntryList, entryLists } from './entries.ts';
import { explanations } from './explanation.ts';
import { headline } from './headline.ts';
import { unchangedSaid } from './unchanged.ts';

export interface ComparisonTextOptions {
  style?: Style;
  /** Columns of the terminal; the text takes no more than 120 of them, and needs 72. */
  width?: number;
  /** The candidate's: tells the paths of the endpoints. */
  record: RunRecord;
  /** The verdict, what changed and where it went alone. */
  brief?: boolean;
}

const signs: Record<Mark, string> = { fail: '✗', pass: '✓', undecided: '?', invalid: '✗', none: '–' };

/** What `run` and `compare` print of a comparison: the verdict, what changed, what is open. Ends with a line break. */
export function comparisonText(comparison: Comparison, options: ComparisonTextOptions): string {
  const style = options.style ?? plainStyle;
  const width = Math.max(72, Math.min(120, options.width ?? 100));
  const { record } = options;
  const labels = caseLabels(comparison, record);
  const { mark, text, saysAll } = headline(comparison, record);
  const { warnings } = comparison;
  const verdict = wrapped(`${signs[mark]} ${plainText(text)}`, width).map((line) =>
    style.bold(tinted(line, mark, style)),
  );
  const changed = changes(comparison, labels, width, style);
  const explained = explanations(comparison, labels).flatMap((said) => wrapped(plainText(said), width));
  if (options.brief === true) return inGroups([verdict, changed, explained]);
  return inGroups([
    verdict,
    warningLines(warnings, width, style),
    changed,
    advice(comparison, record).flatMap((said) => wrapped(plainText(said), width)),
    ...entryLists(comparison, labels).map((list) => entryLines(list, width, style)),
    beyondLines(record, width),
    explained,
    changePointLines(comparison, labels, width, style),
    saysAll ? [] : countLines(comparison, width).map(style.dim),
    sides(comparison, width).map(style.dim),
    comparison.anchor === undefined ? [] : anchorLines(comparison.anchor, record, width),
  ]);
}

function inGroups(groups: readonly string[][]): string {
  return `${groups
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** What a reader should know before believing what stands beside it. */
export function warningLines(warnings: readonly Reason[], width: number, style: Style): string[] {
  return warnings.flatMap(({ message }) => wrapped(`! ${clippedLine(message, 500)}`, width)).map(style.yellow);
}

/** All cases that are more than the service answers in time, at once. */
function beyondLines(record: RunRecord, width: number): string[] {
  const said = beyondSaid(record);
  return said === null ? [] : wrapped(plainText(saidWhole(said)), width);
}

function changePointLines(comparison: Comparison, labels: CaseLabels, width: number, style: Style): string[] {
  const list = changePointList(comparison, labels);
  return list === null ? [] : entryLines(list, width, style);
}

/** What many small steps come to since a release: told, and not gated. */
function anchorLines(anchor: Comparison, record: RunRecord, width: number): string[] {
  return wrapped(plainText(anchorLine(anchor, record)), width);
}

/** One block per service, endpoint or case, one line per metric. */
function changes(comparison: Comparison, labels: CaseLabels, width: number, style: Style): string[] {
  const table = changeTable(comparison, labels, Number.POSITIVE_INFINITY);
  if (table === null) return [];
  const rows = table.rows.map(({ cells, tone }) => ({ cells: cells.map(plainText), tone }));
  const [, , ...titles] = table.columns.map(({ title }) => plainText(title));
  const widths = titles.map(
    (title, index) => Math.max(...[title, ...rows.map(({ cells }) => cells[index + 2]!)].map(columnsOf)) + 2,
  );
  const figures = (texts: string[]) => texts.map((each, index) => paddedStart(each, widths[index]!)).join('');
  const taken = widths.reduce((sum, each) => sum + each, 0);
  const longest = Math.max(...rows.map(({ cells }) => columnsOf(cells[1]!))) + 2;
  const metricWidth = Math.max(12, Math.min(longest, width - taken));
  const head = style.dim(`${' '.repeat(metricWidth)}${figures(titles)}`);
  const lines = rows.flatMap(({ cells: [name = '', metric = '', ...rest], tone }) => {
    const row = `${paddedEnd(shortened(`  ${metric}`, metricWidth), metricWidth)}${figures(rest)}`.trimEnd();
    const title = name === '' ? [] : [style.bold(leftToRight(shortened(name, width)))];
    return [...title, tone === 'worse' ? style.red(row) : style.green(row)];
  });
  return [head, ...lines];
}

function countLines(comparison: Comparison, width: number): string[] {
  const counts = unchangedSaid(comparison);
  return counts.length === 0 ? [] : wrapped(plainText(counts), width);
}

function entryLines({ title, mark, lines }: EntryList, width: number, style: Style): string[] {
  const shown = lines.slice(0, mostEntries).flatMap((line) => {
    const [first = '', ...others] = wrapped(`${signs[mark]} ${line}`, width - 2);
    return [first, ...others.map((each) => `  ${each}`)];
  });
  const more = lines.length - mostEntries;
  const all = [`${title}:`, ...shown, ...(more > 0 ? [`  … and ${more} more`] : [])];
  return all.map((line) => tinted(line, mark, style));
}

/** The reports have all of them. */
const mostEntries = 10;

function sides({ baseline, candidate }: Comparison, width: number): string[] {
  return [`Baseline: ${clippedLine(baseline.origin)}`, `Candidate: ${clippedLine(candidate.origin)}`].flatMap((line) =>
    wrapped(line, width),
  );
}

function tinted(line: string, mark: Mark, style: Style): string {
  if (mark === 'fail' || mark === 'invalid') return style.red(line);
  if (mark === 'pass') return style.green(line);
  return mark === 'undecided' ? style.yellow(line) : line;
}

function plainText(content: Inline): string {
  if (typeof content === 'string') return visible(content);
  if (Array.isArray(content)) return content.map(plainText).join('');
  if ('code' in content) return visible(content.code);
  if ('strong' in content) return plainText(content.strong);
  return 'mark' in content ? signs[content.mark] : visible(content.text);
}
