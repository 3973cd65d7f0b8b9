/** Options of wrk and ab take whole seconds, one at least; a part of one is rounded up, so that nothing is cut short. */
export function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}
