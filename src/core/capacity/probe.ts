import type { CapacitySearch } from '../config/resolved.ts';
import { failureShare, grouped, latency, share } from '../format/figures.ts';
import { generators } from '../generators/registry.ts';
import { answeredRequests, errorCount, throughput } from '../metrics/throughput.ts';
import type { Evidence } from '../validity/evidence.ts';
import { isDisturbed } from '../validity/set-aside.ts';
import { loadShares } from '../validity/shares.ts';
import { invalidReasons } from '../validity/verdict.ts';

/** Why a level did not hold. */
export const PROBE_FAILURES = [
  'p99',
  'errors',
  'rate-not-held',
  'generator-bound',
  'machine-limit',
  'fell-over',
  'invalid',
] as const;
export type ProbeFailure = (typeof PROBE_FAILURES)[number];

/** One try of one level. */
export interface Probe {
  level: number;
  held: boolean;
  /** Null where it held; `message` says it for a person. */
  why: ProbeFailure | null;
  message: string | null;
  /** Requests per second that were answered as expected. */
  throughput: number | null;
  p99Ms: number | null;
  /** Of 1. */
  errorShare: number | null;
  /** Others took a part of the CPUs meanwhile, or the clock was set. */
  isDisturbed: boolean;
}

/** Of what was asked for: below it, a rate was not held. */
const HELD_SHARE = 0.99;
const FULL = 0.9;
/** The limit of the search takes the place of the usual one, and a generator that is full may have held all the same. */
const JUDGED_HERE = new Set(['errors', 'no-answer', 'generator-bound', 'rate-not-held']);
const LOST = new Set(['connections-lost', 'no-latencies']);

/** Whether a trial kept the limits of its search, and what it broke first. */
export function probeOf(evidence: Evidence, level: number, search: CapacitySearch): Probe {
  const { trial } = evidence;
  const requests = trial.outcome?.requests ?? 0;
  const figures = {
    level,
    throughput: throughput.ofTrial?.(trial) ?? null,
    p99Ms: trial.outcome?.latencyMs?.p99 ?? null,
    errorShare: requests > 0 ? errorCount(trial) / requests : null,
    isDisturbed: isDisturbed(trial, evidence.case),
  };
  const found = brokenLimit(evidence, figures, search);
  if (found === null) return { ...figures, held: true, why: null, message: null };
  // Errors are of the server, however busy the generator was; what is late may be late by the generator.
  const isLate = found.why === 'p99' || found.why === 'rate-not-held';
  const full = isLate ? generatorLimit(evidence) : null;
  const { why, message } =
    full === null ? found : { why: 'generator-bound' as const, message: `${full}; ${found.message}` };
  return { ...figures, held: false, why, message };
}

function brokenLimit(
  evidence: Evidence,
  { throughput: answered, p99Ms, errorShare }: Pick<Probe, 'throughput' | 'p99Ms' | 'errorShare'>,
  { limits }: CapacitySearch,
): { why: ProbeFailure; message: string } | null {
  const { trial, case: testCase } = evidence;
  if (trial.testbedFailure !== null) return { why: 'fell-over', message: trial.testbedFailure.message };
  const reasons = invalidReasons(evidence);
  const invalid = reasons.find(({ code }) => !JUDGED_HERE.has(code));
  if (invalid !== undefined) return { why: LOST.has(invalid.code) ? 'errors' : 'invalid', message: invalid.message };
  if (errorShare === null) return { why: 'errors', message: 'no request was answered' };
  if (errorShare > limits.errorShare) {
    return { why: 'errors', message: `${failureShare(errorShare)} of the requests failed` };
  }
  const asked = trial.rate;
  const dropped = trial.outcome?.droppedIterations ?? 0;
  if (asked !== null && !isRateHeld(evidence, asked, dropped)) {
    const skipped = dropped === 0 ? '' : `, and ${testCase.generator} left out ${grouped(dropped)}`;
    return {
      why: 'rate-not-held',
      message: `${grouped(answered ?? 0)} requests/s were answered where ${grouped(asked)} were asked for${skipped}`,
    };
  }
  if (limits.p99Ms !== null && (p99Ms === null || p99Ms > limits.p99Ms)) {
    return { why: 'p99', message: p99Ms === null ? 'there is no p99' : `p99 was ${latency(p99Ms)}` };
  }
  return null;
}

/**
 * A connection may have one request under way when the trial ends, and those of the last burst are not yet due: in a short
 * trial these are not few.
 */
function isRateHeld({ trial, case: { connections, generator } }: Evidence, rate: number, dropped: number): boolean {
  const open = connections + rate * generators[generator].burstSeconds;
  const asked = rate * (trial.outcome?.durationSeconds ?? trial.durationNs / 1e9);
  const answered = answeredRequests(trial) ?? 0;
  return dropped <= asked * (1 - HELD_SHARE) && answered >= asked * HELD_SHARE - open;
}

/** What is full is the generator, and the server is not; null where that is not so. */
function generatorLimit({ trial, case: testCase }: Evidence): string | null {
  const { server } = loadShares(trial);
  const { generatorNs, windowNs, generatorCpuCount, serviceNs } = trial.cpu;
  const cpus = Math.max(
    1,
    Math.min(generatorCpuCount, generators[testCase.generator].threadsOf(testCase.load) ?? generatorCpuCount),
  );
  const used = generatorNs / windowNs / cpus;
  // What others take of its CPUs, it lacks.
  const busy = Math.max(used, (trial.cpu.generatorBusyNs ?? 0) / windowNs / Math.max(1, generatorCpuCount));
  const serverCores = serviceNs / windowNs;
  const isOneCore = serverCores > FULL && serverCores < 2 - FULL;
  if (busy < FULL || server >= FULL || isOneCore) return null;
  const others = used < FULL ? ' and other processes the rest' : '';
  return `${testCase.generator} used ${share(used)} of its CPUs${others}, the server ${share(server)} of its own`;
}
