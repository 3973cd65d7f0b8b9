import { counted, span } from '../../format/figures.ts';
import { comparisonBlocks, everything } from '../comparison/blocks.ts';
import { headline as verdict } from '../comparison/headline.ts';
import { type Block, type Inline, left, type Row, right, type Section } from '../document.ts';
import { capacity } from '../sections/capacity.ts';
import { cost } from '../sections/cost.ts';
import { counts } from '../sections/counts.ts';
import { environment } from '../sections/environment.ts';
import { errors } from '../sections/errors.ts';
import { fairness } from '../sections/fairness.ts';
import { gateway } from '../sections/gateway.ts';
import { keepAlive } from '../sections/keep-alive.ts';
import { latencyDetail } from '../sections/latency-detail.ts';
import { limits } from '../sections/limits.ts';
import { method } from '../sections/method.ts';
import { rankingSection } from '../sections/ranking.ts';
import { ratios, referenceShares } from '../sections/ratios.ts';
import { rawData } from '../sections/raw-data.ts';
import { reproduce } from '../sections/reproduce.ts';
import { resources } from '../sections/resources.ts';
import { results, resultTables } from '../sections/results.ts';
import { scaling } from '../sections/scaling.ts';
import { services } from '../sections/services.ts';
import { spread } from '../sections/spread.ts';
import { headline, summary } from '../sections/summary.ts';
import { warnings } from '../sections/warnings.ts';
import { type ReportView, viewOf } from '../view.ts';
import { acrossBlocks } from './across.ts';
import { linkedFrom } from './links.ts';
import { type LabelledRun, notComparable, viewsOf } from './runs.ts';

/** What a block can be made of. A new one is a line in `BLOCKS`. */
export interface BlockDefinition {
  name: string;
  /** What its own heading says, where it is asked to have one. */
  title: string;
  /** Of some of the cases, its tables alone. */
  isSelection: boolean;
  /** Empty where the runs have nothing for it. */
  blocks(runs: readonly LabelledRun[], options: BlockOptions): Piece[];
}

interface BlockOptions {
  /** The run that the others are held against; null is the first. */
  base: string | null;
  isSelection: boolean;
}

/** What is said of some of the runs; `label` is null where it is said of all. */
export interface Piece {
  label: string | null;
  blocks: Block[];
}

export const BLOCKS: readonly BlockDefinition[] = [
  ofTests('summary', 'Summary', summaryBlocks),
  { name: 'runs', title: 'Runs', isSelection: false, blocks: (runs) => whole(runTable(runs)) },
  ofEach('comparison', 'Comparison', comparisonOf),
  ofTests('ranking', 'Ranking', ofSection(rankingSection)),
  ofEach('warnings', 'What to know', ({ record }) => warnings(viewOf(record))?.blocks ?? []),
  ofEach('services', 'Services', ({ record }) => services(viewOf(record))?.blocks ?? []),
  ofEach('environment', 'Test environment', ({ record }) => environment(viewOf(record)).blocks),
  ofTests('fairness', 'Fairness', ofSection(fairness)),
  ofEach('method', 'Methodology', ({ record }) => method(viewOf(record)).blocks),
  ofEach('capacity', 'Capacity', ({ record }) => capacity(viewOf(record))?.blocks ?? []),
  ofTests('results', 'Results', (view, { isSelection }) =>
    isSelection ? resultTables(view) : (results(view)?.blocks ?? []),
  ),
  ofTests('ratios', 'Service against service', ofSection(ratios)),
  ofTests('references', 'Against the reference', ofSection(referenceShares)),
  ofTests('keep-alive', 'Keep-alive impact', ofSection(keepAlive)),
  ofTests('spread', 'Latency consistency', ofSection(spread)),
  ofTests('latency', 'Latency in detail', ofSection(latencyDetail)),
  ofTests('errors', 'Errors by kind', ofSection(errors)),
  ofTests('scaling', 'Connection scaling', ofSection(scaling)),
  ofTests('gateway', 'Gateway against direct', ofSection(gateway)),
  { name: 'across', title: 'Run against run', isSelection: true, blocks: across },
  ofTests('resources', 'Memory and CPU', ofSection(resources)),
  ofTests('cost', 'Cost at equal load', ofSection(cost)),
  ofTests('limits', 'What limits the throughput', ofSection(limits)),
  ofTests('counts', 'Queries, rows and bytes', ofSection(counts)),
  ofEach('reproduce', 'How to reproduce', ({ record }) => reproduce(viewOf(record)).blocks),
  ofEach('raw', 'Raw data', rawBlocks),
];

export const BLOCK_NAMES = BLOCKS.map(({ name }) => name);

type OfView = (view: ReportView, options: BlockOptions) => Block[];

