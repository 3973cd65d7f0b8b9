import * as z from 'zod';
import { count, figure, text } from '../record/schema-parts.ts';
import { pagesSchemaVersion } from './manifest.ts';

/**
 * `wrkbench/SPEC/series/2026-11.json`: what the runs of a month came to, as columns. Every column has one place for each run of
 * the piece, in their order:
 *
 *     runs.id        "20261101-…"   "20261102-…"   "20261103-…"
 *     series["3.0"].value   41200          41350          null         the third run has no such case
 *     series["3.0"].changeBp  null          40             …            0.4 % more than its baseline
 */
const figures = z.array(figure.nullable());
const basisPoints = z.array(z.number().int().nullable());

export { VERDICT_LETTERS } from '../record/published-form-schema.ts';

const series = z.looseObject({
  value: figures.describe('In the unit of the metric, rounded to five digits.'),
  status: text
    .exactOptional()
    .describe('A letter a run: `x` where the case was invalid, `g` where the generator was the limit, else a space.'),
  changeBp: basisPoints
    .exactOptional()
    .describe('candidate/baseline - 1 in basis points: 123 is +1.23 %. Absent where no run of the piece was compared.'),
  lowBp: basisPoints.exactOptional().describe('Of the interval of the change that the verdict rests on.'),
  highBp: basisPoints.exactOptional(),
  verdict: text.exactOptional().describe('A letter of `VERDICT_LETTERS` a run.'),
});

const runs = z.looseObject({
  id: z.array(text).describe('They begin with the time in UTC: 20261120-092802-0a1b2c.'),
  sha: z.array(text.nullable()),
  workflowRun: z.array(count.nullable()),
  pullRequest: z.array(count.nullable()),
  release: z.array(text.nullable()).describe('Name of the tag that the commit had when it was published.'),
  cpu: z.array(count).describe('Place in `cpus`.'),
  passed: z.array(z.boolean().nullable()).describe('Null where it was compared with nothing.'),
  mode: text.describe(
    'A letter a run: how it was compared. `d` side by side, `i` in turn, `s` with the numbers of earlier runs, else a space.',
  ),
  anchor: z
    .array(text.nullable())
    .exactOptional()
    .describe(
      'Name of the anchor that the run was compared with as well; its file says what that showed. Absent where none was.',
    ),
  imported: z.array(z.boolean()).describe('True for what another tool measured: there is no file of the run.'),
});

export const seriesPieceSchema = z.looseObject({
  schemaVersion: z.literal(pagesSchemaVersion),
  runs,
  cpus: z.array(text).describe('CPU models, with the number of CPUs: figures of different ones are not comparable.'),
  accepted: z
    .array(z.looseObject({ run: count, cases: text, metric: text.nullable(), reason: text }))
    .describe('Regressions that somebody accepted; `run` is a place in `runs`.'),
  series: z.record(text, series).describe('`CASE.METRIC`, both as places in the manifest.'),
});

export type SeriesPiece = z.infer<typeof seriesPieceSchema>;
export type Series = SeriesPiece['series'][string];

/** The JSON Schema that other programs read, as an object ready to be printed. */
export function seriesPieceJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(seriesPieceSchema, { io: 'input' }) as Record<string, unknown>;
  return {
    $schema,
    title: `wrkbench pages, a piece of series, version ${pagesSchemaVersion}`,
    description: 'What the runs of a month, or of a part of it, came to.',
    ...rest,
  };
}
