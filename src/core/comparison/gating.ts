import { generators } from '../generators/registry.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import type { CaseRecord, DuetLoad } from '../record/run-record.ts';
import type { ComparisonMode } from './comparison.ts';

/**
 * Which cases gate which metric, and on what (the table in docs/deciding.md). Where an endpoint
 * has no case of the load that its CPU is best measured with, the other one stands alone, with a note.
 */

/** What an endpoint of a service is loaded with, on one route, and whether it asks the database. */
export interface EndpointLoad {
  /** One that gates: see `gatesClosedLoop`. */
  closedLoop: boolean;
  fixedRate: boolean;
  sendsStatements: boolean;
}

/** What a gated metric is judged from. */
export interface Basis {
  mode: ComparisonMode | 'exact';
  /** Modes of the samples that are paired. */
  samples: readonly ('solo' | 'duet')[];
  note: string | null;
  /** What background threads use for each request, of both sides alike; absent where what each side's use is compared as well. */
  background?: Background;
}

/** What background threads of a service use for each request of a case, as a metric shows it. */
export interface Background {
  /** Both sides together, as a `cost`. */
  usual: number;
  /** Over the cases of its endpoint, of all CPU time. */
  share: number;
  /** What the candidate's use more than the baseline's; a share as well. */
  apart: number;
}

/** A metric as what a request costs, to which background threads add their part: of requests per second the seconds of each. */
export function cost({ better }: Pick<MetricDefinition, 'better'>, value: number): number {
  return better === 'lower' ? value : 1 / value;
}

/** Of all cases of a record, both sides; `endpointOf` names the entry of a case. */
export function endpointLoads(cases: readonly CaseRecord[]): Map<string, EndpointLoad> {
  const loads = new Map<string, EndpointLoad>();
  for (const record of cases) {
    const load = loads.get(endpointOf(record)) ?? { closedLoop: false, fixedRate: false, sendsStatements: false };
    // What is valid on neither side stands in for nothing.
    load.closedLoop ||= isGatingLoop(record) && record.status === 'valid';
    load.fixedRate ||= isFixedRate(record) && record.status === 'valid';
    load.sendsStatements ||=
      (record.statements ?? []).some(({ callsPerRequest }) => callsPerRequest > 0) ||
      (record.metrics['queries-per-request']?.value ?? 0) > 0;
    loads.set(endpointOf(record), load);
  }
  return loads;
}

export function endpointOf({ service, endpoint, route }: CaseRecord): string {
  return `${service}/${endpoint}/${route}`;
}

/** Whether cases like this one gate the metric, and what is to be said of it; null where it is only shown. */
export function gatedOn(
  metric: MetricDefinition,
  record: Pick<CaseRecord, 'generator' | 'key'>,
  load: EndpointLoad,
): { note: string | null } | null {
  switch (metric.gatedBy) {
    case 'every case':
      return { note: null };
    case 'closed loop':
      return isGatingLoop(record) ? { note: null } : null;
    case 'fixed rate':
      return isFixedRate(record) ? { note: null } : null;
    case 'closed loop and fixed rate':
      return gatesCpu(record, load);
  }
}

function gatesCpu(record: Pick<CaseRecord, 'generator' | 'key'>, load: EndpointLoad): { note: string | null } | null {
  if (load.sendsStatements && !load.fixedRate && isGatingLoop(record)) {
    const better = generators[record.generator].closedLoopInKey === null ? 'k6' : record.generator;
    return {
      note: `measured under saturation, where a database batches unevenly: a case of ${better} at a fixed rate would show smaller changes`,
    };
  }
  if (!load.sendsStatements && !load.closedLoop && isFixedRate(record)) {
    const better = generators[record.generator].gatesClosedLoop ? `${record.generator} in a closed loop` : 'wrk';
    return {
      note: `measured with ${record.generator} at a fixed rate: a case of ${better} would show smaller changes`,
    };
  }
  return isFixedRate(record) || isGatingLoop(record) ? { note: null } : null;
}

/** A closed loop that is steady enough to gate. */
export function isGatingLoop(record: Pick<CaseRecord, 'generator' | 'key'>): boolean {
  return generators[record.generator].gatesClosedLoop && !isFixedRate(record);
}