function ofSection(section: (view: ReportView) => Section | null): OfView {
  return (view) => section(view)?.blocks ?? [];
}

/** Of runs that measured different services alike, all services stand in one table. */
function ofTests(name: string, title: string, of: OfView): BlockDefinition {
  const blocks = (runs: readonly LabelledRun[], options: BlockOptions) =>
    pieces(viewsOf(runs).map(({ runs: own, view }) => ({ labels: own, blocks: of(view, options) })));
  return { name, title, isSelection: true, blocks };
}

function ofEach(name: string, title: string, of: (run: LabelledRun) => Block[]): BlockDefinition {
  const blocks = (runs: readonly LabelledRun[]) => pieces(runs.map((run) => ({ labels: [run], blocks: of(run) })));
  return { name, title, isSelection: false, blocks };
}

function whole(blocks: Block[]): Piece[] {
  return blocks.length === 0 ? [] : [{ label: null, blocks }];
}

/** What is the same of several runs is said once. */
function pieces(all: { labels: LabelledRun[]; blocks: Block[] }[]): Piece[] {
  const bySaid = new Map<string, { labels: string[]; blocks: Block[] }>();
  for (const { labels, blocks } of all) {
    if (blocks.length === 0) continue;
    const key = JSON.stringify(blocks);
    const known = bySaid.get(key) ?? { labels: [], blocks };
    known.labels.push(...labels.map(({ label }) => label));
    bySaid.set(key, known);
  }
  const found = [...bySaid.values()];
  const isAll = all.length === 1 || (found.length === 1 && found[0]!.labels.length === all.length);
  return found.map(({ labels, blocks }) => ({ label: isAll ? null : inWords(labels), blocks }));
}

function inWords(labels: string[]): string {
  return labels.length < 2 ? labels.join('') : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;
}

function summaryBlocks(view: ReportView): Block[] {
  return [{ kind: 'paragraph', text: headline(view) }, ...summary(view).blocks];
}

function comparisonOf({ record, comparison }: LabelledRun): Block[] {
  if (comparison === null) return [];
  const { mark, text } = verdict(comparison, record);
  return [{ kind: 'paragraph', text: [{ mark }, ' ', text] }, ...comparisonBlocks(comparison, record, everything)];
}

/** A list of files that lead nowhere helps nobody. */
function rawBlocks({ record, folder }: LabelledRun): Block[] {
  const { blocks } = rawData(viewOf(record));
  return linkedFrom(folder, folder === null ? blocks.filter(({ kind }) => kind !== 'details') : blocks);
}

/** Which runs the report is of, and which of them may not be held against each other. One run needs no list. */
function runTable(runs: readonly LabelledRun[]): Block[] {
  if (runs.length < 2) return [];
  const rows = runs.map(({ label, record }): Row => {
    const { source, environment: machine, timing } = record;
    const commit: Inline = source.sha === null ? '–' : { code: source.sha.slice(0, 12) };
    return {
      tone: 'plain',
      cells: [
        label,
        record.spec.name,
        commit,
        record.startedAt.slice(0, 16).replace('T', ' '),
        `${machine.cpuModel}, ${counted(machine.cpuCount, 'core')}`,
        counted(record.cases.filter(({ variant }) => variant === 'candidate').length, 'case'),
        span(timing.wallSeconds),
      ],
    };
  });
  const titles = ['Run', 'Spec', 'Commit', 'Started, UTC', 'Machine'].map(left);
  const columns = [...titles, right('Measured'), right('Took')];
  return [{ kind: 'table', table: { label: 'Runs of this report', columns, rows } }, ...relation(runs)];
}

function relation(runs: readonly LabelledRun[]): Block[] {
  const [first, ...others] = runs;
  const reasons = others.flatMap((other) => notComparable(first!, other));
  if (reasons.length > 0) {
    const text = `${reasons.join(' ')} Figures of different machines are not comparable, and no table here holds them against each other.`;
    return [{ kind: 'warning', text }];
  }
  if (viewsOf(runs).length > 1) return [];
  const text =
    'Each run measured other services, with the same requests and the same load, on machines of the same kind: they stand in ' +
    'the same tables. The runs were at different times.';
  return [{ kind: 'paragraph', text }];
}

/** The first run, or the one that `base` names, against each of the others. */
function across(runs: readonly LabelledRun[], { base }: BlockOptions): Piece[] {
  const first = runs.find(({ label }) => label === base) ?? runs[0]!;
  const found = runs
    .filter((run) => run !== first)
    .map((other) => ({ label: `${first.label} and ${other.label}`, blocks: acrossBlocks(first, other) }))
    .filter(({ blocks }) => blocks.length > 0);
  return found.length === 1 ? [{ ...found[0]!, label: null }] : found;
}
