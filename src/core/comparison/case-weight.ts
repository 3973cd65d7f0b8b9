import { generators } from '../generators/registry.ts';
import type { CaseRecord } from '../record/run-record.ts';
import { isFixedRate } from './gating.ts';
import { requestsIn } from './observations.ts';

/**
 * What a fixed rate tells beside a closed loop of few connections: CPU per request of two equal Node.js servers in duets scattered by
 * 2 % at a fixed rate (3 s) and by 4 % in closed loops (0.8 s).
 */
const FIXED_RATE_WEIGHT = 4;

/**
 * Weight of a case in the mean of its endpoint: of a closed loop 1 where its trials tell all, down to a fifth. A trial of a closed loop ends with
 * a request under way on every connection, which has cost CPU time and is not counted; of short trials with many connections that
 * is much of what they are, and by chance more on one side than on the other:
 *
 *     1 / (1 + 4 e / (e + 0.1))     e = connections / requests of a trial
 *
 * CPU per request of two equal Node.js servers in duets of 1 s scattered by 2 to 3 % with 100 connections (e below 0.1) and by 4 to
 * 8 % with 1000 (e from 0.1 to 0.9): a quarter of the information. It is taken from the first round, and so does not depend on how
 * rounds scatter.
 */
export function caseWeight({ generator, key, metrics }: CaseRecord): number {
  if (isFixedRate({ key })) return FIXED_RATE_WEIGHT;
  if (!generators[generator].gatesClosedLoop) return 1;
  const connections = Number(key.slice(key.lastIndexOf('/') + 1));
  const first = metrics.throughput?.samples.find(({ mode, round }) => mode === 'duet' && round >= 1);
  if (first === undefined || !(connections > 0)) return 1;
  const underWay = connections / Math.max(1, requestsIn(first));
  return 1 / (1 + (4 * underWay) / (underWay + 0.1));
}
