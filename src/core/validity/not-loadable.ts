import type { Reason } from '../measurement/names.ts';

/** Of a case that was left out, because it opens more connections than the machine could hold. */
export const NOT_LOADABLE = 'machine-limit';

/** Whether the case has no figures for that reason alone: nothing went wrong in it. */
export function wasNotLoaded({ reasons }: { reasons: readonly Reason[] }): boolean {
  return reasons.length > 0 && reasons.every(({ code }) => code === NOT_LOADABLE);
}
