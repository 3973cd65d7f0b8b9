import { nearest } from '../config/nearest.ts';
import { metrics } from '../metrics/registry.ts';
import { UserError } from '../user-error.ts';
import type { Acceptance } from './comparison.ts';

/**
 * `CASES[:METRIC]=REASON` of a command line: `/db/*=one more query, for roles` accepts every metric of these cases,
 * `/db/*:cpu-per-request=…` that one. Throws `UserError`.
 */
export function acceptanceOf(text: string): Acceptance {
  const equals = text.indexOf('=');
  const reason = text.slice(equals + 1).trim();
  const subject = text.slice(0, Math.max(0, equals)).trim();
  if (equals < 0 || subject === '' || reason === '') {
    throw new UserError(
      `--accept '${text}' is not understood: expected CASES=REASON or CASES:METRIC=REASON, as in --accept '/db/*:cpu-per-request=one more query, for roles'.`,
    );
  }
  const colon = subject.lastIndexOf(':');
  if (colon < 0) return { cases: subject, metric: null, reason };
  const metric = subject.slice(colon + 1);
  const names = metrics.map(({ name }) => name);
  if (!names.includes(metric)) {
    throw new UserError(
      `--accept '${text}': there is no metric ${metric}; the nearest is ${nearest(metric, names) ?? names[0]}.`,
    );
  }
  return { cases: subject.slice(0, colon), metric, reason };
}
