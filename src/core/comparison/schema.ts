/**
 * `comparison.json`, version 1, as it is checked at the door and published as `schema/comparison.schema.json`. Loose where
 * a later wrkbench may add (unknown keys pass and are kept), strict on everything that is read.
 */
import * as z from 'zod';
import { count, figure, text, verdict } from '../record/schema-parts.ts';

export const comparisonSchemaVersion = 1;

const share = figure.min(0).max(1);

/** `duet`: both loaded at the same time. `interleaved`: in turn, trial by trial. `stored`: against numbers of past runs. */
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
  origin: text.describe('How it was had, for a reader: commit 3f2c1ab (merge-base with main), built in this run.'),
});

const metric = z.looseObject({
  unit: text,
  better: z.enum(['higher', 'lower']),
  baseline: figure
    .nullable()
    .describe('Published figure, alone where there are any; null where that side lacks the metric.'),
  candidate: figure.nullable().describe('As `baseline`.'),
  difference: figure.nullable().describe('candidate - baseline, in the unit.'),
  change: figure
    .nullable()
    .describe(
      'candidate/baseline - 1, from the pairs; null where the baseline is 0 (then `difference` counts) or nothing is paired.',
    ),
  interval: interval
    .nullable()
    .describe(
      'Marginal two-sided interval of `change` at `confidence`; null with fewer than two rounds, or where exact.',
    ),
  adjusted: interval
    .nullable()
    .describe(
      'What the gate uses: corrected for the whole matrix and for looking often; each end at its own one-sided level.',
    ),
  confidence: share.describe('Of `interval`: 0.99.'),
  minimumDetectable: figure
    .nullable()
    .describe(
      'Smallest change that these data would have shown in nine of ten cases, as a share; null where exact or unknown.',
    ),
  direction: z.enum(['better', 'worse', 'unclear']).describe('What `interval` shows against 0.'),
  verdict: verdict
    .nullable()
    .describe(
      'Null: shown, not gated; or open for this case by itself, and judged in `endpoints` or `services`. `not-measured`: too little was measured to see even ten times the limit; it fails.',
    ),
  threshold: limit
    .extend({
      down: z
        .literal(true)
        .describe('Of a count that must not fall either, and did, or that is limited in no other way.')
        .exactOptional(),
    })
    .nullable()
    .describe('In the direction that is worse; null where not gated by a change. A ratio of 0.03 is 3 %.'),
  brokenLimit: z
    .looseObject({ kind: z.enum(['max', 'min']), value: figure })
    .nullable()
    .describe('Absolute limit that the candidate breaks; null where it breaks none.'),
  evidence: z.looseObject({
    mode: z.union([mode, z.literal('exact')]).describe('`exact`: a count that does not vary, from the unloaded pass.'),
    rounds: count.describe('Independent repetitions: rounds, or past runs.'),
    pairs: count,
    note: text
      .nullable()
      .describe('Why it is inconclusive or not gated on better data, where there is something to say.'),
    background: figure
      .exactOptional()
      .describe(
        'Of CPU per request and of throughput: the share of the CPU time that background threads of the service used, which was alike on both sides and is taken at the usual in every trial. Absent where what they used is compared as it was measured.',
      ),
  }),
});

/** From the unloaded pass. 0 on a side that does not send the statement. */
const perRequest = z.looseObject({ calls: figure, ms: figure });
const explanation = z.looseObject({
  cpuUs: z
    .looseObject({ service: figure, database: figure, dependencies: figure.exactOptional() })
    .nullable()
    .describe('Microseconds of CPU per request that came on top, and where; null where unknown.'),
  statements: z
    .array(
      z.looseObject({
        query: text.describe('Normalised text, as pg_stat_statements keeps it.'),
        baseline: perRequest,
        candidate: perRequest,
      }),
    )
    .describe('Statements whose calls or time per request changed most, the biggest first; at most 5.'),
  memoryBytes: z.looseObject({ baseline: figure, candidate: figure }).nullable().describe('Peak memory.'),
  syscalls: z
    .looseObject({ baseline: figure, candidate: figure })
    .exactOptional()
    .describe('System calls per request; absent where they are alike, or one side has no count.'),
});

