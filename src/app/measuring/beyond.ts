import type { Case } from '../../core/config/case.ts';
import type { UnloadedPass } from '../../core/measurement/measurement.ts';
import type { Variant } from '../../core/measurement/names.ts';
import { type Beyond, beyondReason, beyondService } from '../../core/validity/beyond-service.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { capacityKey } from './rate.ts';

/**
 * What endpoints answer by themselves, whatever the number of connections: by `capacityKey`, of those that had more requests waiting than
 * they worked on.
 */
export type Saturated = Map<string, Reached>;

interface Reached {
  requestsPerSecond: number;
  from: ReachedIn;
}
/** A warm-up is of an endpoint that is cold at its beginning, beside what else the machine does just then. */
type ReachedIn = 'warm-up' | 'trial';

/**
 * So many times as many an endpoint may answer as its warm-up has shown. On a machine that others used as well, warm-ups of an application's
 * endpoints showed 54, 104 and 69 requests/s, and trials of them 300, 513 and 340/s.
 */
const BEYOND_DOUBT: Record<ReachedIn, number> = { 'warm-up': 8, trial: 1 };

/** A request that takes so many times as long as it does by itself waits for others. */
const WAITS = 2;

/**
 * Notes what a closed loop of the case has reached, with so many sides loaded at once. A service that waits for something else answers
 * more the more it is asked, and then tells nothing of more connections: it is known by its requests, which take no longer than one alone.
 */
export function noteSaturated(
  saturated: Saturated,
  testCase: Case,
  perSecond: number,
  { pass, sides, from }: { pass: UnloadedPass | null; sides: 1 | 2; from: ReachedIn },
): void {
  if (pass === null || pass.requests === 0 || perSecond === 0) return;
  if (testCase.connections / perSecond < WAITS * sides * unloadedSeconds(pass)) return;
  const key = capacityKey(testCase);
  // Beside the other side it has half of the CPU at the least.
  const byItself = perSecond * (waitsForNoCpu(perSecond, pass) ? 1 : sides);
  const found = { requestsPerSecond: from === 'warm-up' ? leastCapacity(byItself, pass) : byItself, from };
  saturated.set(key, better(found, saturated.get(key)));
}

function better(one: Reached, other: Reached | undefined): Reached {
  if (other === undefined) return one;
  if (one.from !== other.from) return one.from === 'trial' ? one : other;
  return one.requestsPerSecond > other.requestsPerSecond ? one : other;
}

/** What whoever asks takes himself is little of a request that takes so long. */
const TELLING_SECONDS = 0.02;
/** Of what requests in turn reach. */
const AS_MANY = 0.75;

/**
 * Whether a side answers about as many requests a second beside the other as one after the other without load: then it waits for something else
 * than a CPU that both share, and by itself would answer no more. Only of requests that take long enough to tell.
 */
export function waitsForNoCpu(perSecond: number, pass: UnloadedPass): boolean {
  const seconds = unloadedSeconds(pass);
  return seconds >= TELLING_SECONDS && perSecond * seconds >= AS_MANY;
}

/**
 * Requests per second that an endpoint answers at the least, whatever a window of its warm-up has shown: one after another, it has answered so
 * many. What is asked at once ends at about the same time, and a window that is over before it has seen next to nothing of it.
 */
export function leastCapacity(perSecond: number, pass: UnloadedPass | null): number {
  return pass === null || pass.requests === 0 ? perSecond : Math.max(perSecond, 1 / unloadedSeconds(pass));
}

function unloadedSeconds({ durationNs, requests }: UnloadedPass): number {
  return durationNs / 1e9 / Math.max(1, requests);
}

/** Whether a case is beyond its service by what is known of its endpoint; null where it is not, or where nothing is known. */
export function knownBeyond(testCase: Case, saturated: Saturated): Beyond | null {
  const own = saturated.get(capacityKey(testCase));
  // Without keep-alive it answers no more than with it; with it, maybe far more.
  const other = testCase.keepAlive ? undefined : saturated.get(capacityKey({ ...testCase, keepAlive: true }));
  const known = own === undefined ? other : better(own, other);
  if (known === undefined) return null;
  const { requestsPerSecond, from } = known;
  return beyondService(testCase, BEYOND_DOUBT[from] * requestsPerSecond) && beyondService(testCase, requestsPerSecond);
}

/** It is in the journal when it resolves. */
export async function noteBeyond(
  testCase: Case,
  found: readonly { variant: Variant; beyond: Beyond }[],
  { store: { journal }, progress }: MeasuringAdapters,
): Promise<void> {
  progress.say(`${testCase.key}: ${beyondReason(testCase, found.at(-1)!.beyond).message}; not measured`);
  for (const { variant, beyond } of found) {
    await journal.append({ kind: 'beyond', caseKey: testCase.key, variant, ...beyond });
  }
}
