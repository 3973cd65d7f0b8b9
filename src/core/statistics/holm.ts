/** What Holm's procedure says of one hypothesis. */
export interface HolmStep {
  rejected: boolean;
  /** Level that its p value was held against: `level` by the number of hypotheses then still standing. */
  level: number;
}

/**
 * Holm's step-down procedure (Scandinavian Journal of Statistics 6, 1979): the chance of even one false rejection is at
 * most `level`, however the tests hang together. `familySize` counts the hypotheses that stand, those without a p value
 * here among them. In the order of `pValues`; the steps of those not rejected are all at the level of the first of them.
 */
export function holm(pValues: readonly number[], familySize: number, level: number): HolmStep[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!);
  const steps = new Array<HolmStep>(pValues.length);
  let rejections = 0;
  for (const index of order) {
    const stepLevel = level / (familySize - rejections);
    const rejected = pValues[index]! < stepLevel;
    steps[index] = { rejected, level: stepLevel };
    // Levels only grow with rejections, so the first that stands lets no later one fall.
    if (!rejected) {
      for (const later of order.slice(order.indexOf(index))) steps[later] = { rejected: false, level: stepLevel };
      return steps;
    }
    rejections += 1;
  }
  return steps;
}