const comparedCase = z.looseObject({
  key: text,
  service: text,
  endpoint: text,
  presence: z
    .enum(['both', 'new', 'missing'])
    .describe(
      '`new`: only the candidate has it; `missing`: only the baseline has it, or the candidate is asked another request under its name.',
    ),
  reasons: z
    .array(reason)
    .describe('Why the case cannot be judged: either side is invalid, or it is missing; empty where it can.'),
  metrics: z.record(text, metric),
  explanation: explanation.nullable().describe('Where the extra cost of a regression went.'),
});

const entryShape = {
  caseKey: text.describe(
    '`*` for the comparison as a whole, `SERVICE/ENDPOINT/*` for an endpoint, `SERVICE/*` for a service.',
  ),
  metric: text.nullable().describe('Null for the case as a whole.'),
  message: text.describe('A sentence for a reader.'),
};
const entry = z.looseObject(entryShape);

const comparisonShape = {
  schemaVersion: z.literal(comparisonSchemaVersion),
  mode,
  baseline: side,
  candidate: side,
  familyErrorRate: share.describe('Error rate, one-sided, over the whole matrix: 0.005 is 0.5 %.'),
  warnings: z
    .array(reason)
    .describe('What this comparison cannot tell, and how the baseline was had where that is not the best way.'),
  skipped: reason.nullable().describe('Why nothing was measured, where both sides are the same.'),
  cases: z.array(comparedCase),
  endpoints: z
    .array(comparedCase)
    .describe(
      'Endpoints, over all of their cases, of which there are two at least: keys `SERVICE/ENDPOINT/*`; ' +
        '`SERVICE/ENDPOINT/*@LIMIT` for those with one limit where there are several. ' +
        'A metric that one case alone has is judged there.',
    ),
  services: z
    .array(comparedCase)
    .describe('Services, over their endpoints: keys `SERVICE/*`, `SERVICE/*@LIMIT`, with the endpoint `*`.'),
  gate: z.looseObject({
    passed: z.boolean(),
    regressions: z.array(entry).describe('Verdict `regression`, and broken absolute limits; without those accepted.'),
    inconclusive: z.array(entry),
    notMeasured: z.array(entry).describe('Too little was measured to see even ten times the limit; fails.'),
    invalid: z.array(entry),
    leftOut: z.array(entry).describe('Cases that fail alike on both sides; their endpoints are judged on the rest.'),
    beyond: z
      .array(entry)
      .describe('Cases that are more than either side answers in time, and are not measured; they fail nothing.'),
    accepted: z.array(z.looseObject({ ...entryShape, reason: text })),
    new: z.array(entry),
  }),
};

const since = z.looseObject({
  key: text.describe('Of a case, endpoint or service.'),
  metric: text,
  accepted: figure.describe(
    'Change that was accepted since, of all runs that accepted one, one after another: 0.08 is +8 %.',
  ),
  runs: count.describe('That accepted it.'),
  crept: z.boolean().describe('Worse than its limit beyond what was accepted, and no run since was red for it.'),
});

const pastRun = z.looseObject({ id: text, sha: text.nullable(), startedAt: text });
const changePoint = z.looseObject({
  key: text.describe('Of a case.'),
  metric: text,
  change: figure.describe('Level after/level before - 1: medians of up to twenty runs each.'),
  direction: z.enum(['better', 'worse']),
  before: pastRun.describe('The last run of the level before: what changed it came after its commit.'),
  after: pastRun.describe('The first run of the new level.'),
  runs: count.describe('Since then, that run included.'),
});

export const comparisonSchema = z.looseObject({
  ...comparisonShape,
  changePoints: z
    .array(changePoint)
    .describe(
      'Where the history that it was compared in went to another level, the newest first; absent where it never did.',
    )
    .exactOptional(),
  anchor: z
    .looseObject({
      ...comparisonShape,
      since: z
        .array(since)
        .describe('What earlier runs say of these changes; absent where nobody knows.')
        .exactOptional(),
    })
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
