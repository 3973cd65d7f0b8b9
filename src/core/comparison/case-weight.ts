import { generators } from '../generators/registry.ts';
import { keepAliveName } from '../measurement/names.ts';
import type { CaseRecord } from '../record/run-record.ts';
import { isFixedRate } from './gating.ts';

/** Requests that CPU per request is of: all that were sent, or those that were answered before the load ended. */
export type CountedRequests = 'sent' | 'answered';

/** What a fixed rate tells beside a closed loop of 100 connections. */
const FIXED_RATE_WEIGHT = 4;

/**
 * Weight of a case in the mean of its endpoint, by how much it tells of a change: 4 of a fixed rate, and of a closed loop
 *
 *     with keep-alive        (100 / connections)^0.2, 1 at most
 *     without                1.5
 *
 * or, where a trial ends with requests under way that have cost CPU time and are not counted,
 *
 *     with keep-alive        (100 / connections)^0.6, 1 at most
 *     without                1.3 times as much
 *
 * CPU per request of two equal Node.js servers in duets of 0.8 s scattered by 4 % of what was sent with 100 connections, by 5 % with 1000,
 * by 3.5 % without keep-alive, and at a fixed rate (2 s) by 2 %; with 1000 connections by 7 to 10 % of what was answered. Known from the case
 * alone, so that it does not depend on how its rounds scatter.
 */
export function caseWeight(
  { generator, key }: Pick<CaseRecord, 'generator' | 'key'>,
  counted: CountedRequests = generators[generator].countsSent ? 'sent' : 'answered',
): number {
  if (isFixedRate({ generator, key })) return FIXED_RATE_WEIGHT;
  if (!generators[generator].gatesClosedLoop) return 1;
  const [reuse, connections] = key.split('/').slice(-2) as [string, string];
  const few = Math.min(1, 100 / Number.parseInt(connections, 10));
  const isOff = reuse === keepAliveName(false);
  if (counted === 'sent') return isOff ? 1.5 : few ** 0.2;
  return few ** 0.6 * (isOff ? 1.3 : 1);
}

/** What the cases of a service's endpoints are loaded by alike: access path, generator, keep-alive and connections, or that the rate is fixed. */
export function loadOf({ service, generator, key }: Pick<CaseRecord, 'service' | 'generator' | 'key'>): string {
  const words = key.split('/').slice(-4);
  return [service, ...(isFixedRate({ generator, key }) ? [...words.slice(0, -1), 'fixed rate'] : words)].join('/');
}
