import { nearest } from '../config/nearest.ts';
import { metrics } from '../metrics/registry.ts';
import { UserError } from '../user-error.ts';
import type { Acceptance } from './comparison.ts';
import { fits } from './thresholds.ts';

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

/** The acceptance of a metric of what has these names; undefined where nobody accepts it. */
export function acceptanceFor(
  accepted: readonly Acceptance[],
  names: readonly string[],
  metric: string,
): Acceptance | undefined {
  return accepted.find(({ cases, metric: only }) => (only ?? metric) === metric && fits(cases, names));
}

/** Something that is red: of which metric, and of which cases. */
export interface Red {
  metric: string;
  caseKeys: readonly string[];
}

/**
 * Those of all that is red which somebody accepts. What is red of a service or an endpoint only for what is red of its parts is
 * accepted with them: whoever accepts that `/users` costs more accepts what that makes of the service.
 */
export function acceptedAmong<T extends Red>(
  red: readonly T[],
  ownAcceptance: (one: T) => Acceptance | undefined,
): Map<T, Acceptance> {
  const accepted = new Map<T, Acceptance>();
  // Endpoints before their services: what was accepted of a part counts for the whole.
  for (const one of red.toSorted((a, b) => a.caseKeys.length - b.caseKeys.length)) {
    const parts = red.filter((other) => other.metric === one.metric && isWithin(other, one));
    const ofParts = parts.every((part) => accepted.has(part)) ? accepted.get(parts[0]!) : undefined;
    const acceptance = ownAcceptance(one) ?? ofParts;
    if (acceptance !== undefined) accepted.set(one, acceptance);
  }
  return accepted;
}

function isWithin({ caseKeys: part }: Red, { caseKeys: whole }: Red): boolean {
  return part.length < whole.length && part.every((key) => whole.includes(key));
}
