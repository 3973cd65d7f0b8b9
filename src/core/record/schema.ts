/**
 * `run.json`, version 1, as it is checked at the door and published as `schema/run.schema.json`.
 * Loose where a later wrkbench may add (unknown keys pass and are kept), strict on everything that is read.
 */

import * as z from 'zod';
import { placement } from '../config/placement.ts';
import type { Placement, ResolvedSpec } from '../config/resolved.ts';
import { spec } from '../config/spec.ts';
import { GENERATOR_NAMES, type GeneratorName } from '../generators/registry.ts';
import { caseRecord, compared, variant } from './case-schema.ts';
import { accepted, comparing, sideOrigin, unpaired } from './compared-schema.ts';
import { observed } from './observed-schema.ts';
import { count, figure, reason, text, texts } from './schema-parts.ts';
import { searches } from './search-schema.ts';

export const recordSchemaVersion = 1;

type RecordedVersions = Record<GeneratorName, z.ZodDefault<z.ZodNullable<z.ZodString>>>;
const environment = z.looseObject({
  cpuModel: text,
  cpuCount: count,
  memoryBytes: figure,
  kernel: text,
  os: text,
  runtime: z.enum(['docker', 'process']),
  placement: placement.recorded as unknown as z.ZodType<Placement>,
  sysctls: texts,
  versions: z.looseObject({
    ...(Object.fromEntries(GENERATOR_NAMES.map((name) => [name, text.nullable().default(null)])) as RecordedVersions),
    docker: text.nullable(),
    postgres: text.nullable(),
  }),
});

const anchor = z.looseObject({
  name: text.describe('As the spec calls it: v1.0.'),
  sha: text.nullable(),
  changes: z.array(
    z.looseObject({
      key: text.describe('Of an endpoint, over its cases; of a case where a metric is not judged so.'),
      service: text,
      endpoint: text,
      metrics: z.record(
        text,
        z.looseObject({
          change: figure.describe('candidate/anchor - 1.'),
          accepted: figure.exactOptional().describe('Change that was accepted since; absent where none was.'),
          runs: count.exactOptional().describe('That accepted it.'),
          crept: z.literal(true).exactOptional().describe('Past its limit without a red run since.'),
        }),
      ),
    }),
  ),
});

export const runRecordSchema = z.looseObject({
  schemaVersion: z.literal(recordSchemaVersion),
  id: text,
  startedAt: text.describe('ISO 8601, UTC.'),
  finishedAt: text,
  tool: z.looseObject({ name: z.literal('wrkbench'), version: text }),
  source: z.looseObject({
    repository: text.nullable(),
    sha: text.nullable(),
    ref: text.nullable(),
    pullRequest: count.nullable(),
    specPath: text.exactOptional().describe('From the top of the repository; absent where git does not say.'),
  }),
  environment,
  spec: spec.recorded as unknown as z.ZodType<ResolvedSpec>,
  selection: z
    .looseObject({
      quick: z.boolean().describe('Shorter and fewer cases, as `--quick` has them.'),
      only: text.nullable().describe('Glob of `--only`.'),
    })
    .exactOptional()
    .describe('Absent where all of the spec was to be measured, as long as it says.'),
  seed: figure,
  comparing: comparing.exactOptional().describe('What it was compared with; absent for a run on its own.'),
  unpaired: unpaired
    .exactOptional()
    .describe(
      'Where a baseline was asked for and none was started: the numbers that stood in for it, or why there was nothing.',
    ),
  published: z
    .looseObject({
      accepted,
      baseline: sideOrigin.nullable(),
      passed: z.boolean().nullable().describe('Null where it was compared with nothing.'),
      mode: z
        .enum(['duet', 'interleaved', 'stored'])
        .exactOptional()
        .describe('How it was compared: side by side, in turn, or with the numbers of earlier runs.'),
      release: text.exactOptional().describe('Name of the tag that the commit had when it was published.'),
      raw: z
        .literal(true)
        .exactOptional()
        .describe('What its generators printed lies beside it, in a file whose name ends in `.raw.json`.'),
      levels: z
        .array(z.looseObject({ key: text, metrics: z.record(text, compared) }))
        .exactOptional()
        .describe('Endpoints and services, as `endpoints` and `services` of the comparison.'),
      anchor: anchor.exactOptional().describe('How far it is from `gate.anchor`, where it was compared with that.'),
    })
    .exactOptional()
    .describe('In place of both, in a record of the data branch: what is left of the comparison.'),
  timing: z.looseObject({
    wallSeconds: figure,
    loadSeconds: figure,
    comparingSeconds: figure.exactOptional().describe('Of its rounds; of several machines the most.'),
    preparingSeconds: figure
      .exactOptional()
      .describe('Of `wallSeconds`, what the steps of `prepare` took; of several machines the most.'),
  }),
  services: z.array(
    z.looseObject({
      service: text,
      variant,
      artifact: text.describe('Image id or digest, or the command line of a process; of several builds the first.'),
      imageBytes: figure
        .exactOptional()
        .describe('Size of the image, all layers unpacked; of several builds of the first.'),
      builds: z
        .array(text)
        .exactOptional()
        .describe('Artifact of each build, where there are several: the rounds use them in turn.'),
      oneBuild: text.exactOptional().describe('Why there is one build although several were asked for.'),
      rows: count.exactOptional().describe('Of all tables of its database, in a run that compares.'),
      failure: reason
        .nullable()
        .describe(
          'Why this service was not measured, where it was not: it never got ready, its image could not be had, …',
        ),
      absent: z
        .literal(true)
        .exactOptional()
        .describe('The spec calls it optional, and it could not be had: it has no cases, and nothing fails for it.'),
      requestSets: z
        .array(
          z.looseObject({
            endpoint: text,
            requests: count.describe('How many different ones.'),
            digest: text.describe('Of what the spec says of them and of the files that it names: `sha256:…`.'),
          }),
        )
        .exactOptional()
        .describe('Of endpoints whose requests differ from each other; absent where it has none.'),
      observed: observed
        .exactOptional()
        .describe('What was seen of it from outside under load; absent of a service that was not warmed up alone.'),
    }),
  ),
  cases: z.array(caseRecord),
  searches: searches
    .exactOptional()
    .describe(
      'What each service holds, where the spec searches for it; absent in a run that compares with a baseline.',
    ),
  interrupted: reason
    .nullable()
    .describe('Why the run ended early, where it did; its cases are then only those measured before.'),
});

/** The JSON Schema that editors and other programs read, as an object ready to be printed. */
export function runRecordJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(runRecordSchema, { io: 'input' }) as Record<string, unknown>;
  return {
    $schema,
    title: 'wrkbench run record (run.json), version 1',
    description: 'All that one execution of wrkbench measured.',
    ...rest,
  };
}
