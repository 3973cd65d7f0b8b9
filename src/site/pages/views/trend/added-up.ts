/**
 * Changes multiplied one after another, from the first: 0.1 and then -0.1 are -0.01 together. NaN where a run was not compared; the next
 * one goes on from what there was.
 */
export function addedUp(changes: readonly number[]): number[] {
  let factor = 1;
  return changes.map((change) => {
    if (Number.isNaN(change)) return Number.NaN;
    factor *= 1 + change;
    return factor - 1;
  });
}
