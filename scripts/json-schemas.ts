import { comparisonJsonSchema } from '../src/core/comparison/schema.ts';
import { manifestJsonSchema } from '../src/core/publication/manifest.ts';
import { seriesPieceJsonSchema } from '../src/core/publication/series-piece.ts';
import { publishedFormJsonSchema } from '../src/core/record/published-form-schema.ts';
import { runRecordJsonSchema } from '../src/core/record/schema.ts';

/** What json-schema.mjs writes, and what makes it. */
export const schemas = [
  { path: 'schema/run.schema.json', from: 'src/core/record/schema.ts', made: runRecordJsonSchema },
  { path: 'schema/comparison.schema.json', from: 'src/core/comparison/schema.ts', made: comparisonJsonSchema },
  {
    path: 'schema/published-run.schema.json',
    from: 'src/core/record/published-form-schema.ts',
    made: publishedFormJsonSchema,
  },
  { path: 'schema/manifest.schema.json', from: 'src/core/publication/manifest.ts', made: manifestJsonSchema },
  { path: 'schema/series.schema.json', from: 'src/core/publication/series-piece.ts', made: seriesPieceJsonSchema },
];
