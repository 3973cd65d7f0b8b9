import { absent, counted, factor, grouped } from '../../format/figures.ts';
import { withoutLog } from '../../format/sentence.ts';
import { shortened, visible } from '../../format/text.ts';
import { metricNamed } from '../../metrics/registry.ts';
import type { Contender, Contest } from '../analysis/contest.ts';
import { areOfSeveralMachines } from '../analysis/machines.ts';
import { pairs } from '../analysis/pairs.ts';
import { type PastFigures, rangesOf, rangesSaid } from '../analysis/ranges.ts';
import { validFigure } from '../analysis/scaling.ts';
import {
  type Block,
  type Column,
  type Inline,
  left,
  type Row,
  right,
  type Section,
  withoutEmptyColumns,
} from '../document.ts';
import { entryFigure } from '../metric-figure.ts';
import { toneOf } from '../panels.ts';
import type { BarsPicture } from '../pictures.ts';
import { keepAlive } from '../sections/keep-alive.ts';
import { rankingSection } from '../sections/ranking.ts';
import { referenceShares } from '../sections/ratios.ts';
import { spread } from '../sections/spread.ts';
import type { Sheet } from '../sheet.ts';
import type { Entry, ReportView, Test } from '../view.ts';
import { caseNotes, entryTitle, loadTitle, modeOf } from '../wording.ts';
import { COLUMNS, rankingSheet, ratioTo } from './ranking-sheet.ts';
import { scalingSection } from './scaling.ts';

/** What a contest is ranked by, and what that takes. */
const MEASURES = ['throughput', 'memory-peak', 'cpu-per-request'] as const;
/** At a given rate, latency takes the place of throughput. */
const MEASURES_AT_RATE = ['latency-p50', 'latency-p99', 'memory-peak', 'cpu-per-request'] as const;
const RATIO_METRICS = ['throughput', 'memory-peak', 'cpu-per-request'] as const;

/** One contest of a run, as the page shows it. */
export interface RankingPage {
  /** What is compared, and who is ahead. */
  lead: Inline;
  blocks: Block[];
  sections: Section[];
  sheet: Sheet;
}

/** `relativeTo`: label that the figures are held against; null for the first one that is ranked. */
export function rankingPage(
  view: ReportView,
  contest: Contest,
  relativeTo: string | null,
  past: PastFigures,
): RankingPage {
  const against = againstOf(contest, relativeTo);
  const test = contest.rows[0]!.test;
  const narrowed = withoutKeepAlive(view, contest);
  const own = { ...view, tests: [...new Set(contest.rows.map((row) => row.test))] };
  const sections = [
    isOfSeveralMachines(contest) ? null : overall(view),
    pairSection(contest, test),
    referenceShares(own),
    scalingSection(view, contest),
    keepAlive(narrowed),
    spread(own),
  ];
  const picture = barsOf(contest, past);
  return {
    lead: lead(contest),
    blocks: [
      ...notes(contest),
      ...(picture === null ? [] : [{ kind: 'picture' as const, picture }]),
      { kind: 'table', table: table(contest, against, past) },
    ],
    sections: sections.flatMap((section) => section ?? []),
    sheet: rankingSheet(contest, against, past),
  };
}

/** Labels that figures can be held against: those with a valid throughput; none where machines differ. */
export function denominators(contest: Contest): string[] {
  if (isOfSeveralMachines(contest)) return [];
  const { rows } = contest;
  return rows.flatMap(({ label, entry }) => ((validFigure(entry, 'throughput') ?? 0) > 0 ? [label] : []));
}

function isOfSeveralMachines({ rows }: Contest): boolean {
  return areOfSeveralMachines(rows.map(({ test }) => test));
}

function againstOf(contest: Contest, relativeTo: string | null): Contender | null {
  if (isOfSeveralMachines(contest)) return null;
  const asked = contest.rows.find(({ label }) => label === relativeTo);
  const found = asked ?? contest.rows.find(({ rank }) => rank === 1);
  return found !== undefined && (validFigure(found.entry, 'throughput') ?? 0) > 0 ? found : null;
}

