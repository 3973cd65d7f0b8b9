import type { DuetReadings, TrialMeasurement } from '../../../core/measurement/measurement.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { drained, drainedBetweenTrials, mostOpenSeconds } from '../drained.ts';
import { cpusOfServer } from '../placement.ts';
import { type PartReadings, partReadings, partsBetween, type Readings, readings, testbedCpuNs } from '../readings.ts';
import { generatorRequest, measurementOf, peakMemory, statementsOf, type TrialRequest } from '../trial.ts';

/**
 * Both sides loaded at the same time on the same CPUs. The first of the tuple begins first. Both sides' meters are read
 * right before, each side's at the end of its own load, and both when they are at rest after it; both sides' are when the connections
 * of both are open and at the first end of the two, for what the overlap holds.
 */
export async function measuredDuet(
  sides: readonly [TrialRequest, TrialRequest],
  durationSeconds: number,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<[TrialMeasurement, TrialMeasurement]> {
  const testbeds = sides.map(({ testbed }) => testbed);
  const [{ case: testCase, mostRestSeconds }] = sides;
  const beforeLoad = once(async () => {
    await adapters.runtime.removed?.();
    await drained(testbeds, adapters.clock, signal);
    for (const { database } of testbeds) await database?.resetStatements().catch(() => undefined);
  });
  const meters = duetMeters(sides, adapters);
  const memories = sides.map(({ testbed }) => peakMemory(testbed));
  const whileOpen = once(async () => {
    const isAtRest = await drained(testbeds, adapters.clock, signal, mostOpenSeconds(testCase, mostRestSeconds));
    if (isAtRest) meters.rest();
  });
  const request = (side: 0 | 1) => ({
    ...generatorRequest(sides[side], durationSeconds),
    beforeLoad,
    onStart: () => meters.start(side),
    onTick: () => {
      memories[side]!.look();
      meters.tick(side);
    },
    onEnd: () => meters.end(side),
    ...(sides[side].isRestless ? {} : { whileOpen }),
  });
  await drainedBetweenTrials(testbeds, mostRestSeconds, adapters.clock, signal);
  const runs = await adapters.generators.runTogether([request(0), request(1)], signal);
  const ports = adapters.ports.read();
  const statements = [await statementsOf(sides[0].testbed), await statementsOf(sides[1].testbed)];

  const measurement = (side: 0 | 1) => {
    const { before, after, afterLoad, duet } = meters.of(side, [runs[0].startedNs, runs[1].startedNs]);
    return measurementOf(
      sides[side],
      {
        run: runs[side],
        before,
        after,
        statements: statements[side]!,
        ports,
        peakBytes: memories[side]!.peakBytes(),
        settledBytes: 0,
        dependencyPeaks: memories[side]!.ofDependencies(),
        ...(afterLoad === null ? {} : { afterLoad }),
        duet: { ...duet, partnerGeneratorNs: runs[side === 0 ? 1 : 0].cpuNs },
      },
      adapters,
      signal,
    );
  };
  return await Promise.all([measurement(0), measurement(1)]);
}

/** The same for both sides, whoever asks first. */
function once(wait: () => Promise<void>): () => Promise<void> {
  let waited: Promise<void> | null = null;
  return () => {
    waited ??= wait();
    return waited;
  };
}

/** Both sides' CPU time at one moment. */
interface Moment {
  monotonicNs: number;
  idleNs: number;
  cpuNs: [number, number];
}

function duetMeters(sides: readonly [TrialRequest, TrialRequest], adapters: MeasuringAdapters) {
  const moment = (): Moment => ({
    monotonicNs: adapters.clock.monotonicNs(),
    idleNs: adapters.cpus.read(cpusOfServer(sides[0].placement)).idleNs,
    cpuNs: [testbedCpuNs(sides[0].testbed), testbedCpuNs(sides[1].testbed)],
  });
  const read = (side: 0 | 1) => readings(sides[side].testbed, sides[side].case, sides[side].placement, adapters);
  // Also the beginning of a side that fails before it is loaded.
  const before: [Readings, Readings] = [read(0), read(1)];
  const first = moment();
  const starts: [Moment, Moment] = [first, first];
  const ends: [{ own: Readings; both: Moment } | null, { own: Readings; both: Moment } | null] = [null, null];
  const ticked: [boolean, boolean] = [false, false];
  let opened: Moment | null = null;
  let firstEnd: Moment | null = null;
  let atRest: [PartReadings, PartReadings] | null = null;
  return {
    start(side: 0 | 1): void {
      if (ends[side] !== null) return;
      before[side] = read(side);
      const both = moment();
      for (const each of [0, 1] as const) if (ends[each] === null) starts[each] = both;
    },
    /** 100 ms into its load a side has its connections. */
    tick(side: 0 | 1): void {
      ticked[side] = true;
      if (ticked[0] && ticked[1]) opened ??= moment();
    },
    rest(): void {
      atRest = [partReadings(sides[0].testbed), partReadings(sides[1].testbed)];
    },
    end(side: 0 | 1): void {
      const both = moment();
      firstEnd ??= both;
      ends[side] ??= { own: read(side), both };
    },
    of(side: 0 | 1, startedNs: [number, number]) {
      const other = side === 0 ? 1 : 0;
      const { own, both } = ends[side] ?? { own: read(side), both: moment() };
      const end = firstEnd ?? both;
      const start = starts[side];
      // The other one had failed before this one was loaded: there is no overlap.
      const until = end.monotonicNs < start.monotonicNs ? start : end;
      const loadedNs = Math.max(...startedNs);
      const from = opened !== null && isWorthWaitingFor(opened, loadedNs, until) ? opened : null;
      const begin = from ?? start;
      const duet: Omit<DuetReadings, 'partnerGeneratorNs'> = {
        overlapNs: Math.max(0, until.monotonicNs - (from?.monotonicNs ?? loadedNs)),
        ownNs: until.cpuNs[side] - begin.cpuNs[side],
        idleNs: until.idleNs - begin.idleNs,
        partnerNs: until.cpuNs[other] - begin.cpuNs[other],
        partnerWindowNs: both.cpuNs[other] - start.cpuNs[other],
      };
      const afterLoad = atRest === null ? null : partsBetween(own, atRest[side]);
      return { before: before[side], after: own, afterLoad, duet };
    },
  };
}

/** Where the load is so short that no more than that would be left, it counts from its beginning. */
function isWorthWaitingFor(opened: Moment, loadedNs: number, end: Moment): boolean {
  return end.monotonicNs - opened.monotonicNs > opened.monotonicNs - loadedNs;
}
