import { absentSentence, absentServices } from '../baseline/absent-services.ts';
import { absent, counted, span } from '../format/figures.ts';
import { withoutOwner } from '../format/owner.ts';
import { withoutLog } from '../format/sentence.ts';
import {
  columnsOf,
  leftToRight,
  paddedEnd,
  paddedStart,
  shortened,
  visible,
  visibleLines,
  wrapped,
} from '../format/text.ts';
import type { Reason } from '../measurement/names.ts';
import { metrics } from '../metrics/registry.ts';
import type { RunRecord } from '../record/run-record.ts';
import { wasNotLoaded } from '../validity/not-loadable.ts';
import { errorKindsText } from './analysis/error-kinds.ts';
import { warningCounts } from './analysis/warning-counts.ts';
import { beyondSaid, saidWhole } from './beyond.ts';
import { reasonSaid } from './comparison/deciding-line.ts';
import { inlineText } from './inline-text.ts';
import { entryFigure } from './metric-figure.ts';
import { preparingTime } from './preparing-time.ts';
import { plainStyle, type Style } from './terminal-style.ts';
import { type Entry, type ReportView, type Test, viewOf } from './view.ts';
import {
  atRate,
  cappedRate,
  casesWarned,
  endpointTitle,
  loadTitle,
  modeOf,
  shortestTest,
  shortTest,
} from './wording.ts';

export interface TerminalTableOptions {
  style?: Style;
  /** By default `service` where the run has but one, else `endpoint`. */
  groupBy?: 'service' | 'endpoint';
  /** Columns of the terminal; the table takes no more than 100 of them, and needs 72. */
  width?: number;
}

interface Line {
  label: string;
  /** Where the label is too long for the table. */
  shortLabel: string;
  entry: Entry;
  best: boolean;
}

interface Column {
  title: string;
  of(entry: Entry): string;
}

const columns: Column[] = metrics.flatMap((metric) =>
  metric.columns.terminal === null
    ? []
    : [{ title: metric.columns.terminal, of: (entry) => entryFigure(entry, metric) }],
);

/** What `run` prints at its end: one row per case, a block per generator, and what went wrong. Ends with a line break. */
export function terminalTable(record: RunRecord, options: TerminalTableOptions = {}): string {
  const view = viewOf(record);
  const style = options.style ?? plainStyle;
  const width = Math.max(72, Math.min(100, options.width ?? 100));
  const services = new Set(view.tests.flatMap(({ entries }) => entries.map(({ label }) => label)));
  const groupBy = options.groupBy ?? (services.size > 1 ? 'endpoint' : 'service');
  const lines = [style.bold(shortened(heading(view), width))];
  const failures = new Set(record.services.flatMap(({ failure }) => (failure === null ? [] : said(failure))));
  for (const generator of view.generators) {
    const tests = view.tests.flatMap((test) => {
      const entries = test.entries.filter((entry) => !isOfFailedService(entry, failures));
      return test.generator === generator && entries.length > 0 ? [{ ...test, entries }] : [];
    });
    if (tests.length === 0) continue;
    const version = record.environment.versions[generator];
    const title = version === null ? generator : `${generator} ${visible(version)}`;
    const groups = groupBy === 'endpoint' ? byTest(tests) : byService(tests);
    lines.push('', ...block(title, groups, { width, style, shared: sharedReasons(tests, failures) }));
  }
  lines.push(...warningLines(view, width, style));
  return `${lines.join('\n')}\n`;
}

function heading({ record, cases }: ReportView): string {
  const notLoaded = cases.filter(wasNotLoaded).length;
  const invalid = cases.filter(({ status }) => status === 'invalid').length - notLoaded;
  const parts = [
    ...(invalid === 0 ? [] : [`, ${invalid} invalid`]),
    ...(notLoaded === 0 ? [] : [`, ${notLoaded} not measured`]),
  ];
  const verdict = cases.length === 0 ? '' : parts.length === 0 ? ', all valid' : parts.join('');
  return `${visible(record.spec.name)}: ${counted(cases.length, 'case')}${verdict}, ${span(record.timing.wallSeconds)}${preparingTime(record.timing)}`;
}

