import type { Reason } from '../../record/run-record.ts';
import { type Block, type Inline, left, type Row, type Section } from '../document.ts';
import type { Entry, ReportView } from '../view.ts';
import { longTest } from '../wording.ts';

/** What failed, which cases are invalid and why, and what is worth knowing of the others. */
export function troubles(view: ReportView): Section | null {
  const blocks = [
    ...failures(view),
    ...caseTable(view, 'Invalid cases', invalidReasons),
    ...caseTable(view, 'Marks (†)', ({ record }) => record.marks),
  ];
  if (blocks.length === 0) return null;
  return { id: 'troubles', title: 'What went wrong', blocks };
}

function failures({ record }: ReportView): Block[] {
  const failed = record.services.filter(({ failure }) => failure !== null);
  if (failed.length === 0) return [];
  return [
    { kind: 'heading', text: 'Services that were not measured' },
    ...failed.flatMap(({ service, variant, failure }): Block[] => {
      const who = variant === 'baseline' ? `${service} (baseline)` : service;
      return message(who, failure!);
    }),
  ];
}

/** The first line is the sentence; what follows are lines of a log. */
function message(who: string, { code, message: text }: Reason): Block[] {
  const [sentence = '', ...lines] = text.split(/\r?\n/);
  const said: Inline = [{ strong: who }, ' (', { code }, `): ${sentence}`];
  const log = lines.join('\n').trim();
  return [
    { kind: 'paragraph', text: said },
    ...(log === '' ? [] : [{ kind: 'code' as const, language: '', text: log }]),
  ];
}

function invalidReasons({ valid, record }: Entry): Reason[] {
  if (valid || record.reasons.length > 0) return record.reasons;
  return [{ code: 'unknown', message: 'no reason was recorded' }];
}

function caseTable(view: ReportView, title: string, reasonsOf: (entry: Entry) => Reason[]): Block[] {
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
  return [
    { kind: 'heading', text: title },
    { kind: 'table', table: { label: title, columns, rows } },
  ];
}
