import type { GatedCase } from './gate.ts';

/**
 * What says more of the machine, or of a load that neither side can be given, than of a change. What a server answers is none of
 * it: a service whose answers are wrong on both sides must not pass.
 */
const OF_THE_LOAD: ReadonlySet<string> = new Set([
  'rate-not-held',
  'generator-bound',
  'connections-lost',
  'ports-exhausted',
  'keep-alive-not-on',
  'keep-alive-not-off',
  'no-latencies',
]);

/**
 * A case that fails alike on both sides is left out, with its reason, where its endpoint has another one that can be judged: it is then
 * judged on the rest.
 */
export function withLeftOut(cases: readonly GatedCase[]): GatedCase[] {
  const placeOf = ({ comparison: { service, endpoint } }: GatedCase) => `${service} ${endpoint}`;
  const judged = new Set(
    cases.flatMap((each) =>
      each.comparison.presence === 'both' && each.comparison.reasons.length === 0 ? [placeOf(each)] : [],
    ),
  );
  return cases.map((each) =>
    each.failsAlike !== null && OF_THE_LOAD.has(each.failsAlike) && judged.has(placeOf(each))
      ? { ...each, isLeftOut: true }
      : each,
  );
}
