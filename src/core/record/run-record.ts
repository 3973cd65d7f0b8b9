import type * as z from 'zod';
import type { Known } from './document.ts';
import type { runRecordSchema } from './schema.ts';

/** `run.json`: all that one execution measured. */
export type RunRecord = Known<z.infer<typeof runRecordSchema>>;
export type Comparing = NonNullable<RunRecord['comparing']>;
export type Unpaired = NonNullable<RunRecord['unpaired']>;
export type PublishedComparison = NonNullable<RunRecord['published']>;
export type PublishedAnchor = NonNullable<PublishedComparison['anchor']>;
export type AcceptedChange = Comparing['accepted'][number];
export type SideOrigin = Comparing['baseline'];
export type Environment = RunRecord['environment'];
export type ServiceRecord = RunRecord['services'][number];
export type RequestSetRecord = NonNullable<ServiceRecord['requestSets']>[number];
export type ObservedRecord = NonNullable<ServiceRecord['observed']>;
export type CaseRecord = RunRecord['cases'][number];
export type SearchRecord = NonNullable<RunRecord['searches']>[number];
export type DuetLoad = NonNullable<CaseRecord['duet']>;
export type ReportedFigures = NonNullable<CaseRecord['reported']>;
export type StatementRecord = NonNullable<CaseRecord['statements']>[number];
export type MetricRecord = CaseRecord['metrics'][string];
export type ComparedFigure = NonNullable<MetricRecord['compared']>;
export type Sample = MetricRecord['samples'][number];