/** The tests beside a contest that differ from it in keep-alive alone. */
function withoutKeepAlive(view: ReportView, { of, rows }: Contest): ReportView {
  const { test: own } = rows[0]!;
  const same = ['generator', 'route', 'connections', 'load'] as const;
  const isOwn = (test: Test) =>
    (of === 'endpoints' || test.endpoint === own.endpoint) && same.every((part) => test[part] === own[part]);
  return { ...view, tests: view.tests.filter(isOwn) };
}

function lead(contest: Contest): Inline {
  const { rows, openModel, of } = contest;
  const { test } = rows[0]!;
  const what = `${of === 'services' ? `${test.endpoint}, ` : ''}${test.generator}, ${modeOf(test)}, ${loadTitle(test)}`;
  if (isOfSeveralMachines(contest)) {
    return [`${what}: `, 'this run measured its cases on different CPU models, so nobody is ranked.'];
  }
  if (openModel) {
    return [
      `${what}: `,
      `${test.generator} sends at a given rate, so throughput ranks nobody. Compare latency, memory and CPU.`,
    ];
  }
  const ranked = rows.filter(({ rank }) => rank !== null);
  const [first, second] = ranked;
  if (first === undefined) return [`${what}: `, 'no valid figure, so nobody is ranked.'];
  const perSecond = validFigure(first.entry, 'throughput')!;
  const figure = entryFigure(first.entry, metricNamed('throughput')!);
  const next = second === undefined ? null : validFigure(second.entry, 'throughput');
  const ahead = next === null || next <= 0 ? '' : `, ${factor(perSecond / next)} the next, ${second!.label}`;
  return [`${what}: `, { strong: first.label }, ` answers the most requests, ${figure}/s${ahead}.`];
}

function notes(contest: Contest): Block[] {
  const { rows, of } = contest;
  const found: Block[] = [];
  if (of === 'endpoints') {
    const service = rows[0]!.entry.label;
    const text = `This run measured one service, ${service}, so its endpoints are ranked under the same load. They do different work, so the order says what each of them costs and not how well it was written.`;
    found.push({ kind: 'paragraph', text });
  }
  const invalid = rows.filter(({ entry }) => !entry.valid);
  if (invalid.length > 0) {
    const said = invalid.map(({ label, entry }): Inline => [{ strong: label }, `: ${reasons(entry)}`]);
    found.push({
      kind: 'warning',
      text: [
        `Not ranked, because ${invalid.length === 1 ? 'its figures do' : 'their figures do'} not mean what they seem to: `,
        ...said.flatMap((each, at) => [at > 0 ? ' ' : '', each]),
      ],
    });
  }
  return found;
}

function reasons({ record }: Entry): string {
  const [first] = record.reasons;
  if (first === undefined) return 'no reason was recorded.';
  const sentence = withoutLog(first.message);
  const clipped = sentence.length > 200 ? `${sentence.slice(0, 200)}…` : sentence;
  const more = record.reasons.length - 1;
  return `${clipped.replace(/[.\s]+$/, '')}${more === 0 ? '' : ` (and ${counted(more, 'more reason')})`}.`;
}

function measuresOf({ openModel, rows }: Contest): readonly string[] {
  const wanted: readonly string[] = openModel ? MEASURES_AT_RATE : MEASURES;
  return wanted.filter((name) => rows.some(({ entry }) => entryFigure(entry, metricNamed(name)!) !== absent));
}

function barsOf(contest: Contest, past: PastFigures): BarsPicture | null {
  const names = measuresOf(contest);
  if (names.length === 0) return null;
  const ranges = rangesOf(
    contest.rows.map(({ entry }) => entry.record),
    names,
    past,
  );
  const isContest = contest.of === 'services' && contest.rows.filter(({ rank }) => rank !== null).length > 1;
  return {
    form: 'bars',
    title: `${contest.openModel ? 'Latency' : 'Throughput'}, with what it takes`,
    note: [
      rangesSaid(ranges) ?? '',
      contest.rows.some(({ entry }) => !entry.valid) ? 'Dashed: invalid, not ranked.' : '',
    ]
      .filter((each) => each !== '')
      .join(' '),
    measures: names.map((name) => {
      const { better } = metricNamed(name)!;
      return { title: titles[name]!, note: better === 'higher' ? 'more is better' : 'less is better' };
    }),
    rows: contest.rows.map(({ label, entry }) => ({
      label,
      tone: toneOf(entry, isContest),
      bars: names.map((name) => {
        const metric = Object.hasOwn(entry.record.metrics, name) ? entry.record.metrics[name] : undefined;
        if (metric === undefined) return null;
        const figure = entryFigure(entry, metricNamed(name)!);
        return { value: metric.value, figure, range: entry.valid ? ranges.range(entry.record, name) : null };
      }),
    })),
  };
}

