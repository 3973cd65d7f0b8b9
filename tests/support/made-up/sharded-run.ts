import type { ShardSet } from '../../../src/core/record/merged-record.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { madeUpRecord } from './run-record.ts';

export const EPYC = 'AMD EPYC 7763 64-Core Processor';
export const XEON = 'Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz';

/** A run without a baseline, over two machines: the first has go, the second rust, at 100 and 1,000 connections, and each the reference. */
export function shardedRecords(models: readonly [string, string], id?: string): RunRecord[] {
  const cases = ['go', 'rust', 'nginx'].flatMap((service) =>
    [100, 1000].map((connections) => ({ service, connections, only: 'candidate' as const })),
  );
  const whole = madeUpRecord({ ...(id === undefined ? {} : { id }), comparing: null, publishes: true, cases });
  return models.map((cpuModel, at) => ({
    ...whole,
    environment: { ...whole.environment, cpuModel },
    cases: whole.cases.filter(({ service }) => service === 'nginx' || service === ['go', 'rust'][at]),
  }));
}

export function shardSet(records: readonly RunRecord[]): ShardSet {
  return {
    spec: records[0]!.spec,
    only: null,
    quick: false,
    count: records.length,
    records: new Map(records.map((record, at) => [at + 1, record])),
    failures: new Map(),
  };
}
