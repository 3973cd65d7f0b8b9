import { counted, grouped, latency, span } from '../format/figures.ts';
import type { UnloadedPass } from '../measurement/measurement.ts';
import type { Evidence } from './evidence.ts';
import { ROOM, ROUND_TIMEOUTS } from './settings-advice.ts';

/** What is said of a load in which nothing was answered: for how long, what one request took without load, and what to set. */
export function noAnswerSentence({ trial, case: { load, connections, generator }, pass }: Evidence): string {
  const seconds = trial.outcome?.durationSeconds ?? trial.durationNs / 1e9;
  const kinds = Object.entries(trial.outcome?.errors ?? {}).filter(([, count]) => (count ?? 0) > 0);
  const errors = kinds.map(([kind, count]) => `${kind} ${grouped(count ?? 0)}`).join(', ');
  const { timeoutSeconds } = load;
  const each = timeoutSeconds === undefined ? '' : `, each of which may take ${timeoutSeconds} s`;
  const said = `no request was answered in ${span(seconds)} of ${generator} at ${counted(connections, 'connection')}${each}${errors === '' ? '' : ` (${errors})`}`;
  const took = pass === null ? null : secondsEach(pass);
  if (took === null || timeoutSeconds === undefined) return said;
  const unloaded = `${said}; without load one took ${latency(took * 1000)}`;
  const whole = took * connections;
  if (whole <= timeoutSeconds) return `${unloaded}: look at what the service and its log say under load`;
  const longEnough = (least: number) => ROUND_TIMEOUTS.find((round) => round >= least);
  const place = `load.${generator}`;
  if (took > timeoutSeconds / 2) {
    const timeout = longEnough(took * ROOM);
    return timeout === undefined
      ? `${unloaded}, which is more than a load can wait for`
      : `${unloaded}: set ${place}.timeout to ${timeout}s, its duration to as much, and ${place}.connections to [1]`;
  }
  const enough = longEnough(whole);
  const fewer = Math.max(1, 2 ** Math.floor(Math.log2(timeoutSeconds / ROOM / took)));
  const settings = [
    `${place}.connections to [${fewer}]`,
    ...(enough === undefined ? [] : [`${place}.timeout to ${enough}s and its duration to as much`]),
  ];
  return `${unloaded}, so that ${grouped(connections)} at once may take ${span(whole)}: set ${settings.join(', or ')}`;
}

/** Null where none was answered then, either. */
function secondsEach({ requests, failures, durationNs }: UnloadedPass): number | null {
  return requests === 0 ? null : durationNs / 1e9 / (requests + failures);
}
