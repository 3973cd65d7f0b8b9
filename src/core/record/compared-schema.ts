/** What a record says of the side that its run was compared with, or was to be. */

import * as z from 'zod';
import { gate } from '../config/gate.ts';
import type { GateRules } from '../config/resolved.ts';
import { reason, text, texts } from './schema-parts.ts';

export const sideOrigin = z.looseObject({
  recordId: text
    .nullable()
    .describe('Of the stored record that it was taken from; null where it was built for this run alone.'),
  sha: text.nullable(),
  text: text.describe('As in: commit 3f2c1ab (merge-base with main), built in this run.'),
});
/** Changes for the worse that somebody accepts, with the reason. */
export const accepted = z.array(z.looseObject({ cases: text, metric: text.nullable(), reason: text }));
/** All that a comparison of this record with itself needs beside its cases: it can be worked out again from `run.json`. */
export const comparing = z.looseObject({
  mode: z.enum(['duet', 'interleaved']),
  baseline: sideOrigin,
  candidate: sideOrigin,
  gate: (gate.recorded as unknown as z.ZodType<GateRules>).describe(
    "Limits in force: those of the baseline's spec, where it has one.",
  ),
  baselinePaths: texts
    .exactOptional()
    .describe(
      "Endpoint → its path in the baseline's spec, where the candidate's has another one, or none: the patterns of the gate are held against the baseline's.",
    ),
  ownRequests: texts
    .exactOptional()
    .describe(
      "`service/endpoint` → the request of the candidate's own spec, where it is another one than the baseline's, which both sides were asked.",
    ),
  skipped: reason.nullable().describe('Why no pair was measured, where both sides are the same.'),
  warnings: z.array(reason).describe('What the reader should know of how the baseline was had.'),
  accepted,
});

/** A baseline was asked for, and the candidate was measured without one beside it. */
export const unpaired = z.looseObject({
  wanted: text.describe('Phrase of the baseline, as it was asked for.'),
  baseline: sideOrigin.nullable().describe('The stored run whose numbers stood in; null where there was nothing.'),
  candidate: sideOrigin,
  warnings: z.array(reason).describe('What the reader should know of it: why there was nothing better.'),
  failed: z
    .boolean()
    .describe('There is something to compare with, and it was not available: such a run does not pass.'),
  accepted,
});
