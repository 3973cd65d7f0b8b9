import { MOST_CASES } from '../config/bounds.ts';
import { numberOfCases } from '../config/case.ts';
import { UserError } from '../user-error.ts';
import { type OtherForm, readDocument } from './document.ts';
import { fromPublishedForm, isPublishedForm } from './published-form.ts';
import { publishedFormSchema } from './published-form-schema.ts';
import type { RunRecord } from './run-record.ts';
import { recordSchemaVersion, runRecordSchema } from './schema.ts';

/** The file is not a run record that this wrkbench can read; the message is one sentence for a person. */
export class UnreadableRecord extends UserError {
  override name = 'UnreadableRecord';
}

/** Characters. 100 cases with 60 samples of 17 metrics take about 15 million; a hostile artifact must not fill the memory. */
export const maxRecordLength = 64 * 1024 * 1024;

/** Names are parts of keys; what is longer was made to cost time. */
const MOST_KEY_CHARACTERS = 1000;

const publishedForm: OtherForm = {
  applies: isPublishedForm,
  read(value) {
    const { success, data, error } = publishedFormSchema.safeParse(value);
    return success ? { value: fromPublishedForm(data) } : { error };
  },
};

/** `fileName` is for messages only. Throws `UnreadableRecord`, and nothing else. */
export function readRunRecord(text: string, fileName: string): RunRecord {
  const record = readDocument(text, fileName, {
    noun: 'run record',
    written: 'wrkbench run writes',
    fileName: 'run.json',
    cutOff: 'where the folder still has its journal.jsonl, `wrkbench run --resume DIR` continues from there',
    version: recordSchemaVersion,
    schema: runRecordSchema,
    otherForm: publishedForm,
    maxLength: maxRecordLength,
    refusal: UnreadableRecord,
  });
  refuseTooMany(record, fileName);
  return record;
}

/** What a spec may ask for at most, since a few words of it stand for any number of cases. */
function refuseTooMany({ spec, cases }: RunRecord, fileName: string): void {
  const asked = numberOfCases(spec);
  const bothSides = 2 * MOST_CASES;
  if (asked > MOST_CASES || cases.length > bothSides) {
    const found = asked > MOST_CASES ? `its spec makes ${asked} cases` : `it holds ${cases.length} cases`;
    throw new UnreadableRecord(
      `${fileName} is too large for a run record: ${found}, where at most ${asked > MOST_CASES ? MOST_CASES : bothSides} are read.`,
    );
  }
  const { services, endpoints } = spec;
  const names = [...services, ...endpoints].map(({ name }) => name);
  const longest = [...names, ...cases.map(({ key }) => key)].reduce((most, { length }) => Math.max(most, length), 0);
  if (longest <= MOST_KEY_CHARACTERS) return;
  throw new UnreadableRecord(
    `${fileName} is not a run record: a name in it has ${longest} characters, where at most ${MOST_KEY_CHARACTERS} are read.`,
  );
}
