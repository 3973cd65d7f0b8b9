import type { MetricComparison } from '../../comparison/comparison.ts';
import { absent, counted } from '../../format/figures.ts';
import { signedPercent } from '../../format/percent.ts';
import { metricNamed } from '../../metrics/registry.ts';
import type { RunRecord } from '../../record/run-record.ts';
import {
  type Condition,
  type Says,
  type StoredCase,
  type StoredChanges,
  storedChanges,
} from '../analysis/stored-changes.ts';
import { type CaseLabels, caseLabels } from '../comparison/case-labels.ts';
import { changeFigure, metricFigure } from '../comparison/change-figures.ts';
import { inReportOrder } from '../comparison/metric-words.ts';
import { type Block, type CellLook, type Inline, left, type Row, right, type Section } from '../document.ts';
import type { Sheet } from '../sheet.ts';

/** Two runs, as the page compares them. */
export interface ComparePage {
  conditions: Section;
  counts: Section | null;
  changes: Section;
  /** The metric that `changes` is of: `all`, or null where there is none. */
  shown: string | null;
  sheet: Sheet;
  /** Metrics that either run has beside the counts, of which a reader may choose one. */
  metrics: { name: string; title: string }[];
}

/** Shown where nobody chose, of those that there are the first. */
const FIRST = ['throughput', 'latency-p50', 'latency-mean'];

/** `metric`: the one to show; `all` for all of them, null for the usual one. Throws `NotComparable`. */
export function comparePage(base: RunRecord, head: RunRecord, metric: string | null): ComparePage {
  const changes = storedChanges(base, head);
  const names = inReportOrder(changes.cases.flatMap(({ metrics }) => metrics.map(({ name }) => name)));
  const isCount = (name: string) => metricNamed(name)?.ofPass !== undefined;
  const measured = names.filter((name) => !isCount(name));
  const known = metric === 'all' || measured.includes(metric ?? '');
  const shown = known ? metric! : (FIRST.find((name) => measured.includes(name)) ?? measured[0] ?? null);
  const counts = only(changes, isCount);
  const figures = only(changes, (name) => !isCount(name) && (shown === 'all' || name === shown));
  const labels = caseLabels(changes.comparison, head);
  return {
    conditions: mayBeCompared(changes, base, head),
    counts: countSection(counts, labels),
    changes: changeSection(figures, labels, shown === 'all'),
    shown,
    sheet: sheetOf([...counts.cases, ...figures.cases]),
    metrics: measured.map((name) => ({ name, title: labels.metric(name) })),
  };
}

function only(changes: StoredChanges, isShown: (name: string) => boolean): StoredChanges {
  const cases = changes.cases.map((each) => ({ ...each, metrics: each.metrics.filter(({ name }) => isShown(name)) }));
  return { ...changes, cases };
}

function mayBeCompared(changes: StoredChanges, base: RunRecord, head: RunRecord): Section {
  const { sameConditions, conditions } = changes;
  const differing = conditions.filter(({ differs }) => differs);
  const deciding = differing.filter(({ decides }) => decides);
  const other = differing.filter(({ decides }) => !decides);
  const counts =
    'Exact counts (queries, rows and bytes per request) are the same on every machine: they are compared digit by digit.';
  const text: Inline[] = sameConditions
    ? [
        'Both runs were measured on the same kind of machine, in the same way, so their figures can stand beside each other. But they shared no moment of a machine: what looks like a change may be the machine of that day. So every change is ',
        { strong: 'undecided' },
        ` here. ${counts}`,
      ]
    : [
        { strong: 'Only exact counts can be compared.' },
        ` The runs differ in ${deciding.map(({ what }) => what).join(', ')}, so a difference of throughput, latency, CPU or memory says nothing of the services. Those figures are grey and without a percentage. ${counts}`,
      ];
  const blocks: Block[] = [{ kind: sameConditions ? 'paragraph' : 'warning', text }];
  if (other.length > 0) {
    const said = other.map(({ what, base: was, head: is }) => `${what}: ${was}, then ${is}`).join('; ');
    blocks.push({ kind: 'paragraph', text: `Worth knowing, since it may explain a change: ${said}.` });
  }
  if (base.startedAt > head.startedAt) {
    blocks.push({
      kind: 'warning',
      text: 'The first run is newer than the second one. Swap them to see changes in the order of time.',
    });
  }
  blocks.push({
    kind: 'details',
    summary: `All ${conditions.length} conditions`,
    blocks: [
      { kind: 'table', table: { label: 'Conditions of the two runs', ...conditionTable(conditions), stacks: true } },
    ],
  });
  return { id: 'conditions', title: 'What can be compared', blocks };
}

function conditionTable(conditions: readonly Condition[]) {
  return {
    columns: [left('Condition'), left('First run'), left('Second run'), left('Same')],
    rows: conditions.map(
      ({ what, base, head, differs, decides }): Row => ({
        tone: 'plain',
        cells: [what, base, head, differs ? [{ strong: 'no' }, decides ? ', decides' : ''] : 'yes'],
      }),
    ),
  };
}

