import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import type { TrustedFacts } from '../../../src/core/posting/judgement.ts';
import { type JudgedRun, judgedRun } from '../../../src/core/posting/verdict.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { type MadeUpRecord, madeUpRecord } from '../../support/made-up/run-record.ts';

/** Of one service and endpoint under wrk, 100 connections, keep-alive on: its spec asks for that case alone. */
export function recordOf(made: Partial<MadeUpRecord> = {}): RunRecord {
  const record = madeUpRecord({ seed: 12, rounds: 10, id: '20261120-092802-0a1b2c', cases: [{}], ...made });
  return { ...record, spec: specWithOneCase(record.spec) };
}

function specWithOneCase(spec: ResolvedSpec): ResolvedSpec {
  const { load } = spec;
  return { ...spec, load: { ...load, k6: null, wrk: { ...load.wrk!, connections: [100], keepAlive: [true] } } };
}

/** Too few rounds for any verdict. */
export const short: Partial<MadeUpRecord> = { rounds: 3, gate: { budgetSeconds: 90 } };
/** Enough rounds, on a machine that scatters too much for the limits. */
export const noisy: Partial<MadeUpRecord> = { rounds: 10, scatter: 0.05 };
export const slower: Partial<MadeUpRecord> = { cases: [{ ratios: { 'cpu-per-request': 1.1 } }] };

export function judged(made: Partial<MadeUpRecord> = {}): JudgedRun {
  const record = recordOf(made);
  return judgedRun(record, record.comparing === undefined ? null : comparisonOf(record));
}

export function known(changes: Partial<TrustedFacts> = {}): TrustedFacts {
  const baseSpec = recordOf().spec;
  return {
    baseSpec,
    accepted: [],
    withoutBaseline: false,
    only: null,
    quick: false,
    failOnInconclusive: false,
    doubts: [],
    stored: null,
    ...changes,
  };
}

/** A run that is kept nowhere, of a job that fails for regressions. */
export const REPORTED = { storedAs: null, fail: 'regression' } as const;