/** With an arrival rate of its own, an open model: the end of its key names it, whether or not the case was measured. */
export function isFixedRate({ generator, key }: Pick<CaseRecord, 'generator' | 'key'>): boolean {
  const { closedLoopInKey } = generators[generator];
  return closedLoopInKey !== null && /@[^/]*$/.test(key) && !key.endsWith(`@${closedLoopInKey}`);
}

/** From the pass without load. */
export function isExact(metric: MetricDefinition): boolean {
  return metric.ofPass !== undefined;
}

/** The basis of a metric that is gated on this case, in a run that was paired in this way. */
export function basisOf(
  metric: MetricDefinition,
  runMode: 'duet' | 'interleaved',
  baseline: CaseRecord | null,
  candidate: CaseRecord | null,
  limit: number | null = null,
  background: Background | null = null,
): Basis {
  const basis = samplesOf(metric, runMode, baseline, candidate, limit);
  if (background === null || basis.mode !== runMode) return basis;
  return Math.abs(background.apart) <= backgroundTolerance(limit) ? { ...basis, background } : basis;
}

function samplesOf(
  metric: MetricDefinition,
  runMode: 'duet' | 'interleaved',
  baseline: CaseRecord | null,
  candidate: CaseRecord | null,
  limit: number | null,
): Basis {
  if (isExact(metric)) return { mode: 'exact', samples: ['solo'], note: null };
  if (runMode === 'interleaved') return { mode: 'interleaved', samples: ['solo'], note: null };
  switch (metric.inDuets) {
    case 'as measured, solo too':
    case 'not measured':
      return { mode: 'duet', samples: ['duet', 'solo'], note: null };
    case 'as measured':
      return { mode: 'duet', samples: ['duet'], note: null };
    case 'solo beside them':
      return { mode: 'interleaved', samples: ['solo'], note: null };
    case 'where both compete': {
      const note = whyNotCompeting(baseline?.duet, candidate?.duet, limit);
      if (note === null) return { mode: 'duet', samples: ['duet'], note };
      return { mode: 'interleaved', samples: ['solo'], note };
    }
  }
}

/**
 * Whether a side clearly got another share of the CPU than one half: by a standard error more than the tolerance. With 1000 connections, whose
 * requests come in waves, the share scatters by 0.6 to 1 point from duet to duet, so that of eight duets it is known to 0.2 to 0.35; that is part of
 * what throughput scatters by, and no reason to distrust it.
 */
export function isUneven({ cpuShare, cpuShareError = 0 }: Omit<DuetLoad, 'busyShare'>, limit: number | null): boolean {
  return Math.abs(cpuShare - 0.5) - cpuShareError > cpuShareTolerance(limit);
}

/** A full CPU shows some 97 to 100 % here, the rest being interrupts; below this it stood idle now and then. */
export const LEAST_BUSY_SHARE = 0.95;

/**
 * How far from one half a side's share of the CPU may lie where a fall of throughput is limited to so much, as a share: what the
 * shares alone make of the ratio of throughputs, 4 d for shares of 1/2 ± d, stays within half of the limit. Half a point is how
 * well shares are known.
 */
export function cpuShareTolerance(limit: number | null): number {
  return Math.max(0.005, (limit ?? USUAL_LIMIT) / 8);
}

const USUAL_LIMIT = 0.05;

/**
 * What both sides' background threads may differ by, as a share of all CPU time, and still be taken for alike where a change is limited to so
 * much: half of it, and half a percent at least, which is how well they are known of an endpoint.
 */
function backgroundTolerance(limit: number | null): number {
  return Math.max(0.005, (limit ?? 0) / 2);
}

/**
 * Throughput of a duet tells the sides apart only while both want more CPU than they get and get the same: a side that
 * waits gives its CPU to the other, which then looks faster than it is.
 */
function whyNotCompeting(
  baseline: DuetLoad | undefined,
  candidate: DuetLoad | undefined,
  limit: number | null,
): string | null {
  if (baseline === undefined || candidate === undefined) return 'no duet was measured: from trials in turn';
  const busy = Math.min(baseline.busyShare, candidate.busyShare);
  const percent = (share: number) => `${(share * 100).toFixed(share > 0.995 ? 0 : 1)} %`;
  if (busy < LEAST_BUSY_SHARE) {
    return `from trials in turn: in duets only ${percent(busy)} of the CPU was used, so a side waited`;
  }
  return isUneven(baseline, limit) || isUneven(candidate, limit)
    ? `from trials in turn: in duets the candidate got ${percent(candidate.cpuShare)} of the CPU, not half of it`
    : null;
}