function byTest(tests: Test[]): [string, Line[]][] {
  return tests.map((test) => [
    `${endpointTitle(test)}, ${modeOf(test)}, ${loadTitle(test)}`,
    test.entries.map((entry) => {
      const label = `${entry.label}${atRate(entry)}${entry.reference ? ' (reference)' : ''}`;
      return { label, shortLabel: label, entry, best: entry.rank === 1 };
    }),
  ]);
}

function byService(tests: Test[]): [string, Line[]][] {
  const groups = new Map<string, Line[]>();
  for (const test of tests) {
    for (const entry of test.entries) {
      const title = `${entry.label}${entry.reference ? ' (reference)' : ''}`;
      // There is no room for what was asked.
      const shown = { ...test, load: cappedRate(entry.record) ?? test.load };
      const label = `${test.endpoint} · ${shortTest(shown)}`;
      const shortLabel = `${test.endpoint} · ${shortestTest(shown)}`;
      groups.set(title, [...(groups.get(title) ?? []), { label, shortLabel, entry, best: false }]);
    }
  }
  return [...groups];
}

interface Form {
  width: number;
  style: Style;
  /** What is wrong with several cases → how many. */
  shared: Map<string, number>;
}

function block(title: string, groups: [string, Line[]][], form: Form): string[] {
  const { width, style } = form;
  const entries = groups.flatMap(([, lines]) => lines.map(({ entry }) => entry));
  const shown = columns.filter((column) => entries.some((entry) => column.of(entry) !== absent));
  const widths = shown.map((column) => Math.max(...[column.title, ...entries.map(column.of)].map(columnsOf)) + 2);
  const room = width - widths.reduce((sum, each) => sum + each, 0);
  const longestOf = (key: 'label' | 'shortLabel') =>
    Math.max(...groups.flatMap(([, lines]) => lines.map((line) => columnsOf(visible(line[key])) + 4)));
  const labelKey = longestOf('label') <= room ? 'label' : 'shortLabel';
  // A bare 100 is explained once.
  const lacksUnit = groups.some(([, lines]) => lines.some((line) => line[labelKey] !== line.label));
  const corner = lacksUnit ? `${title}, connections last` : title;
  const labelWidth = Math.min(Math.max(longestOf(labelKey), columnsOf(corner)), room);
  const figures = (texts: string[]) => texts.map((text, index) => paddedStart(text, widths[index]!)).join('');
  const head = `${paddedEnd(shortened(corner, labelWidth), labelWidth)}${figures(shown.map((column) => column.title))}`;
  const body = groups.flatMap(([name, lines]) => [
    style.bold(shortened(visible(name), width)),
    ...lines.flatMap(({ [labelKey]: label, entry, best }) => {
      const mark = entry.valid ? ' ' : '✗';
      const text = leftToRight(
        shortened(`${mark} ${visible(label)}${entry.record.warnings.length > 0 ? ' †' : ''}`, labelWidth),
      );
      const row = `${paddedEnd(text, labelWidth)}${figures(shown.map((column) => column.of(entry)))}`;
      return [tinted(row, entry, best, style), ...errors(entry, form), ...reasons(entry, form)];
    }),
  ]);
  return [style.dim(head), ...body];
}

function tinted(row: string, { valid, reference }: Entry, best: boolean, style: Style): string {
  if (!valid) return style.red(row);
  if (reference) return style.dim(row);
  return best ? style.bold(row) : row;
}

/** Of a valid case; the reason of an invalid one has them. */
function errors({ record, valid }: Entry, { width, style }: Form): string[] {
  const kinds = valid ? errorKindsText(record) : '';
  return kinds === '' ? [] : indented(`errors: ${visible(kinds)}`, width).map(style.yellow);
}

