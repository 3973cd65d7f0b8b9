import { isExact } from '../../comparison/gating.ts';
import { limitIn } from '../../comparison/unit-key.ts';
import { intervalText, signedPercent } from '../../format/percent.ts';
import { metricNamed } from '../../metrics/registry.ts';
import type { CaseRecord, ComparedFigure, RunRecord } from '../../record/run-record.ts';
import { thresholdFigure } from '../comparison/change-figures.ts';
import { extentOf, ticksOf } from '../comparison/intervals.ts';
import { inReportOrder, metricTitle } from '../comparison/metric-words.ts';
import {
  type Block,
  type Inline,
  type IntervalChart,
  type IntervalRow,
  left,
  type Mark,
  type Row,
  right,
  type Section,
} from '../document.ts';
import { entryFigure } from '../metric-figure.ts';
import type { Entry, ReportView } from '../view.ts';
import { longTest } from '../wording.ts';
import { acceptedChanges, type IsAccepted, type PlacedChanges } from './accepted-changes.ts';

/** Where something was compared: a service, an endpoint or a case. */
interface ComparedPlace extends PlacedChanges {
  label: string;
  /** Of a case alone: what the figure is. */
  entry: Entry | null;
}

/** How a change is called. */
interface Words {
  isAccepted: IsAccepted;
  /** Of a metric. */
  title(metric: string): string;
}

type Verdict = NonNullable<ComparedFigure['verdict']>;

const SIGNS: Record<Verdict, { mark: Mark; word: string }> = {
  regression: { mark: 'fail', word: 'worse' },
  improvement: { mark: 'pass', word: 'better' },
  'no-change': { mark: 'none', word: 'no change' },
  inconclusive: { mark: 'undecided', word: 'undecided' },
  'not-measured': { mark: 'invalid', word: 'not measured' },
  invalid: { mark: 'invalid', word: 'invalid' },
  new: { mark: 'none', word: 'new' },
};

const HOW: Record<string, string> = {
  duet: 'Both sides were loaded at the same time on the same machine, so a change does not depend on how fast the machine was.',
  interleaved:
    'Both sides were loaded in turn on the same machine, so a change hardly depends on how fast the machine was.',
  stored: 'The figures of earlier runs stood in for a baseline: these changes are told from how past runs scattered.',
};

/** What a run was compared with when it was measured, and what came of it. Null where it was compared with nothing. */
export function changesSection(record: RunRecord, view: ReportView): Section | null {
  const { published } = record;
  const places = [...levels(record), ...cases(view)];
  if (published === undefined || (published.baseline === null && places.length === 0)) return null;
  const against = published.baseline === null ? [] : [`Against ${published.baseline.text}. `];
  const how = isSkipped(record) ? SKIPPED : places.length === 0 ? '' : (HOW[published.mode ?? ''] ?? '');
  const words: Words = {
    isAccepted: acceptedChanges(record, places),
    title: (metric) => metricTitle(metric, record.spec),
  };
  const accepted = published.accepted.map(
    ({ cases: which, metric, reason }): Inline => [
      'Accepted: ',
      { code: which },
      metric === null ? '' : `, ${words.title(metric)}`,
      `: ${reason}`,
    ],
  );
  // An endpoint stands for its cases, but for those in which something was found.
  const first = places.filter((place) => place.entry === null || isFound(place));
  const shown = first.some(({ entry }) => entry === null) ? first : places;
  const rest: Block[] =
    shown.length === places.length
      ? []
      : [{ kind: 'details', summary: 'All cases', blocks: [tableOf(places, 'Changes of all cases', words)] }];
  return {
    id: 'run-changes',
    title: 'Changes when it was measured',
    blocks: [
      ...(against.length === 0 && how === '' ? [] : [{ kind: 'paragraph' as const, text: [...against, how] }]),
      ...(accepted.length === 0 ? [] : [{ kind: 'list' as const, items: accepted }]),
      ...(places.length === 0 || places.some(isFound)
        ? []
        : [{ kind: 'paragraph' as const, text: 'Nothing was found to have changed.' }]),
      ...(shown.length === 0 ? [] : [tableOf(shown, 'Changes against the baseline', words)]),
      ...pictures(shown, words),
      ...rest,
    ],
  };
}

const SKIPPED = 'Nothing was measured, since both sides are the same.';

/** A run that passed without a case was spared: without one it would have failed otherwise. */
function isSkipped({ published, cases: measured }: RunRecord): boolean {
  return published?.passed === true && measured.length === 0;
}

function signOf(verdict: Verdict, isAccepted: boolean): { mark: Mark; word: string } {
  return isAccepted && verdict === 'regression' ? { mark: 'none', word: 'worse, accepted' } : SIGNS[verdict];
}

function isFound({ metrics }: ComparedPlace): boolean {
  return Object.values(metrics).some(({ verdict }) => verdict === 'regression' || verdict === 'improvement');
}

