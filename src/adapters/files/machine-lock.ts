import { setTimeout as sleep } from 'node:timers/promises';
import { MachineBusy, type MachineLock } from '../../app/ports/machine.ts';
import { holderOf, type LockHolder, type LockSeat, takenSeat } from './lock-seat.ts';

const NAME = 'wrkbench-machine-lock';
const POLL_MS = 250;
/** Until the one who moves up has the seat in front of it. */
const MOVING_MS = 10;
/** Who comes when all of them are taken waits for the last one, in no order. */
const SEATS = 32;

/** One run at a time on this machine, whoever starts it, in the order in which they came. */
export function machineLock(name = NAME): MachineLock {
  return {
    async acquire(runId, onWait, signal, mostSeconds = null) {
      const wanted = { runId, name, mostSeconds };
      return await acquireMachineLock(wanted, (before) => onWait(describeQueue(before)), signal);
    },
  };
}

/**
 * Resolves once this process holds the lock, which is the first of a row of seats. Who comes takes the last one and moves up while the
 * seat in front of it is free, so that nobody gets past anybody; who ends, however it ends, leaves its seat to those behind it.
 *
 *     measures │ waits │ waits │       │ … │ comes
 *        0     │   1 ◀─│─  2 ◀─│─  3 ◀─│─ ◀│─ 31
 *
 * `onWait` gets those before it, who measures first, when waiting begins and when they are others. Rejects with the signal's reason
 * when aborted, and with `MachineBusy` where it would have to wait for longer than `mostSeconds`.
 */
export async function acquireMachineLock(
  { runId, name = NAME, mostSeconds = null }: { runId: string; name?: string; mostSeconds?: number | null },
  onWait: (before: LockHolder[]) => void,
  signal: AbortSignal,
): Promise<LockSeat> {
  const mostMs = mostSeconds === null ? Number.POSITIVE_INFINITY : mostSeconds * 1000;
  const started = performance.now();
  let reported = '';
  let place: Place | null = null;
  try {
    for (;;) {
      signal.throwIfAborted();
      place = await movedUp(place, name, runId);
      if (place?.number === 0) {
        const { seat } = place;
        place = null;
        return seat;
      }
      const [first = null, ...waiting] = await holdersBefore(place?.number ?? SEATS, name);
      const leftMs = mostMs - (performance.now() - started);
      if (first !== null) {
        const before = [first, ...waiting.filter((each) => each !== null)];
        if (leftMs <= 0) throw new MachineBusy(busySentence(before, mostSeconds ?? 0));
        if (JSON.stringify(before) !== reported) onWait(before);
        reported = JSON.stringify(before);
      }
      await sleep(first === null ? MOVING_MS : Math.min(POLL_MS, leftMs), undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      );
    }
  } finally {
    await place?.seat.release();
  }
}

/** The lock, where nobody holds it now or waits for it; null where somebody does. */
export async function tryMachineLock(runId: string, name = NAME): Promise<LockSeat | null> {
  return (await holderOf(seatName(name, 1))) === null ? await takenSeat(name, runId) : null;
}

interface Place {
  number: number;
  seat: LockSeat;
}

/** As far as the seats in front of it are free; null for who still has none. */
async function movedUp(place: Place | null, name: string, runId: string): Promise<Place | null> {
  let reached = place;
  for (let number = (place?.number ?? SEATS) - 1; number >= 0; number -= 1) {
    const seat = await takenSeat(seatName(name, number), runId);
    if (seat === null) break;
    // Only now, so that nobody behind it comes to stand beside it.
    await reached?.seat.release();
    reached = { number, seat };
  }
  return reached;
}

function holdersBefore(number: number, name: string): Promise<(LockHolder | null)[]> {
  return Promise.all(Array.from({ length: number }, (_, each) => holderOf(seatName(name, each))));
}

function seatName(name: string, number: number): string {
  return number === 0 ? name : `${name}-${number}`;
}

/** `run 3f2a (process 4711 in shop-api) has been measuring since 09:41:07 UTC, and run 77e0 (process 4720 in shop) waits before this one`. */
export function describeQueue([holder, ...waiting]: readonly LockHolder[]): string {
  const measures = holder === undefined ? 'another run is measuring on this machine' : describeHolder(holder);
  if (waiting.length === 0) return measures;
  const runs = waiting.map((each) => runText(each)).join(', ');
  return waiting.length === 1
    ? `${measures}, and ${runs} waits before this one`
    : `${measures}, and ${waiting.length} runs wait before this one: ${runs}`;
}

function describeHolder(holder: LockHolder): string {
  if (holder.pid === 0) return 'another run is measuring on this machine';
  const time = /T(\d\d:\d\d:\d\d)/.exec(holder.since)?.[1];
  return `${runText(holder)} has been measuring${time === undefined ? '' : ` since ${time} UTC`}`;
}

function runText({ runId, pid, folder }: LockHolder): string {
  return pid === 0 ? 'another run' : `run ${runId} (process ${pid} in ${folder})`;
}

function busySentence(before: readonly LockHolder[], waitedSeconds: number): string {
  const waited =
    waitedSeconds === 0 ? '' : `; it was not this one's turn within ${Number(waitedSeconds.toPrecision(6))} s`;
  return `Nothing was measured: ${describeQueue(before)}${waited}. Two runs at a time would measure each other: start this one when the machine is free, or let it wait for longer (--wait).`;
}
