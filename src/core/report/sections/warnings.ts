import { absentSentence, absentServices } from '../../baseline/absent-services.ts';
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
      const who = variant === 'baseline' ? `${service} (baseline)` : service;
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

function invalidReasons({ valid, record }: Entry): Reason[] {
  if (wasNotLoaded(record)) return [];
  if (valid || record.reasons.length > 0) return record.reasons;
  return [{ code: 'unknown', message: 'no reason was recorded' }];
}

function invalidCases(view: ReportView): Block[] {
  const tables = caseTable(view, 'Invalid cases', invalidReasons);
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

function caseTable(view: ReportView, label: string, reasonsOf: (entry: Entry) => Reason[]): Block[] {
  const rows = view.tests.flatMap((test) =>
    test.entries.flatMap((entry): Row[] =>
      reasonsOf(entry).map(({ code, message: text }) => ({
        tone: 'plain',
        cells: [entry.label, longTest(test), { code }, text],
      })),
    ),
  );
  if (rows.length === 0) return [];
  const columns = [left('Service'), left('Case'), left('Code'), left('What happened')];
  return [{ kind: 'table', table: { label, columns, rows } }];
}