/** Nothing of the case was measured, for what is wrong with its whole service: that is told after the table, and not by a row of each. */
function isOfFailedService({ record, valid }: Entry, failures: ReadonlySet<string>): boolean {
  if (valid || record.reasons.length === 0 || Object.keys(record.metrics).length > 0) return false;
  return record.reasons.every((reason) => failures.has(said(reason)));
}

/** What is wrong with how many cases; with none where a whole service has it, which is told after the table. */
function sharedReasons(tests: readonly Test[], failures: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { record, valid } of tests.flatMap(({ entries }) => entries)) {
    for (const why of valid ? [] : record.reasons.map(said)) counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  for (const failure of failures) counts.set(failure, 0);
  return counts;
}

/** What is wrong with several cases is told with the first of them, and with how many. */
function reasons({ record, valid }: Entry, { width, style, shared }: Form): string[] {
  if (valid) return [];
  return record.reasons.flatMap((reason) => {
    const why = said(reason);
    const count = shared.get(why) ?? 1;
    // The others of them only have their mark.
    shared.set(why, 0);
    if (count === 0) return [];
    const others = count === 1 ? '' : `as ${count === 2 ? 'is' : 'are'} ${counted(count - 1, 'other case')} (✗)`;
    const state = [wasNotLoaded(record) ? '' : 'invalid', others].filter((part) => part !== '').join(', ');
    const what = withoutOwner(visible(record.service), reasonSaid(reason.message));
    return indented(state === '' ? what : `${state}: ${what}`, width).map(style.red);
  });
}

function warningLines(view: ReportView, width: number, style: Style): string[] {
  const { record } = view;
  const beyond = record.comparing === undefined ? beyondSaid(record) : null;
  const sentence = (text: string) => wrapped(text, width).map(style.red);
  const lines = warningCounts(view).flatMap(({ cases, message }) => {
    const text = `† ${casesWarned(cases, view.cases.length)}: ${visible(message)}`;
    return wrapped(text, width).map(style.yellow);
  });
  if (beyond !== null) lines.push(...wrapped(inlineText(saidWhole(beyond)), width));
  for (const each of absentServices(record)) {
    lines.push(...wrapped(visible(absentSentence(each)), width).map(style.yellow));
  }
  for (const { service, variant, failure, absent: isAbsent } of record.services) {
    if (failure === null || isAbsent === true) continue;
    const log = failure.message.split(/\r?\n/).slice(1).slice(-logLines);
    const shown = log.flatMap(visibleLines).map((line) => style.dim(`    ${shortened(line, width - 4)}`));
    // The line that decides is not always among the last.
    const why = reasonSaid(failure.message);
    const isShown = log.some((line) => line.trim() !== '' && why.includes(visible(line.trim())));
    const what = withoutOwner(visible(service), isShown ? visible(failure.message.split('\n', 1)[0]!) : why);
    const own = record.cases.filter(
      (each) =>
        each.service === service &&
        each.variant === variant &&
        each.reasons.some((reason) => said(reason) === said(failure)),
    );
    const more = [variant === 'baseline' ? variant : '', own.length > 1 ? counted(own.length, 'case') : ''];
    const noted = more.filter((part) => part !== '').join(', ');
    const who = noted === '' ? service : `${service} (${noted})`;
    lines.push(...sentence(`✗ ${visible(who)} was not measured: ${what}`), ...shown);
  }
  if (record.interrupted !== null) lines.push(...sentence(`✗ The run ended early: ${said(record.interrupted)}`));
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Lines of a log that are shown; the reports have all that were kept. */
const logLines = 5;

/** The sentence of a reason, without the log lines that may follow it. */
function said({ message }: Reason): string {
  return visible(withoutLog(message));
}

function indented(text: string, width: number): string[] {
  return wrapped(text, width - 4).map((line) => `    ${line}`);
}
