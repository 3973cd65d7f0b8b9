import { span } from '../format/figures.ts';
import type { RunRecord } from '../record/run-record.ts';

/** What took no longer is not missed in the time of a run. */
const WORTH_SAYING_SECONDS = 10;

/** `, of which 4 min 10 s preparing` after the time of a run; empty where its steps of `prepare` took 10 s at most, or it has none. */
export function preparingTime({ preparingSeconds = 0 }: RunRecord['timing'], before = ', of which '): string {
  return preparingSeconds > WORTH_SAYING_SECONDS ? `${before}${span(preparingSeconds)} preparing` : '';
}
