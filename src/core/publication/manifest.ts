import * as z from 'zod';
import { GENERATOR_NAMES } from '../generators/registry.ts';
import { count, figure, text } from '../record/schema-parts.ts';

/**
 * `wrkbench/SPEC/manifest.json`: what the pages of a spec read first. It names the series, which the pieces know by number, and
 * the months, whose pieces lie beside it:
 *
 *     wrkbench/SPEC/manifest.json
 *     wrkbench/SPEC/series/2026-11.json        the first piece of a month
 *     wrkbench/SPEC/series/2026-11-2.json      the next one, once that was long enough
 *
 * A publication rewrites this file and the last piece of the run's month, and reads no others.
 */
export const pagesSchemaVersion = 1;

/** Of a month; 36 KB and more each. */
const MOST_PIECES = 9999;

/** How a series was loaded; null for what another tool measured. */
const load = z.looseObject({
  route: z.enum(['direct', 'gateway']),
  generator: z.enum(GENERATOR_NAMES),
  keepAlive: z.boolean(),
  connections: count,
  rate: figure.nullable(),
});

const caseEntry = z.looseObject({
  key: text.describe('As in `run.json`; `imported/SUITE/NAME` for what another tool measured.'),
  service: text,
  endpoint: text,
  load: load.nullable(),
  reference: z.boolean().describe('Its service calibrates, and is no subject.'),
});

const metricEntry = z.looseObject({
  name: text,
  title: text,
  unit: text.describe('One of wrkbench; of imported series whatever their tool said.'),
  better: z.enum(['higher', 'lower']).nullable(),
});

const monthEntry = z.looseObject({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  pieces: count.min(1).max(MOST_PIECES).describe('Numbered from 1, in the order that they were written in.'),
  runs: count.describe('In all of its pieces.'),
  gone: count.describe('Of these: set aside or expired, so that the run itself is no longer on the branch.'),
  imported: count.describe('Of these: what another tool measured, of which there is no run.'),
  ordered: z
    .boolean()
    .exactOptional()
    .describe(
      'Whether all runs of a piece are newer than those of the pieces before it. Absent where that is not known.',
    ),
});

export const manifestSchema = z.looseObject({
  schemaVersion: z.literal(pagesSchemaVersion),
  tool: text.describe('Version of the wrkbench that made the pages: an older one leaves them as they are.'),
  spec: text,
  server: text.nullable().describe('Of links to commits and pull requests: https://github.com.'),
  repository: text.nullable(),
  cases: z.array(caseEntry).describe('Added to, never reordered: pieces name a case by its place.'),
  metrics: z.array(metricEntry).describe('As `cases`.'),
  months: z
    .array(monthEntry)
    .describe(
      'Oldest first. A run is in a piece of the month that its id begins with, and late ones in the last of it.',
    ),
  since: text
    .nullable()
    .describe(
      'Runs with a lower id may be on the branch and in no piece: `wrkbench publish --rebuild` adds them. Null where all are there.',
    ),
  latest: z
    .looseObject({ id: text, path: text.describe('Of the run, from the folder of the spec.') })
    .nullable()
    .describe('The newest run that counts; null where there is none.'),
  leftOut: z
    .array(z.looseObject({ id: text, why: z.enum(['hidden', 'set aside', 'expired']), reason: text }))
    .describe('Runs that a piece may hold, and that count no more.'),
  oldest: text
    .nullable()
    .describe('Id of the oldest run that is kept; older ones in a piece have expired, but for imported ones.'),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type SeriesCase = Manifest['cases'][number];
export type SeriesMetric = Manifest['metrics'][number];
export type Month = Manifest['months'][number];

/** Of a spec's folder. */
export const MANIFEST_FILE = 'manifest.json';
const SERIES_FOLDER = 'series';

export function pieceFile({ month }: Pick<Month, 'month'>, number: number): string {
  return `${SERIES_FOLDER}/${month}${number === 1 ? '' : `-${number}`}.json`;
}

/** `2026-11` of `20261120-092802-0a1b2c`. */
export function monthOf(id: string): string {
  return `${id.slice(0, 4)}-${id.slice(4, 6)}`;
}

/** The JSON Schema that other programs read, as an object ready to be printed. */
export function manifestJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(manifestSchema, { io: 'input' }) as Record<string, unknown>;
  return {
    $schema,
    title: `wrkbench pages, manifest.json, version ${pagesSchemaVersion}`,
    description: 'Which series and which months the data branch holds of a spec.',
    ...rest,
  };
}
