import type { CapacitySearch } from '../config/resolved.ts';
import { grouped } from '../format/figures.ts';
import { bracketOf, nextLevel, type Vote } from './bisection.ts';
import type { Probe, ProbeFailure } from './probe.ts';

/** What a search found: between which levels the limit lies, and what it is a limit of. */
export interface Capacity {
  /** The highest level that held; null where none did. */
  held: number | null;
  /** The lowest level that did not; null where all did. */
  failed: number | null;
  /** Why that one did not hold. */
  why: ProbeFailure | null;
  /** What was read there, for a person. */
  message: string | null;
  /** It came to its end: neither interrupted, nor led astray by chance. */
  isComplete: boolean;
  isContradictory: boolean;
}

/**
 * What the tries say of their levels. The first of a level that did not hold while other processes disturbed it says nothing, so that
 * the level is tried again; a second one counts, or a busy machine would be searched forever.
 */
export function votesOf(probes: readonly Probe[]): Vote[] {
  const excused = new Set<number>();
  return probes.flatMap(({ level, held, why, isDisturbed }) => {
    if (!held && isDisturbed && !excused.has(level)) {
      excused.add(level);
      return [];
    }
    return [{ level, held, isFinal: why === 'machine-limit' }];
  });
}

export function capacityOf(levels: readonly number[], probes: readonly Probe[]): Capacity {
  const votes = votesOf(probes);
  const { held, failed, isContradictory } = bracketOf(levels, votes);
  const last = probes.findLast((probe) => probe.level === failed && !probe.held);
  const isBounded = held === levels.at(-1) || failed === levels[0] || (held !== null && failed !== null);
  return {
    held,
    failed,
    why: last?.why ?? null,
    message: last?.message ?? null,
    isComplete: nextLevel(levels, votes) === null && isBounded,
    isContradictory,
  };
}

/** `holds 14,200 to 14,900 requests/s within p99 ≤ 50 ms and errors ≤ 0.1 %` */
export function capacityText(
  { held, failed, why, isComplete }: Capacity,
  search: Pick<CapacitySearch, 'find' | 'generator' | 'limits'>,
): string {
  const limits = limitsText(search);
  const levels = (text: string) => `${text} ${search.find === 'rate' ? 'requests/s' : 'connections'} ${limits}`;
  if (held === null && failed === null) return 'not found: no level was tried often enough';
  if (held === null) {
    return why === 'invalid' ? 'not found: no try was a valid trial' : levels(`holds fewer than ${grouped(failed!)}`);
  }
  const atLeast = levels(`holds at least ${grouped(held)}`);
  if (failed === null) {
    return `${atLeast}; ${isComplete ? 'raise `search.to` to find more' : 'the search did not come to its end'}`;
  }
  if (why === 'generator-bound') return `${atLeast}: above it ${search.generator} itself is the limit`;
  if (why === 'machine-limit') return `${atLeast}: this machine can load no more`;
  if (why === 'invalid') return `${atLeast}: above it no try was a valid trial`;
  return levels(`holds ${grouped(held)} to ${grouped(failed)}`);
}

/** `within p99 ≤ 50 ms and errors ≤ 0.1 %` */
export function limitsText({ limits: { p99Ms, errorShare } }: Pick<CapacitySearch, 'limits'>): string {
  const errors = `errors ≤ ${Number((errorShare * 100).toPrecision(9))} %`;
  if (p99Ms === null) return `within ${errors}`;
  const p99 = p99Ms < 1000 ? `${p99Ms} ms` : `${Number((p99Ms / 1000).toPrecision(9))} s`;
  return `within p99 ≤ ${p99} and ${errors}`;
}

/** What the limit is, in two or three words. */
export const LIMIT_WORDS: Record<ProbeFailure, string> = {
  p99: 'p99',
  errors: 'errors',
  'rate-not-held': 'rate not kept',
  'generator-bound': 'the generator',
  'machine-limit': 'this machine',
  'fell-over': 'the service fell over',
  invalid: 'no valid trial',
};
