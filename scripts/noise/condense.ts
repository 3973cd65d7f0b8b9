import { cpuPerRequest } from '../../src/core/metrics/cpu.ts';
import { metrics } from '../../src/core/metrics/registry.ts';
import { casesOf } from '../../src/core/plan/cases.ts';
import { duetLoad } from '../../src/core/record/duet-load.ts';
import type { JournalEntry, JournalHeader } from '../../src/core/record/journal.ts';
import type { SliceMeasurement, UnloadedPass } from '../../src/core/record/measurement.ts';
import { loadShares } from '../../src/core/validity/shares.ts';
import { invalidReasons } from '../../src/core/validity/verdict.ts';
import type { NoiseHeader, NoiseLine } from './noise-line.ts';

/** What a run adds to a recording: its number, and what its instances are counted from. */
export interface Place {
  run: number;
  instancesBefore: number;
}

/**
 * The slices of a run, a line each, in order of time. Only of instances that came to their end: one that was cut short
 * would tell of some cases only.
 */
export function condensed(entries: readonly JournalEntry[], place: Place): NoiseLine[] {
  const header = headerOf(entries);
  const cases = new Map(casesOf(header.spec).map((testCase) => [testCase.key, testCase]));
  const slices = entries.filter((entry) => entry.kind === 'slice');
  const passes = entries.filter((entry) => entry.kind === 'pass');
  const origin = Math.min(...slices.map(({ startedNs }) => startedNs));
  const ended = entries.filter((entry) => entry.kind === 'instance').map(({ instance }) => instance);
  const numbers = new Map(ended.map((instance, index) => [instance, place.instancesBefore + index + 1]));
  return slices
    .filter(({ instance }) => numbers.has(instance))
    .sort((a, b) => a.startedNs - b.startedNs)
    .map((slice) => {
      const testCase = cases.get(slice.caseKey)!;
      const pass = passOf(slice, passes, testCase);
      return {
        run: place.run,
        instance: numbers.get(slice.instance)!,
        case: slice.caseKey,
        ...figuresOf(slice, origin),
        valid: invalidReasons({ slice, case: testCase, pass }).length === 0,
      };
    });
}

export function headerOf(entries: readonly JournalEntry[]): JournalHeader {
  const header = entries.find((entry) => entry.kind === 'header');
  if (header === undefined) throw new Error('The journal has no header.');
  return header;
}

/** All of a recording's header that a run's journal tells. */
export function machineOf({
  startedAt,
  environment,
  tool,
}: JournalHeader): Omit<NoiseHeader, 'format' | 'condition' | 'pairing' | 'disturbance' | 'seed' | 'spec'> {
  const { cpuModel, cpuCount, memoryBytes, kernel, os, placement, versions } = environment;
  const machine = { cpuModel, cpuCount, memoryBytes, kernel, os };
  return { startedAt, machine, placement, tool: { version: tool.version }, versions };
}

function passOf(
  { instance, variant }: SliceMeasurement,
  passes: readonly UnloadedPass[],
  { endpoint, route, service }: { endpoint: { name: string }; route: string; service: { name: string } },
): UnloadedPass | null {
  const fits = (pass: UnloadedPass) =>
    pass.instance === instance &&
    pass.variant === variant &&
    pass.endpoint === endpoint.name &&
    pass.route === route &&
    pass.service === service.name;
  return passes.find(fits) ?? null;
}

function figuresOf(slice: SliceMeasurement, origin: number): Omit<NoiseLine, 'run' | 'instance' | 'case' | 'valid'> {
  const { outcome, cpu, memory } = slice;
  const cpuUs = (cpu.serviceNs + cpu.databaseNs) / 1000;
  const perRequestUs = cpuPerRequest.ofSlice!(slice);
  const shares = duetLoad([slice]).duet;
  return {
    slice: slice.slice,
    pair: slice.pair,
    mode: slice.mode,
    variant: slice.variant,
    startedNs: slice.startedNs - origin,
    durationNs: slice.durationNs,
    rate: slice.rate === null ? null : digits(slice.rate, 6),
    requests: perRequestUs === null ? 0 : Math.round(cpuUs / perRequestUs),
    outcomeSeconds: digits(outcome?.durationSeconds ?? slice.durationNs / 1e9, 6),
    cpuUs: Math.round(cpuUs),
    databaseUs: Math.round(cpu.databaseNs / 1000),
    cpuShare: shares === undefined ? null : digits(shares.cpuShare, 5),
    busyShare: digits(shares?.busyShare ?? loadShares(slice).server, 5),
    throughput: figure(slice, 'throughput'),
    p50: figure(slice, 'latency-p50'),
    p90: figure(slice, 'latency-p90'),
    p99: figure(slice, 'latency-p99'),
    peakBytes: memory.peakBytes,
    settledBytes: memory.settledBytes,
  };
}

/** As the product has it. Seven digits: a log ratio of two such figures is right to 1e-6. */
function figure(slice: SliceMeasurement, metric: string): number | null {
  const value = metrics.find(({ name }) => name === metric)?.ofSlice?.(slice) ?? null;
  return value === null ? null : digits(value, 7);
}

function digits(value: number, count: number): number {
  return Number(value.toPrecision(count));
}
