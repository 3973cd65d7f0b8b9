/** The schema of a record as it lies on the data branch: what repeats is said once, and a figure is a short list. */
import * as z from 'zod';
import { GENERATOR_NAMES } from '../generators/registry.ts';
import { caseRecord } from './case-schema.ts';
import type { ComparedFigure } from './run-record.ts';
import { recordSchemaVersion, runRecordSchema } from './schema.ts';
import { count, figure, text } from './schema-parts.ts';

/** The letter of each verdict, here and in the series of the pages. */
export const VERDICT_LETTERS = {
  regression: 'r',
  improvement: 'i',
  'no-change': 'n',
  inconclusive: '?',
  'not-measured': '-',
  invalid: 'x',
  new: '+',
} as const satisfies Record<NonNullable<ComparedFigure['verdict']>, string>;

const letter = z.enum(Object.values(VERDICT_LETTERS) as ['r', 'i', 'n', '?', '-', 'x', '+']).nullable();
const comparedList = z
  .array(z.union([figure, letter]))
  .min(1)
  .max(4)
  .describe('Change, low and high end of its interval, letter of the verdict; nulls at the end are left out.');
const figureList = z
  .array(z.union([figure, letter]))
  .min(1)
  .max(8)
  .describe(
    'Value, change, low and high end of its interval, letter of the verdict, number of samples, the lowest, the highest (absent where all are the value); nulls at the end are left out.',
  );
const places = z.array(count).exactOptional();

const record = runRecordSchema.shape;
const caseShape = z.looseObject({
  key: text,
  service: text,
  endpoint: text,
  route: z.literal('gateway').exactOptional().describe('Absent for direct.'),
  generator: z.enum(GENERATOR_NAMES),
  keepAlive: z.boolean(),
  connections: count,
  rate: figure.exactOptional(),
  status: z.enum(['invalid', 'beyond']).exactOptional().describe('Absent for valid.'),
  beyond: caseRecord.shape.beyond,
  reasons: places.describe('Places in `notes`.'),
  warnings: places.describe('Places in `notes`.'),
  requests: figure.exactOptional().describe('That throughput rests on.'),
  figures: z
    .array(z.union([z.null(), figure, figureList]))
    .describe('One for each of `metrics`; nulls at the end are left out. A number is a value that was not compared.'),
  utilisation: z.record(text, figure).exactOptional().describe('As in `run.json`, without those that are 0.'),
  statements: z
    .array(z.tuple([count, figure, figure, figure]))
    .exactOptional()
    .describe('Place in `queries`, calls, rows and milliseconds per request.'),
});

export const publishedFormSchema = z.looseObject({
  ...record,
  form: z.literal('published'),
  published: z.looseObject({
    ...record.published.def.innerType.shape,
    levels: z.array(z.tuple([text, z.array(z.union([z.null(), comparedList]))])).exactOptional(),
  }),
  metrics: z.array(z.tuple([text, text])).describe('Name and unit, in the order of `figures`.'),
  queries: z.array(text).describe('Normalised text, as pg_stat_statements keeps it.'),
  notes: z.array(z.looseObject({ code: text, message: text })).describe('Reasons and warnings of cases.'),
  cases: z.array(caseShape),
});

export type PublishedForm = z.infer<typeof publishedFormSchema>;
export type VerdictLetter = z.infer<typeof letter>;

/** The JSON Schema that other programs read, as an object ready to be printed. */
export function publishedFormJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(publishedFormSchema, { io: 'input' }) as Record<string, unknown>;
  return {
    $schema,
    title: `wrkbench published run, version ${recordSchemaVersion}`,
    description: 'What the data branch keeps of a run: its figures, and what was compared of them.',
    ...rest,
  };
}
