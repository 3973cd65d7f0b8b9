import type { Case } from '../config/case.ts';
import { generators } from '../generators/registry.ts';
import type { TrialMeasurement } from '../measurement/measurement.ts';

interface Seen {
  trial: TrialMeasurement;
  case: Case;
}

/** So many times as long as a request took: what is left of the timeout is for those that take longer. */
export const ROOM = 4;
/** Of what was held. */
const SAFE_SHARE = 0.9;
export const ROUND_TIMEOUTS = [5, 10, 20, 30, 60, 120, 300];

/**
 * Seconds that a request of a closed loop took, and how long its answer counts: with so many connections always waiting for one, it
 * is connections x seconds / requests (Little's law). Null where nothing is known of it.
 */
export function requestTime({
  trial,
  case: { load, connections },
}: Seen): { took: number; timeoutSeconds: number } | null {
  const { timeoutSeconds } = load;
  const { requests = 0, durationSeconds = trial.durationNs / 1e9 } = trial.outcome ?? {};
  if (timeoutSeconds === undefined || trial.rate !== null || requests === 0) return null;
  return { took: (connections * durationSeconds) / requests, timeoutSeconds };
}

/** What to set so that answers come in time, by how long a request took. Empty where late answers are exceptions. */
export function timeoutAdvice(seen: Seen): string {
  const time = requestTime(seen);
  if (time === null || time.took < time.timeoutSeconds / 2) return '';
  const { took, timeoutSeconds } = time;
  const { load, connections } = seen.case;
  const place = `load.${load.generator}`;
  const wanted = Math.max(ROOM * took, 2 * timeoutSeconds);
  const timeout = ROUND_TIMEOUTS.find((seconds) => seconds >= wanted);
  const fewer = 2 ** Math.floor(Math.log2((connections * timeoutSeconds) / ROOM / took));
  const settings = [
    ...(timeout === undefined ? [] : [`${place}.timeout to ${timeout}s`]),
    ...(fewer >= 1 && fewer < connections ? [`${place}.connections to [${fewer}]`] : []),
  ];
  if (settings.length === 0) return '';
  return `; a request took about ${Number(took.toPrecision(2))} s at ${connections} connections: set ${settings.join(' or ')}`;
}

/** Which rate would be held, by what was; empty where that is next to nothing. */
export function rateAdvice({ trial, case: { load } }: Seen, heldPerSecond: number): string {
  const arrival = generators[load.generator].arrivalOf(load);
  if (arrival === null || trial.rate === null || heldPerSecond < 2) return '';
  const perSecond = roundedDown(heldPerSecond * SAFE_SHARE);
  const percent =
    arrival.kind === 'share' ? SAFE_SHARE * 100 * arrival.shareOfCapacity * (heldPerSecond / trial.rate) : 0;
  const rounded = percent >= 5 ? 5 * Math.floor(percent / 5) : Math.floor(percent);
  const settings = [...(rounded >= 1 ? [`${rounded}%`] : []), `${perSecond}/s`];
  return `; about ${Math.round(heldPerSecond).toLocaleString('en-US')}/s were held: set load.${load.generator}.rate to ${settings.join(' or ')}`;
}

/** To two digits. */
function roundedDown(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.floor(value / step) * step;
}
