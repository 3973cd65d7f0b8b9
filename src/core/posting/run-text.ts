import type { AcceptedEntry, GateEntry } from '../comparison/comparison.ts';
import { counted } from '../format/figures.ts';
import { comparisonBlocks, type Extent, everything, warningBlocks } from '../report/comparison/blocks.ts';
import { clippedLine } from '../report/comparison/clipped-text.ts';
import { reasonSaid } from '../report/comparison/deciding-line.ts';
import { headline as comparisonHeadline } from '../report/comparison/headline.ts';
import { hasFigures, measuredWithoutBaseline } from '../report/comparison/measured.ts';
import type { Block, Inline, Mark } from '../report/document.ts';
import { blockMarkdown, inlineMarkdown } from '../report/markdown/blocks.ts';
import { panels } from '../report/panels.ts';
import { resultTable } from '../report/sections/results.ts';
import { headline as figuresHeadline } from '../report/sections/summary.ts';
import { unpairedSaid } from '../report/unpaired.ts';
import { viewOf } from '../report/view.ts';
import { introduction, type Reported } from './introduction.ts';
import { causeOf } from './invalid-cause.ts';
import { type JudgedRun, type RunVerdict, runVerdict } from './verdict.ts';

/** What a run says of itself in a comment or a summary. */
export interface RunText {
  mark: Mark;
  /** Without the mark, on one line, for a heading. */
  headline: Inline;
  /** Why it is invalid, in a few words; null where it is not, or nobody knows. */
  cause: string | null;
  blocks(extent: Extent): Block[];
}

export function runText(judged: JudgedRun, reported: Reported): RunText {
  const said = foundText(judged, reported.storedAs);
  const introduced = introduction(judged, reported).map((text): Block => ({ kind: 'paragraph', text }));
  return { ...said, blocks: (extent) => [...introduced, ...said.blocks(extent)] };
}

function foundText(judged: JudgedRun, storedAs: string | null): RunText {
  const { unverified } = judged;
  const said =
    judged.comparison === null ? uncomparedText(judged, storedAs) : comparedText(judged.record, judged.comparison);
  if (unverified === null) return said;
  return {
    mark: 'invalid',
    headline: `Not verified: ${clippedLine(unverified)}`,
    cause: null,
    blocks: (extent) => [
      { kind: 'paragraph', text: ['What the run says of itself: ', { mark: said.mark }, ' ', said.headline] },
      ...said.blocks(extent),
    ],
  };
}

function comparedText(record: JudgedRun['record'], comparison: NonNullable<JudgedRun['comparison']>): RunText {
  const { mark, text } = comparisonHeadline(comparison, record);
  return {
    mark,
    headline: text,
    cause: causeOf(record, comparison),
    blocks: (extent) => comparisonBlocks(comparison, record, extent),
  };
}

