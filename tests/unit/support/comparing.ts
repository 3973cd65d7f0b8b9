import { type MeasuringRequest, measure } from '../../../src/app/measuring/measuring.ts';
import { ownRequests } from '../../../src/core/baseline/held-requests.ts';
import { baselineSide, heldTo } from '../../../src/core/baseline/sides.ts';
import type { Acceptance, Comparison } from '../../../src/core/comparison/comparison.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { casesOf } from '../../../src/core/config/case.ts';
import type { Endpoint, GateRules, ResolvedSpec } from '../../../src/core/config/resolved.ts';
import type { Reason } from '../../../src/core/measurement/names.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { runRecordOf } from '../../../src/core/record/assembly.ts';
import type { JournalEntry, JournalHeader } from '../../../src/core/record/journal.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { journalHeader } from '../../support/journal-header.ts';
import { specOf } from '../../support/made-up/spec.ts';
import { type FakeMeasuring, fakeMeasuring, fakePrepared } from './fake-measuring.ts';

const GATE: ResolvedSpec['gate'] = {
  baseline: 'auto',
  metrics: {},
  cases: {},
  budgetSeconds: 300,
};

/** A service `go` (or several) with one case of wrk for each endpoint, `ping` where none is named. */
export function smallSpec(endpoints: Partial<Endpoint>[] = [{}], services = ['go']): ResolvedSpec {
  const spec = specOf(services, GATE, [{}]);
  const [ping] = spec.endpoints;
  return {
    ...spec,
    endpoints: endpoints.map((changes) => ({ ...ping!, ...changes })),
    load: {
      ...spec.load,
      wrk: { ...spec.load.wrk!, connections: [100], keepAlive: [true] },
      k6: null,
      warmUp: { kind: 'fixed', seconds: 1 },
    },
  };
}

export interface ComparingRun {
  candidate?: ResolvedSpec;
  baseline?: ResolvedSpec;
  mode?: 'duet' | 'interleaved';
  /** Of throughput, by which it may fall; the only one. */
  limit?: number;
  /** Limits instead of that one. */
  metrics?: GateRules['metrics'];
  budgetSeconds?: number;
  /** On top of the budget, until there are as many rounds as a verdict takes. */
  extraSeconds?: number;
  longestSeconds?: number;
  redSeconds?: number;
  /** Known before it is measured. */
  accepted?: Acceptance[];
  /** Only the change is of interest, as in a pull request. */
  isShort?: boolean;
  /** Cases that the machine cannot load, and why. */
  unloadable?: MeasuringRequest['unloadable'];
  /** Why there is nothing to measure; null where there is. */
  same?: Reason | null;
  /** Of each side. */
  builds?: number;
  machine?: FakeMeasuring;
  /** Journal of the run that goes on. */
  resumed?: JournalEntry[];
  signal?: AbortSignal;
}

/** What a comparing run on a made-up machine wrote, and what that machine was asked for. */
export async function comparingRun({
  candidate: own = smallSpec(),
  baseline = own,
  mode = 'duet',
  limit = 0.05,
  metrics = { throughput: { maxDecrease: { kind: 'ratio', value: limit } } },
  budgetSeconds = 100,
  extraSeconds = 0,
  longestSeconds = budgetSeconds,
  redSeconds = Number.POSITIVE_INFINITY,
  accepted = [],
  isShort = false,
  unloadable = [],
  same = null,
  builds = 1,
  machine = {},
  resumed,
  signal = new AbortController().signal,
}: ComparingRun = {}): Promise<{ record: RunRecord; comparison: Comparison; journal: JournalEntry[]; log: string[] }> {
  const side = { recordId: null, sha: null, text: 'made up' };
  const gate = { ...GATE, metrics };
  const { spec, missing, warnings } = baselineSide(own, baseline);
  const candidate = heldTo(spec, own);
  const unasked = ownRequests(own, spec);
  const comparing = {
    mode,
    baseline: side,
    candidate: side,
    gate,
    ownRequests: unasked,
    skipped: null,
    warnings,
    accepted,
  };
  const header = journalHeader({ spec: candidate, comparing }) as JournalEntry & JournalHeader;
  const { adapters, journal, log } = fakeMeasuring(machine, [...(resumed ?? [])]);
  const request: MeasuringRequest = {
    header,
    spec: candidate,
    specDirectory: '/nowhere',
    plan: planOf(candidate, { seed: 1 }),
    unloadable,
    resumed: resumed ?? null,
    comparing: {
      mode,
      baseline: {
        spec,
        specDirectory: '/nowhere',
        prepared: spec.services.map(({ name }) => fakePrepared(name, builds)),
      },
      missing,
      budgetSeconds,
      extraSeconds,
      longestSeconds,
      redSeconds,
      isShort,
      builds,
      sameOnBothSides: async () => same,
    },
  };
  await measure(request, adapters, signal);
  const record = runRecordOf(journal, [...casesOf(candidate), ...missing], '2026-11-20T10:00:00.000Z');
  return { record, comparison: comparisonOf(record), journal, log };
}
