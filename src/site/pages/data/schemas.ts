import * as z from 'zod/mini';
import type { Manifest, pagesSchemaVersion } from '../../../core/publication/manifest.ts';
import type { PublishedTexts } from '../../../core/publication/raw-text.ts';
import type { SeriesPiece } from '../../../core/publication/series-piece.ts';

/**
 * The schemas of `core/publication` once more, of what a page uses, in a tenth of the bytes: every visitor loads these. The types and a
 * test hold both together.
 */
export const PAGES_VERSION: typeof pagesSchemaVersion = 1;

const count = z.int().check(z.nonnegative());
const text = z.string();
const nullableText = z.nullable(text);
const nullableCount = z.nullable(count);
const version = z.literal(PAGES_VERSION);

const load = z.looseObject({
  route: z.enum(['direct', 'gateway']),
  // A generator that this page does not know is a name all the same.
  generator: text as unknown as z.ZodMiniType<NonNullable<Manifest['cases'][number]['load']>['generator']>,
  keepAlive: z.boolean(),
  connections: count,
  rate: z.nullable(z.number()),
});

export const pageManifestSchema: z.ZodMiniType<Manifest> = z.looseObject({
  schemaVersion: version,
  tool: text,
  spec: text,
  server: nullableText,
  repository: nullableText,
  cases: z.array(
    z.looseObject({ key: text, service: text, endpoint: text, load: z.nullable(load), reference: z.boolean() }),
  ),
  metrics: z.array(
    z.looseObject({ name: text, title: text, unit: text, better: z.nullable(z.enum(['higher', 'lower'])) }),
  ),
  months: z.array(
    z.looseObject({
      month: text.check(z.regex(/^\d{4}-\d{2}$/)),
      pieces: count.check(z.minimum(1), z.maximum(9999)),
      runs: count,
      gone: count,
      imported: count,
      ordered: z.exactOptional(z.boolean()),
    }),
  ),
  since: nullableText,
  latest: z.nullable(z.looseObject({ id: text, path: text })),
  leftOut: z.array(z.looseObject({ id: text, why: z.enum(['hidden', 'set aside', 'expired']), reason: text })),
  oldest: nullableText,
});

const figures = z.array(z.nullable(z.number()));
const basisPoints = z.array(z.nullable(z.int()));

export const pagePieceSchema: z.ZodMiniType<SeriesPiece> = z.looseObject({
  schemaVersion: version,
  runs: z.looseObject({
    id: z.array(text),
    sha: z.array(nullableText),
    workflowRun: z.array(nullableCount),
    pullRequest: z.array(nullableCount),
    release: z.array(nullableText),
    cpu: z.array(count),
    passed: z.array(z.nullable(z.boolean())),
    mode: text,
    anchor: z.exactOptional(z.array(nullableText)),
    imported: z.array(z.boolean()),
  }),
  cpus: z.array(text),
  accepted: z.array(z.looseObject({ run: count, cases: text, metric: nullableText, reason: text })),
  series: z.record(
    text,
    z.looseObject({
      value: figures,
      status: z.exactOptional(text),
      changeBp: z.exactOptional(basisPoints),
      lowBp: z.exactOptional(basisPoints),
      highBp: z.exactOptional(basisPoints),
      verdict: z.exactOptional(text),
    }),
  ),
});

export const pageTextsSchema: z.ZodMiniType<PublishedTexts> = z.looseObject({
  schemaVersion: version,
  run: text,
  files: z.record(text, text),
  leftOut: z.array(z.looseObject({ path: text, reason: text })),
  leftOutCount: count,
});