/** Those with a regression first, and of these the ones that nobody accepted. */
function tableOf(places: readonly ComparedPlace[], label: string, words: Words): Block {
  const weightOf = ({ key, metrics }: ComparedPlace) => {
    const worse = Object.keys(metrics).filter((name) => metrics[name]!.verdict === 'regression');
    return worse.some((name) => !words.isAccepted(key, name)) ? 2 : Math.min(1, worse.length);
  };
  const sorted = [...places].sort((one, other) => weightOf(other) - weightOf(one));
  const columns = [left('Where'), left('Metric'), right('Figure'), right('Change'), left('Verdict')];
  return {
    kind: 'table',
    table: { label, columns, stacks: true, rows: sorted.flatMap((place) => rowsOf(place, words)) },
  };
}

/** Services and endpoints, by keys such as `api/users/*` and `api/users/*@5%`. */
function levels({ published, cases: all }: RunRecord): ComparedPlace[] {
  return (published?.levels ?? []).map(({ key, metrics }) => {
    const [start = ''] = key.split('*');
    const one = all.find((each) => each.key.startsWith(start));
    return { key, label: one === undefined ? key : levelLabel(key, one, metrics), entry: null, metrics };
  });
}

/** `api · all endpoints`, `api · users`; `api · users · cases limited to +5 %` of those with one of several limits. */
function levelLabel(key: string, { service, endpoint }: CaseRecord, metrics: ComparedPlace['metrics']): string {
  const isService = key.startsWith(`${service}/*`);
  const limit = limitText(key, metrics);
  if (limit === null) return `${service} · ${isService ? 'all endpoints' : endpoint}`;
  return [service, ...(isService ? [] : [endpoint]), `cases limited to ${limit}`].join(' · ');
}

/** Null where the key is that of all cases. A metric of a later wrkbench has no unit here. */
function limitText(key: string, metrics: ComparedPlace['metrics']): string | null {
  const limit = limitIn(key);
  if (limit === null) return null;
  const [metric] = Object.keys(metrics).flatMap((name) => metricNamed(name) ?? []);
  if (metric === undefined) return key.slice(key.lastIndexOf('@') + 1);
  return thresholdFigure(metric.name, { ...metric, evidence: { mode: isExact(metric) ? 'exact' : 'duet' } }, limit);
}

function cases({ tests }: ReportView): ComparedPlace[] {
  return tests.flatMap((test) =>
    test.entries.flatMap((entry): ComparedPlace[] => {
      const own = Object.entries(entry.record.metrics).flatMap(([name, { compared }]) =>
        compared === undefined ? [] : [[name, compared] as const],
      );
      if (own.length === 0) return [];
      const label = `${entry.label} · ${longTest(test)}`;
      return [{ key: entry.record.key, label, entry, metrics: Object.fromEntries(own) }];
    }),
  );
}

/** Beside the table, which says the same: a picture for each metric whose changes have intervals. */
function pictures(places: readonly ComparedPlace[], { isAccepted, title }: Words): Block[] {
  const names = inReportOrder(places.flatMap(({ metrics }) => Object.keys(metrics)));
  const charts = names.flatMap((name): IntervalChart[] => {
    const rows = places.flatMap(({ key, label, metrics }) => {
      const found = Object.hasOwn(metrics, name) ? metrics[name]! : null;
      return found === null ? [] : intervalRow(label, found, isAccepted(key, name));
    });
    if (rows.length === 0) return [];
    const worse = metricNamed(name)?.better === 'higher' ? 'left' : 'right';
    const note = `${worse} is worse; the line is the interval that the verdict rests on`;
    const extent = extentOf(rows);
    return [{ title: title(name), note, rows, extent, ticks: ticksOf(extent) }];
  });
  if (charts.length === 0) return [];
  const blocks = charts.map((chart): Block => ({ kind: 'intervals', chart }));
  return [{ kind: 'details', summary: 'Pictures of the changes', blocks }];
}

function intervalRow(label: string, { change, interval, verdict }: ComparedFigure, isAccepted: boolean): IntervalRow[] {
  if (change === null || interval === null || verdict === null) return [];
  const { mark, word } = signOf(verdict, isAccepted);
  const figure = `${signedPercent(change)} ${word}`;
  return [{ label, change, interval: null, adjusted: interval, threshold: null, mark, word, figure }];
}

/** What has a verdict: what was only shown has none. */
function rowsOf({ key, label, entry, metrics }: ComparedPlace, { isAccepted, title }: Words): Row[] {
  const names = inReportOrder(Object.keys(metrics)).filter((name) => metrics[name]!.verdict !== null);
  return names.map((name, at): Row => {
    const { change, interval, verdict } = metrics[name]!;
    const { mark, word } = signOf(verdict!, isAccepted(key, name));
    const definition = metricNamed(name);
    const figure = entry === null || definition === undefined ? '' : entryFigure(entry, definition);
    const shown =
      change === null ? '' : `${signedPercent(change)}${interval === null ? '' : ` ${intervalText(interval)}`}`;
    const isFound = verdict === 'regression' || verdict === 'improvement';
    return {
      tone: verdict === 'regression' ? 'worse' : verdict === 'improvement' ? 'better' : 'plain',
      cells: [at === 0 ? label : '', title(name), figure, isFound ? { strong: shown } : shown, [{ mark }, ` ${word}`]],
      ...(isFound ? {} : { unchanged: true as const }),
    };
  });
}
