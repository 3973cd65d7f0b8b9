import type * as z from 'zod';
import type { Known } from './document.ts';
import type { runRecordSchema } from './schema.ts';

/** `run.json`: all that one execution measured. */
export type RunRecord = Known<z.infer<typeof runRecordSchema>>;
export type Comparing = NonNullable<RunRecord['comparing']>;
export type Unpaired = NonNullable<RunRecord['unpaired']>;
export type PublishedComparison = NonNullable<RunRecord['published']>;
export type AcceptedChange = Comparing['accepted'][number];
export type SideOrigin = Comparing['baseline'];
export type Environment = RunRecord['environment'];
export type ServiceRecord = RunRecord['services'][number];
export type CaseRecord = RunRecord['cases'][number];
export type DuetLoad = NonNullable<CaseRecord['duet']>;
export type StatementRecord = NonNullable<CaseRecord['statements']>[number];
export type MetricRecord = CaseRecord['metrics'][string];
export type Sample = MetricRecord['samples'][number];
