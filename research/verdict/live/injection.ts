import { median } from '../../../src/core/statistics/quantile.ts';
import { ENDPOINTS, type EndpointName, type LiveKind, SERVERS } from './kinds.ts';
import type { Condition, Injected, LiveResult } from './result.ts';

/** As many of the latest comparisons tell what a request costs now. */
const CALIBRATING = 5;

/** Two machines with the same name of their CPU can differ by a factor of five, and nothing in a line tells them apart but when it was. */
const MOST_HOURS_AGO = 12;

/**
 * Microseconds of CPU time that a request of the kind's baseline costs under a condition `here`, from the latest comparisons of the
 * same matrix on this CPU model in the last hours: `kinds` names those. Null where there is none.
 */
export function calibratedUs(
  kinds: readonly string[],
  condition: Condition,
  here: { cpuModel: string; now: Date },
  results: readonly LiveResult[],
): number | null {
  const since = here.now.getTime() - MOST_HOURS_AGO * 3_600_000;
  const own = results.filter(
    ({ kind, condition: its, machine, finishedAt }) =>
      kinds.includes(kind) &&
      its === condition &&
      machine.cpuModel === here.cpuModel &&
      Date.parse(finishedAt) >= since,
  );
  return own.length === 0 ? null : median(own.slice(-CALIBRATING).map(({ cpuUs }) => cpuUs.baseline));
}

/** What the candidate gets beside the baseline's environment. `baseUs` is needed where a share of CPU time is injected. */
export function injectionOf({ cost, server }: LiveKind, baseUs: number | null): Injected {
  const nothing = { environment: {}, share: null, cpuUs: 0, calibratedUs: null };
  if (cost === null) return nothing;
  if (cost.kind === 'environment') return { ...nothing, environment: cost.environment };
  if (baseUs === null) throw new Error('A share of CPU time is injected once it is known what a request costs.');
  const cpuUs = Number((cost.share * baseUs).toFixed(3));
  const burntUs = Number(SERVERS[server].environment.BURN_US ?? 0) + cpuUs;
  return { environment: { BURN_US: burntUs.toFixed(3) }, share: cost.share, cpuUs, calibratedUs: baseUs };
}

/** Of the baseline: burns nothing of what costs, and looks for it as the candidate does. */
export function withoutShares({ BURN_SHARE: shares }: Record<string, string>): Record<string, string> {
  return shares === undefined ? {} : { BURN_SHARE: shares.replaceAll(/=[^,]*/g, '=0') };
}

/**
 * The same of some endpoints, each by a share of its own cost, service and database together: the service alone burns it. How much of the
 * cost is the database's is known from the latest comparisons on a CPU model that tell it; null where there is none.
 */
export function endpointInjection(
  endpoints: readonly EndpointName[],
  share: number,
  cpuModel: string,
  results: readonly LiveResult[],
): Injected | null {
  const known = results.flatMap(({ machine, databaseShares }) =>
    databaseShares !== undefined && machine.cpuModel === cpuModel ? [databaseShares] : [],
  );
  const ofDatabase = endpoints.map((name) => known.flatMap((each) => each[name] ?? []).slice(-CALIBRATING));
  if (ofDatabase.some((each) => each.length === 0)) return null;
  const burnt = endpoints.map((name, index) => {
    const own = share / (1 - median(ofDatabase[index]!));
    return `${ENDPOINTS[name]}=${own.toFixed(4)}`;
  });
  return { environment: { BURN_SHARE: burnt.join(',') }, share, cpuUs: 0, calibratedUs: null };
}