/** A comment comes without a baseline too: a first measurement shows what there is. */
function uncomparedText(judged: JudgedRun, storedAs: string | null): RunText {
  const { record, limits } = judged;
  const view = viewOf(record);
  const isMeasured = hasFigures(record);
  const unpaired = unpairedSaid(record);
  const verdict = runVerdict({ ...judged, unverified: null });
  const figures = figuresHeadline(view);
  const cause = causeOf(record, null);
  const isFirst = verdict === 'first-measurement';
  const mark = MARKS[verdict] ?? 'fail';
  const first = storedAs === null ? 'there is no baseline to compare with' : `stored as the baseline of ${storedAs}`;
  const [[broken], [accepted]] = [limits.broken, limits.accepted];
  const headline: Inline = isFirst
    ? `First measurement: ${first}`
    : broken !== undefined
      ? `${counted(limits.broken.length, 'limit')} broken: ${clippedLine(broken.message)}`
      : unpaired?.failed
        ? unpaired.title
        : verdict === 'inconclusive'
          ? `${counted(limits.unjudged.length, 'limit')} could not be judged`
          : verdict === 'invalid' && cause !== null
            ? `Invalid: ${cause}`
            : verdict === 'accepted'
              ? `${counted(limits.accepted.length, 'broken limit')} accepted: ${clippedLine(acceptedSaid(accepted!))}`
              : figures;
  const lists = [
    { title: 'Beyond its limit', lines: limits.broken.map(limitLine) },
    { title: 'Accepted', lines: limits.accepted.map((entry) => `${entry.caseKey}: ${acceptedSaid(entry)}`) },
    { title: 'Limits that could not be judged', lines: limits.unjudged.map(limitLine) },
  ].filter(({ lines }) => lines.length > 0);
  return {
    mark,
    headline,
    cause,
    blocks: (extent) => [
      ...warningBlocks(limits.warnings.slice(0, extent.listed)),
      ...(unpaired === null || unpaired.warnings.length === 0
        ? []
        : [{ kind: 'paragraph' as const, text: unpaired.warnings.join(' ') }]),
      ...(isMeasured ? [{ kind: 'paragraph' as const, text: figures }] : failures(record)),
      ...lists.flatMap(({ title, lines }): Block[] => [
        { kind: 'paragraph', text: [{ strong: `${title}:` }] },
        { kind: 'list', items: lines.slice(0, extent.listed).map((line) => clippedLine(line, 400)) },
      ]),
      ...(isMeasured
        ? [
            {
              kind: 'details' as const,
              summary: view.cases.length === 1 ? 'The case' : `All ${view.cases.length} cases`,
              blocks: resultBlocks(view, extent),
            },
          ]
        : []),
      // Where there is hardly room for the figures, there is none for this.
      ...(extent === shortest
        ? []
        : [{ kind: 'details' as const, summary: 'How this was measured', blocks: measuredWithoutBaseline(record) }]),
    ],
  };
}

/** Of what was not compared; all else is red. */
const MARKS: Partial<Record<RunVerdict, Mark>> = {
  'first-measurement': 'none',
  inconclusive: 'undecided',
  invalid: 'invalid',
  accepted: 'pass',
};

function limitLine({ caseKey, message }: GateEntry): string {
  return `${caseKey}: ${message}`;
}

function acceptedSaid({ message, reason }: AcceptedEntry): string {
  return `${message} (${reason})`;
}

/** Of a run that has no figure of anything: what became of each service. */
function failures({ services, cases }: JudgedRun['record']): Block[] {
  const said = [
    ...services.flatMap(({ failure }) => (failure === null ? [] : reasonSaid(failure.message))),
    ...cases.flatMap(({ reasons }) => reasons.map(({ message }) => reasonSaid(message))),
  ];
  const items = [...new Set(said)].slice(0, 10);
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}

function resultBlocks(view: ReturnType<typeof viewOf>, { cases }: Extent): Block[] {
  let left = cases;
  const shown: Block[] = [];
  for (const panel of panels(view)) {
    if (left <= 0) {
      shown.push({ kind: 'paragraph', text: '… and more cases: all are in report.html.' });
      break;
    }
    left -= panel.rows.length;
    shown.push({ kind: 'caption', text: panel.title }, { kind: 'table', table: resultTable(panel) });
  }
  return shown;
}

const shortest: Extent = { cases: 2, listed: 1 };

/** Tried in turn until the text is short enough. The last is short whatever the names are: each is cut. */
const extents: Extent[] = [
  everything,
  ...[400, 200, 100, 50, 25, 10].map((cases) => ({ cases, listed: 10 })),
  { cases: 5, listed: 3 },
  shortest,
];

/** Markdown of the blocks, `longest` characters at most where any extent is that short. */
export function runMarkdown({ blocks }: RunText, longest: number): string {
  let text = '';
  for (const extent of extents) {
    text = blocks(extent)
      .map(blockMarkdown)
      .filter((each) => each !== '')
      .join('\n\n');
    if (text.length <= longest) return text;
  }
  return `${inlineMarkdown('The details are too long for a comment: they are in report.html.')}`;
}

/** `🔴 Regression in 1 of 4 endpoints: …` */
export function headlineMarkdown({ mark, headline }: Pick<RunText, 'mark' | 'headline'>): string {
  return inlineMarkdown([{ mark }, ' ', headline]);
}
