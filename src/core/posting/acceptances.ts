import type { Acceptance } from '../comparison/comparison.ts';
import { metrics } from '../metrics/registry.ts';

/**
 * `perf-accepted` accepts all, `perf-accepted: /db/*` these cases, `perf-accepted: /db/*:cpu-per-request` that metric of
 * them. Null for every other label. What follows a colon and is no metric belongs to the cases (`/users/:id`).
 */
export function acceptanceOfLabel(label: string, by: string): Acceptance | null {
  const found = /^perf-accepted(?:\s*:\s*(\S.*))?$/i.exec(label.trim());
  if (found === null) return null;
  const reason = `label set by ${by}`;
  return found[1] === undefined ? { cases: '*', metric: null, reason } : withSubject(found[1].trim(), reason);
}

/** Longer than any message that somebody wrote by hand. */
const LONGEST_MESSAGE = 64 * 1024;
const MOST_TRAILERS = 50;

/**
 * `Perf-Accept: /db/users: one query more, for roles` in a commit's message, once for each. The cases may be followed by a
 * metric (`/db/users:cpu-per-request: …`). A line without a reason accepts nothing. Null for a message that is too long to be read,
 * or has more of them than anybody means.
 */
export function acceptancesOfMessage(message: string): Acceptance[] | null {
  if (message.length > LONGEST_MESSAGE) return null;
  const found = message.split(/\r?\n/).flatMap((line) => {
    const [, subject, reason] = /^perf-accept:[ \t]*(\S[^\n]*?):[ \t]+(\S.*)$/i.exec(line.trimEnd()) ?? [];
    return subject === undefined ? [] : withSubject(subject, reason!.slice(0, 400));
  });
  return found.length > MOST_TRAILERS ? null : found;
}

function withSubject(subject: string, reason: string): Acceptance {
  const colon = subject.lastIndexOf(':');
  const metric = subject.slice(colon + 1).trim();
  const isMetric = colon > 0 && metrics.some(({ name }) => name === metric);
  return isMetric
    ? { cases: subject.slice(0, colon).trim(), metric, reason }
    : { cases: subject.trim(), metric: null, reason };
}
