import type * as z from 'zod';
import type { runRecordSchema } from './schema.ts';

/** What a loose schema knows of an object: without the keys that a later wrkbench may have added. */
type Known<T> = T extends readonly (infer Item)[]
  ? Known<Item>[]
  : T extends object
    ? { [Key in keyof T as string extends Key ? (unknown extends T[Key] ? never : Key) : Key]: Known<T[Key]> }
    : T;

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
