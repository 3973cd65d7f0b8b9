import { closedLoop, openLoop } from '../invocation.ts';
import { COUNTED, commonOptions } from '../script.ts';
import { countedMetric, type DuetLoad, SIDES, scenarioSeconds, wholeMetric } from './sides.ts';

/** k6 tags dropped iterations with the scenario alone, so they, and what to hold them against, are counted in whole. */
const COUNTED_IN_WHOLE = ['http_reqs', 'dropped_iterations'];

export interface DuetOptions {
  load: DuetLoad;
  /** Of each side. */
  connections: number;
  keepAlive: boolean;
  timeoutSeconds: number;
  /** By side; for scripts of the user's. */
  env: readonly [Record<string, string>, Record<string, string>] | null;
}

/** Settings of the two scenarios: the same rate and as many virtual users for each, from the same instant on. */
export function duetOptions({ load, connections, keepAlive, timeoutSeconds, env }: DuetOptions) {
  const scenario = {
    ...(load.rate === null ? closedLoop(connections) : openLoop(load.rate, connections)),
    duration: `${scenarioSeconds(load)}s`,
    gracefulStop: `${timeoutSeconds}s`,
  };
  const scenarios = SIDES.map((side, index) => [
    side,
    { ...scenario, exec: side, ...(env === null ? {} : { env: env[index] }) },
  ]);
  const apart = SIDES.flatMap((side) => [
    ...COUNTED_IN_WHOLE.map((metric) => wholeMetric(metric, side)),
    ...[...COUNTED, 'iterations'].map((metric) => countedMetric(metric, side, load)),
  ]);
  return {
    ...commonOptions(keepAlive),
    scenarios: Object.fromEntries(scenarios),
    thresholds: Object.fromEntries(apart.map((metric) => [metric, []])),
  };
}