/** Null where neither run has any. */
function countSection({ cases }: StoredChanges, labels: CaseLabels): Section | null {
  const all = cases.flatMap(({ metrics }) => metrics);
  if (all.length === 0) return null;
  const isShown = (says: Says) => says.kind !== 'exact' || says.differs;
  const rows = cases.flatMap((each) =>
    caseRows({ ...each, metrics: each.metrics.filter(({ says }) => isShown(says)) }, labels, true),
  );
  const text = countsSaid(all.map(({ says }) => says));
  const table: Block[] =
    rows.length === 0
      ? []
      : [{ kind: 'table', table: { label: 'Exact counts', columns: columnsOf(true), rows, stacks: true } }];
  return { id: 'counts', title: 'Exact counts', blocks: [{ kind: 'paragraph', text }, ...table] };
}

/** Of all counts, those of the table below among them. */
function countsSaid(all: readonly Says[]): string {
  const numberOf = (is: (says: Says) => boolean) => all.filter(is).length;
  const same = numberOf((says) => says.kind === 'exact' && !says.differs);
  const [differing, alone] = [numberOf((says) => says.kind === 'exact' && says.differs), numberOf(isOneSided)];
  const apart = all.length - same - differing - alone;
  const which = same > 1 && same === all.length ? 'All ' : '';
  const parts = [
    ...(differing === 0 ? [] : [`${counted(differing, 'count')} ${differing === 1 ? 'differs' : 'differ'}`]),
    ...(same === 0
      ? []
      : [`${which}${counted(same, 'count')} per request ${same === 1 ? 'is' : 'are'} the same in both runs`]),
    ...(alone === 0 ? [] : [`${counted(alone, 'count')} ${alone === 1 ? 'was' : 'were'} taken in one run alone`]),
    ...(apart === 0
      ? []
      : [`${counted(apart, 'count')} ${apart === 1 ? 'is' : 'are'} of cases that are invalid in a run`]),
  ];
  return `${parts.join('; ')}.`;
}

const isOneSided = ({ kind }: Says): boolean => kind === 'one-sided';

function changeSection({ cases }: StoredChanges, labels: CaseLabels, withMetric: boolean): Section {
  const rows = cases.flatMap((each) => caseRows(each, labels, withMetric));
  const alone = cases.filter(({ presence }) => presence !== 'both').length;
  const said = `${counted(alone, 'case')} ${alone === 1 ? 'is' : 'are'} in one run alone.`;
  const table: Block =
    rows.length === 0
      ? { kind: 'paragraph', text: 'Neither run has a figure to show.' }
      : { kind: 'table', table: { label: 'Figures of both runs', columns: columnsOf(withMetric), rows, stacks: true } };
  return {
    id: 'changes',
    title: 'Figures',
    blocks: [...(alone === 0 ? [] : [{ kind: 'paragraph' as const, text: said }]), table],
  };
}

function columnsOf(withMetric: boolean) {
  return [
    left('Case'),
    ...(withMetric ? [left('Metric')] : []),
    right('First run'),
    right('Second run'),
    right('Change'),
    left('What it says'),
  ];
}

function caseRows({ key, presence, reasons, metrics }: StoredCase, labels: CaseLabels, withMetric: boolean): Row[] {
  return metrics.map(({ name, compared, says }, at): Row => {
    const figures = [compared.baseline, compared.candidate].map((value) => metricFigure(name, compared, value));
    const first = [at === 0 ? labels.of(key) : '', ...(withMetric ? [labels.metric(name)] : []), ...figures];
    return { tone: 'plain', ...said(first, name, compared, says, reasons[0] ?? null, presence) };
  });
}

function said(
  first: Inline[],
  name: string,
  compared: MetricComparison,
  says: Says,
  reason: string | null,
  presence: StoredCase['presence'],
): Omit<Row, 'tone'> {
  if (says.kind === 'undecided') {
    return { cells: [...first, signedPercent(says.change), [{ mark: 'undecided' }, ' undecided']] };
  }
  if (says.kind === 'one-sided') return { cells: [...first, absent, oneSided[presence]] };
  if (says.kind === 'apart') {
    const looks = [
      ...first.map((_, at): CellLook => (at < first.length - 2 ? null : 'quiet')),
      'quiet' as const,
      'quiet' as const,
    ];
    return { looks, cells: [...first, absent, `not comparable: ${reason ?? says.why}`] };
  }
  if (!says.differs) return { cells: [...first, '0', 'the same'] };
  const verdict: Inline = [{ mark: isWorse(compared) ? 'fail' : 'pass' }, isWorse(compared) ? ' more' : ' less'];
  return { cells: [...first, { strong: changeFigure(name, compared) }, verdict] };
}

const oneSided = { new: 'only in the second run', missing: 'only in the first run', both: 'measured in one run alone' };

/** Fewer queries, rows and bytes are better. */
function isWorse({ baseline, candidate }: MetricComparison): boolean {
  return (candidate ?? 0) > (baseline ?? 0);
}

function sheetOf(cases: readonly StoredCase[]): Sheet {
  return {
    columns: ['case', 'metric', 'unit', 'first run', 'second run', 'change', 'says', 'why'],
    rows: cases.flatMap(({ key, metrics: own }) =>
      own.map(({ name, compared, says }) => [
        key,
        name,
        compared.unit,
        compared.baseline,
        compared.candidate,
        says.kind === 'undecided' ? says.change : says.kind === 'exact' ? compared.change : null,
        says.kind === 'exact'
          ? says.differs
            ? 'differs'
            : 'the same'
          : says.kind === 'apart'
            ? 'not comparable'
            : says.kind,
        says.kind === 'apart' ? says.why : null,
      ]),
    ),
  };
}