const titles: Record<string, string> = {
  throughput: 'Requests per second',
  'latency-p50': 'p50',
  'latency-p99': 'p99',
  'memory-peak': 'Peak memory',
  'cpu-per-request': 'CPU per request',
};

function table(contest: Contest, against: Contender | null, past: PastFigures) {
  const { rows, of, openModel } = contest;
  const ranges = rangesOf(
    rows.map(({ entry }) => entry.record),
    ['throughput'],
    past,
  );
  const isContest = of === 'services' && rows.filter(({ rank }) => rank !== null).length > 1;
  const columns: Column[] = [
    left(of === 'services' ? 'Service' : 'Endpoint'),
    right('Rank'),
    right(titles.throughput!),
    right('Lowest to highest'),
    right(against === null ? 'Ratio' : `× ${shortened(visible(against.label), 24)}`),
    ...COLUMNS.map((name) => right(titles[name]!)),
  ];
  const body = rows.map((row): Row => {
    const { label, entry, rank } = row;
    const range = entry.valid ? ranges.range(entry.record, 'throughput') : null;
    const ratio = openModel ? null : ratioTo(row, against);
    return {
      tone: toneOf(entry, isContest),
      cells: [
        of === 'services' ? entryTitle(entry) : `${label}${caseNotes(entry)}`,
        rank === null ? (entry.valid ? absent : 'not ranked') : String(rank),
        entryFigure(entry, metricNamed('throughput')!),
        range === null ? absent : `${grouped(range[0])} … ${grouped(range[1])}`,
        ratio === null ? absent : ratioFigure(ratio),
        ...COLUMNS.map((name) => entryFigure(entry, metricNamed(name)!)),
      ],
    };
  });
  return withoutEmptyColumns({ label: 'Ranking', columns, rows: body }, absent);
}

/** `2.3x`, `0.0089x`: what is far less is not 0. */
function ratioFigure(ratio: number): string {
  return ratio > 0 && ratio < 0.0995 ? `${Number(ratio.toPrecision(2))}x` : factor(ratio);
}

/** Each pair once, the faster one first: how many times the requests, the memory and the CPU time. */
function pairSection({ of, openModel }: Contest, test: Test): Section | null {
  if (of === 'endpoints' || openModel) return null;
  const found = RATIO_METRICS.map((metric) => pairs([test], metric));
  const names = new Map(found.flat().map(({ numerator, denominator }) => [`${numerator} / ${denominator}`, true]));
  if (names.size === 0) return null;
  const rows = [...names.keys()].map((name): Row => {
    const cells = found.map((own) => {
      const ratio =
        own.find(({ numerator, denominator }) => `${numerator} / ${denominator}` === name)?.ratios[0] ?? null;
      return ratio === null ? absent : ratioFigure(ratio);
    });
    return { tone: 'plain', cells: [name, ...cells] };
  });
  const columns = [left('Services'), ...RATIO_METRICS.map((metric) => right(titles[metric]!))];
  const text =
    'What the first has as a multiple of the second. Of requests more is better, of memory and CPU time less. Invalid cases are left out.';
  const own = withoutEmptyColumns({ label: 'Service against service', columns, rows }, absent);
  return {
    id: 'pairs',
    title: 'Service against service',
    blocks: [
      { kind: 'paragraph', text },
      { kind: 'table', table: own },
    ],
  };
}

/** The report's own ranking, over all tests. */
function overall(view: ReportView): Section | null {
  const section = rankingSection(view);
  return section === null ? null : { ...section, id: 'overall', title: 'Over all tests' };
}
