import { absentSentence, absentServices } from '../../baseline/absent-services.ts';
import { counted, grouped } from '../../format/figures.ts';
import { withoutOwner } from '../../format/owner.ts';
import type { Reason } from '../../measurement/names.ts';
import { wasNotLoaded } from '../../validity/not-loadable.ts';
import { warningCounts } from '../analysis/warning-counts.ts';
import { type Block, type Inline, left, type Row, type Section } from '../document.ts';
import type { Entry, ReportView } from '../view.ts';
import { casesWarned, longTest } from '../wording.ts';

/** What failed, which cases are invalid and why, and what is worth knowing of the others. */
export function warnings(view: ReportView): Section | null {
  const wrong = [...failures(view), ...invalidCases(view), ...unloadedCases(view)];
  const blocks = [...wrong, ...absences(view), ...caseWarnings(view)];
  if (blocks.length === 0) return null;
  return { id: 'warnings', title: wrong.length > 0 ? 'What went wrong' : 'What to know', blocks };
}

function failures({ record }: ReportView): Block[] {
  const failed = record.services.filter(({ failure, absent }) => failure !== null && absent !== true);
  if (failed.length === 0) return [];
  return [
    { kind: 'heading', text: 'Services that were not measured' },
    ...failed.flatMap(({ service, variant, failure }): Block[] => {
      const lost = record.cases.filter(
        (each) => each.service === service && each.variant === variant && isOfFailure(each, failure!),
      );
      const more = [variant === 'baseline' ? variant : '', lost.length > 1 ? counted(lost.length, 'case') : ''];
      const noted = more.filter((part) => part !== '').join(', ');
      const who = noted === '' ? service : `${service} (${noted})`;
      return message(who, withoutOwner(service, failure!.message));
    }),
  ];
}

/** What the run went on without. */
function absences({ record }: ReportView): Block[] {
  return absentServices(record).flatMap((each): Block[] => {
    const log = each.reason.message.split(/\r?\n/).slice(1).join('\n').trimEnd();
    return [
      { kind: 'paragraph', text: absentSentence(each) },
      ...(log === '' ? [] : [{ kind: 'code' as const, language: '', text: log }]),
    ];
  });
}

/** The first line is the sentence; what follows are lines of a log. */
function message(who: string, text: string): Block[] {
  const [sentence = '', ...lines] = text.split(/\r?\n/);
  const said: Inline = [{ strong: who }, `: ${sentence}`];
  const log = lines.join('\n').trimEnd();
  return [
    { kind: 'paragraph', text: said },
    ...(log === '' ? [] : [{ kind: 'code' as const, language: '', text: log }]),
  ];
}

/** Nothing else is wrong with the case than what its whole service has. */
function isOfFailure({ reasons }: Pick<Entry['record'], 'reasons'>, failure: Reason): boolean {
  return reasons.length > 0 && reasons.every(({ message: text }) => text === failure.message);
}

function invalidReasons({ valid, record }: Entry, failures: readonly Reason[]): Reason[] {
  if (wasNotLoaded(record) || failures.some((failure) => isOfFailure(record, failure))) return [];
  if (valid || record.reasons.length > 0) return record.reasons;
  return [{ code: 'unknown', message: 'no reason was recorded' }];
}

function invalidCases(view: ReportView): Block[] {
  const failures = view.record.services.flatMap(({ failure }) => failure ?? []);
  const tables = caseTable(view, 'Invalid cases', (entry) => invalidReasons(entry, failures), { byCause: true });
  return tables.length === 0 ? [] : [{ kind: 'heading', text: 'Invalid cases' }, ...tables];
}

/** What to change for them is said once for all that one limit keeps out. */
function unloadedCases(view: ReportView): Block[] {
  const messages = new Map<string, string[]>();
  for (const test of view.tests) {
    for (const { label, record } of test.entries.filter((entry) => wasNotLoaded(entry.record))) {
      const { message: why } = record.reasons[0]!;
      messages.set(why, [...(messages.get(why) ?? []), `${label} · ${longTest(test)}`]);
    }
  }
  if (messages.size === 0) return [];
  return [
    { kind: 'heading', text: 'Cases that were not measured' },
    ...[...messages].flatMap(([why, cases]): Block[] => [
      { kind: 'paragraph', text: `${why.charAt(0).toUpperCase()}${why.slice(1)}` },
      { kind: 'list', items: cases },
    ]),
  ];
}

/** Few words for all, and each folded away: a busy machine marks every case. */
function caseWarnings(view: ReportView): Block[] {
  const counts = warningCounts(view);
  if (counts.length === 0) return [];
  const said = counts.map(({ cases, message: text }) => `${casesWarned(cases, view.cases.length)}: ${text}`);
  return [
    { kind: 'heading', text: counts.length > view.warnings.length ? 'Warnings (†)' : 'Warnings' },
    { kind: 'paragraph', text: 'Worth knowing, and no reason to leave a case out:' },
    { kind: 'list', items: said },
    {
      kind: 'details',
      summary: 'Each of them',
      blocks: caseTable(view, 'Warnings', ({ record }) => record.warnings),
    },
  ];
}

/** A row for each of the cases; where one cause that befell many is told once, a row for each cause. */
function caseTable(
  view: ReportView,
  label: string,
  reasonsOf: (entry: Entry) => Reason[],
  { byCause = false } = {},
): Block[] {
  const rows = new Map<string, { label: string; tests: string[]; reason: Reason }>();
  for (const test of view.tests) {
    for (const entry of test.entries) {
      for (const reason of reasonsOf(entry)) {
        const key = byCause ? JSON.stringify([entry.label, reason]) : String(rows.size);
        const known = rows.get(key);
        if (known === undefined) rows.set(key, { label: entry.label, tests: [longTest(test)], reason });
        else known.tests.push(longTest(test));
      }
    }
  }
  if (rows.size === 0) return [];
  const columns = [left('Service'), left('Case'), left('Code'), left('What happened')];
  const table = {
    label,
    columns,
    rows: [...rows.values()].map(
      ({ label: who, tests, reason: { code, message: text } }): Row => ({
        tone: 'plain',
        cells: [who, inShort(tests), { code }, text],
      }),
    ),
  };
  return [{ kind: 'table', table }];
}

const MOST_NAMED = 6;

function inShort(tests: readonly string[]): string {
  const more = tests.length - MOST_NAMED;
  return more <= 1 ? tests.join('; ') : `${tests.slice(0, MOST_NAMED).join('; ')}; and ${grouped(more)} more`;
}
