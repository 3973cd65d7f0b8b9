/**
 * `comparison.json`, version 1, as it is checked at the door and published as `schema/comparison.schema.json`. Loose where
 * a later wrkbench may add (unknown keys pass and are kept), strict on everything that is read.
 */
import * as z from 'zod';

export const comparisonSchemaVersion = 1;

/** Finite: `1e999` in a file would otherwise arrive as Infinity. */
const figure = z.number();
const count = z.number().int().nonnegative();
const share = figure.min(0).max(1);
const text = z.string();

const mode = z.enum(['duet', 'interleaved', 'stored']);
const reason = z.looseObject({ code: text, message: text });
const limit = z.looseObject({ kind: z.enum(['ratio', 'absolute']), value: figure });
const interval = z.tuple([figure, figure]);

const side = z.looseObject({
  id: text.describe('Of the run record that the numbers are from.'),
  sha: text.nullable(),
  images: z.record(text, text).describe('Service → image id or digest, or the command line of a process.'),
  builds: z
    .record(text, count)
    .describe('Service → how many builds of it were compared; only of those with several.')
    .exactOptional(),
  origin: text.describe('How it was had, for a reader.'),
});

const metric = z.looseObject({
  unit: text,
  better: z.enum(['higher', 'lower']),
  baseline: figure.nullable().describe('Published figure.'),
  candidate: figure.nullable().describe('Published figure.'),
  difference: figure.nullable().describe('candidate - baseline, in the unit.'),
  change: figure
    .nullable()
    .describe('candidate/baseline - 1, from the pairs; null where the baseline is 0 or nothing is paired.'),
  interval: interval.nullable().describe('Marginal two-sided interval of `change` at `confidence`.'),
  adjusted: interval.nullable().describe('What the gate uses: corrected for the whole matrix and for looking often.'),
  confidence: share,
  minimumDetectable: figure
    .nullable()
    .describe('Smallest change that these data would have shown in nine of ten cases, as a share.'),
  direction: z.enum(['better', 'worse', 'unclear']).describe('What `interval` shows against 0.'),
  verdict: z
    .enum(['regression', 'improvement', 'no-change', 'inconclusive', 'not-measured', 'invalid', 'new'])
    .nullable()
    .describe('Null: shown, not gated; or open for this case by itself, and judged in `endpoints` or `services`.'),
  threshold: limit
    .extend({ down: z.literal(true).describe('Of a count that must not fall either.').exactOptional() })
    .nullable()
    .describe('In the direction that is worse; a ratio of 0.03 is 3 %.'),
  brokenLimit: z
    .looseObject({ kind: z.enum(['max', 'min']), value: figure })
    .nullable()
    .describe('Absolute limit that the candidate breaks.'),
  evidence: z.looseObject({
    mode: z.union([mode, z.literal('exact')]),
    rounds: count,
    pairs: count,
    note: text.nullable(),
  }),
});

const perRequest = z.looseObject({ calls: figure, ms: figure });
const explanation = z.looseObject({
  cpuUs: z.looseObject({ service: figure, database: figure }).nullable(),
  statements: z.array(z.looseObject({ query: text, baseline: perRequest, candidate: perRequest })),
  memoryBytes: z.looseObject({ baseline: figure, candidate: figure }).nullable(),
});

const comparedCase = z.looseObject({
  key: text,
  service: text,
  endpoint: text,
  presence: z.enum(['both', 'new', 'missing']),
  reasons: z.array(reason).describe('Why the case cannot be judged; empty where it can.'),
  metrics: z.record(text, metric),
  explanation: explanation.nullable().describe('Where the extra cost of a regression went.'),
});

const entryShape = {
  caseKey: text.describe(
    '`*` for the comparison as a whole, `SERVICE/ENDPOINT/*` for an endpoint, `SERVICE/*` for a service.',
  ),
  metric: text.nullable(),
  message: text,
};
const entry = z.looseObject(entryShape);

const comparisonShape = {
  schemaVersion: z.literal(comparisonSchemaVersion),
  mode,
  baseline: side,
  candidate: side,
  familyErrorRate: share,
  warnings: z.array(reason),
  skipped: reason.nullable(),
  cases: z.array(comparedCase),
  endpoints: z
    .array(comparedCase)
    .describe(
      'Endpoints, over all of their cases: keys `SERVICE/ENDPOINT/*`; ' +
        '`SERVICE/ENDPOINT/*@LIMIT` for those with one limit where there are several.',
    ),
  services: z.array(comparedCase).describe('Services, over their endpoints: keys `SERVICE/*`, `SERVICE/*@LIMIT`.'),
  gate: z.looseObject({
    passed: z.boolean(),
    regressions: z.array(entry),
    inconclusive: z.array(entry),
    notMeasured: z.array(entry).describe('Too little was measured to see even ten times the limit; fails.'),
    invalid: z.array(entry),
    leftOut: z.array(entry).describe('Cases that fail alike on both sides; their endpoints are judged on the rest.'),
    accepted: z.array(z.looseObject({ ...entryShape, reason: text })),
    new: z.array(entry),
  }),
};

export const comparisonSchema = z.looseObject({
  ...comparisonShape,
  anchor: z
    .looseObject(comparisonShape)
    .describe('The same candidate against a fixed release; it does not gate.')
    .exactOptional(),
});

/** The JSON Schema that editors and other programs read, as an object ready to be printed. */
export function comparisonJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(comparisonSchema, { io: 'input' }) as Record<string, unknown>;
  return {
    $schema,
    title: 'wrkbench comparison (comparison.json), version 1',
    description: 'Baseline against candidate, for each case and metric, and what the gate makes of it.',
    ...rest,
  };
}
