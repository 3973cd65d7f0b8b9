import type { Hypothesis, Level } from './hypothesis.ts';

/** A hypothesis before its family shares the error rate out, and what of it decides whether another one says the same. */
export interface Candidate extends Omit<Hypothesis, 'share' | 'after'> {
  /**
   * Hypotheses with the same name here carry the same information, and are paid for once: throughput and CPU per request of the
   * same duets, which fill a CPU and get half of it each. Null for one that stands by itself.
   */
  sameData: string | null;
}

/**
 * How the error rate of a service is shared out over the levels that it has. An endpoint is what changes most often; the service and
 * its cases have less to say, and few and many hypotheses.
 */
const LEVEL_SHARES: Record<Level, number> = { service: 0.25, endpoint: 0.5, case: 0.25 };

/**
 * Within a level every hypothesis has the same share (Bonferroni, weighted by level: the chance of even one false regression
 * over all of them is at most the family's rate, whatever hangs together with what). Of those with the same data the one with the
 * tighter limit is tested first, and the others at the same share once it is a regression (a fixed sequence: Maurer, Hothorn and
 * Lehmacher 1995).
 */
export function familyOf(candidates: readonly Candidate[]): Hypothesis[] {
  const units = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const name = `${candidate.level} ${candidate.sameData ?? candidate.id}`;
    units.set(name, [...(units.get(name) ?? []), candidate]);
  }
  const unitsOf = new Map<Level, number>();
  for (const [first] of units.values()) unitsOf.set(first!.level, (unitsOf.get(first!.level) ?? 0) + 1);
  const whole = [...unitsOf.keys()].reduce((sum, level) => sum + LEVEL_SHARES[level], 0);
  const found = [...units.values()].flatMap((unit) => {
    const ordered = [...unit].sort((one, other) => one.threshold - other.threshold);
    return ordered.map(({ sameData: _, ...hypothesis }, index): Hypothesis => {
      const share = LEVEL_SHARES[hypothesis.level] / whole / unitsOf.get(hypothesis.level)!;
      return { ...hypothesis, share, after: index === 0 ? null : ordered[0]!.id };
    });
  });
  const place = new Map(candidates.map(({ id }, index) => [id, index]));
  return found.sort((one, other) => place.get(one.id)! - place.get(other.id)!);
}
