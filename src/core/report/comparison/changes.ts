import { candidateFigure } from '../../comparison/candidate-figure.ts';
import type { Comparison } from '../../comparison/comparison.ts';
import { counted } from '../../format/figures.ts';
import { type Block, type Inline, joined, left, right, withoutEmptyColumns } from '../document.ts';
import type { CaseLabels } from './case-labels.ts';
import { changeFigure, metricFigure } from './change-figures.ts';
import { findingCells, intervalSaid, isBeyondOnly } from './change-table.ts';
import { judgedIn, placeOf } from './endpoint-groups.ts';
import { explanationsByName } from './explanation.ts';
import { caseFindings, type Finding, type FindingKind, isExact, isOfDatabase } from './findings.ts';
import { changeTitle } from './interval-level.ts';
import { narrowTitle, shortName } from './metric-words.ts';
import { areOrdered } from './row-figures.ts';

/** What changed of one endpoint, or of a service as a whole: a row for each cause, and what was measured with it. */
interface Change {
  /** Of its first finding. */
  key: string;
  kind: FindingKind;
  rows: Finding[];
  alongside: Finding[];
  /** Its endpoints say more: it is their sum. */
  isSum: boolean;
}

/** Endpoints with a table that is not folded. */
const MOST_OPEN = 5;

/** Endpoint by endpoint, the worst first, with where the extra cost went; `most` endpoints. */
export function changeBlocks(comparison: Comparison, labels: CaseLabels, most: number): Block[] {
  const changes = changesOf(comparison);
  const own = changes.filter(({ isSum }) => !isSum);
  const title = changeTitle(comparison);
  const explained = explanationsByName(comparison, labels);
  const blocksOf = (change: Change) => [...endpointBlocks(change, title, labels), ...explanationBlocks(change)];
  const explanationBlocks = (change: Change): Block[] => {
    const name = labels.short(change.key);
    const said = change.kind === 'improvement' ? undefined : explained.get(name);
    // Of two that are told of the same endpoint, the first.
    explained.delete(name);
    return said === undefined ? [] : [{ kind: 'paragraph', text: [{ strong: 'Where it went' }, ': ', said, '.'] }];
  };
  const shown = own.slice(0, most);
  const folded = shown.slice(MOST_OPEN);
  return [
    ...shown.slice(0, MOST_OPEN).flatMap(blocksOf),
    ...(folded.length === 0
      ? []
      : [
          {
            kind: 'details' as const,
            summary: `${counted(folded.length, 'more change')}`,
            blocks: folded.flatMap(blocksOf),
          },
        ]),
    ...(own.length <= shown.length
      ? []
      : [
          {
            kind: 'paragraph' as const,
            text: `… and ${counted(own.length - shown.length, 'more change')}: all are in report.html.`,
          },
        ]),
    ...changes.flatMap(({ key, isSum, rows, alongside }): Block[] =>
      isSum
        ? [
            {
              kind: 'paragraph',
              text: [{ strong: labels.short(key) }, ': ', ...saidOf([...rows, ...alongside], [], labels)],
            },
          ]
        : [],
    ),
  ];
}

/** In the order in which findings are shown. */
function changesOf(comparison: Comparison): Change[] {
  const places = new Map(judgedIn(comparison).map((each) => [each.key, placeOf(each)]));
  const groups = new Map<string, Finding[]>();
  for (const { findings } of caseFindings(comparison)) {
    for (const finding of findings) {
      const isSum = finding.level === 'service';
      const group = `${finding.kind} ${isSum} ${places.get(finding.key) ?? finding.key}`;
      groups.set(group, [...(groups.get(group) ?? []), finding]);
    }
  }
  return [...groups.values()].map((findings) => {
    const [{ key, kind, level }] = findings as [Finding];
    return { key, kind, ...divided(findings), isSum: level === 'service' };
  });
}

/**
 * One more query per request lowers throughput and raises latency and CPU time: that is one row, and the rest goes with it. Where no count
 * says why, what was measured under load has one row, and what else it shows goes with that.
 */
function divided(findings: readonly Finding[]): Pick<Change, 'rows' | 'alongside'> {
  const ofDatabase = findings.filter(isOfDatabase);
  const others = findings.filter((each) => !isOfDatabase(each));
  const counts = others.filter((each) => isExact(each) || isBeyondOnly(each));
  const underLoad = others.filter((each) => !counts.includes(each));
  const [first, ...more] = [...ofDatabase, ...underLoad];
  const rows = first === undefined ? counts : [first, ...counts];
  return { rows, alongside: more };
}

function endpointBlocks({ key, kind, rows, alongside }: Change, title: string, labels: CaseLabels): Block[] {
  const columns = [left('Metric'), left(title), right('Baseline'), right('Candidate'), right('Limit')];
  const table = {
    label: `What changed: ${labels.short(key)}`,
    stacks: true as const,
    columns,
    rows: rows.map((finding) => {
      const { baseline, candidate, change, limit } = findingCells(finding);
      const tone = kind === 'improvement' ? ('better' as const) : ('worse' as const);
      return {
        tone,
        cells: [
          withDetail(narrowTitle(finding.metric), finding, [...rows, ...alongside], labels),
          change,
          baseline,
          candidate,
          limit,
        ],
      };
    }),
  };
  return [
    { kind: 'caption', text: labels.short(key) },
    { kind: 'table', table: withoutEmptyColumns(table, '') },
    ...(alongside.length === 0
      ? []
      : [{ kind: 'paragraph' as const, text: ['With it: ', ...saidOf(alongside, [...rows, ...alongside], labels)] }]),
  ];
}

/** `CPU per request`; `CPU per request, keep-alive on · 100 connections` of one of several cases that could be meant. */
function withDetail(name: string, finding: Finding, others: readonly Finding[], labels: CaseLabels): string {
  const detail = isNamed(finding, others) ? labels.detail(finding.key) : '';
  return `${name}${detail === '' ? '' : `, ${detail}`}`;
}

/** A metric that one case of an endpoint has stands for the endpoint, unless another finding is of the same metric. */
function isNamed({ level, metric }: Finding, others: readonly Finding[]): boolean {
  return level === 'case' || others.filter((each) => each.metric === metric).length > 1;
}

/** `CPU +6.1 % (+4.9 … +7.3), 412 µs → 437 µs; throughput …`. */
function saidOf(findings: readonly Finding[], all: readonly Finding[], labels: CaseLabels): Inline[] {
  const said = findings.map((finding): Inline => {
    const { metric, compared, kind } = finding;
    const figure = changeFigure(metric, compared);
    const [from, to] = [compared.baseline, candidateFigure(compared)].map((value) =>
      metricFigure(metric, compared, value),
    );
    const change = kind === 'regression' ? { strong: figure } : figure;
    const ofCase = all.filter(({ key }) => key === finding.key);
    const isOrdered = areOrdered(Object.fromEntries(ofCase.map((each) => [each.metric, each.compared])));
    // A p50 above its p99 would tell nobody anything: the changes are what was measured.
    if (metric.startsWith('latency-') && !isOrdered) {
      return [`${withDetail(shortName(metric), finding, all, labels)} `, change, intervalSaid(compared)];
    }
    return [
      `${withDetail(shortName(metric), finding, all, labels)} `,
      change,
      `${intervalSaid(compared)}, ${from} → ${to}`,
    ];
  });
  return [...joined(said, '; '), '.'];
}
