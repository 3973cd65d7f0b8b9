import { UserError } from '../user-error.ts';
import type { Case } from './case.ts';
import { matchesGlob } from './glob.ts';
import { nearestFew } from './nearest.ts';
import type { ResolvedSpec } from './resolved.ts';

/** `--only` fits no case; the message names the nearest. */
export class EmptySelection extends UserError {
  override name = 'EmptySelection';
}

/**
 * The cases that a glob stands for, in their order: `*` is any text, `?` one character, and the whole of a case key, of a
 * service's name, of an endpoint's name or of its path must fit. Throws `EmptySelection` where none does.
 */
export function selectedCases(cases: readonly Case[], only: string): Case[] {
  const selected = cases.filter((each) => isSelected(each, only));
  if (selected.length > 0) return selected;
  const near = nearestFew(only, cases.flatMap(namesOf), 5);
  throw new EmptySelection(
    `--only '${only}' ${cases.length === 1 ? 'does not fit the only case' : `fits none of the ${cases.length} cases`}. It is matched against case keys, services, endpoints and paths; ` +
      `the nearest are:\n${near.map((name) => `  ${name}`).join('\n')}`,
  );
}

/** Whether the glob stands for the case; null stands for every one. */
export function isSelected(testCase: Case, only: string | null): boolean {
  return only === null || namesOf(testCase).some((name) => matchesGlob(only, name));
}

function namesOf({ key, service, endpoint }: Case): string[] {
  return [key, service.name, endpoint.name, endpoint.path, `${service.basePath}${endpoint.path}`];
}

/** What `--quick` leaves: enough to see that everything works, not enough to compare. */
export const QUICK = { durationSeconds: 2, warmUpSeconds: 1, coolDownSeconds: 0.5, abRequests: 2000 } as const;

/**
 * The spec as `--quick` measures it: trials of 2 s at most, 1 s of warm-up, 0.5 s of cool-down at most, 2000 requests
 * of ab at most (as many as it has connections at least), and of the connections only the fewest and the most.
 */
export function quickened(spec: ResolvedSpec): ResolvedSpec {
  const { wrk, k6, ab, coolDownSeconds } = spec.load;
  const shortened = <T extends { connections: number[]; durationSeconds: number }>(load: T): T => ({
    ...load,
    connections: extremes(load.connections),
    durationSeconds: Math.min(load.durationSeconds, QUICK.durationSeconds),
  });
  return {
    ...spec,
    load: {
      wrk: wrk && shortened(wrk),
      k6: k6 && shortened(k6),
      ab: ab && {
        ...ab,
        connections: extremes(ab.connections),
        requests: Math.min(ab.requests, Math.max(QUICK.abRequests, ...ab.connections)),
      },
      warmUp: { kind: 'fixed', seconds: QUICK.warmUpSeconds },
      coolDownSeconds: Math.min(coolDownSeconds, QUICK.coolDownSeconds),
    },
  };
}

/** Lowest and highest; one where they are the same. */
function extremes(values: readonly number[]): number[] {
  return [...new Set([Math.min(...values), Math.max(...values)])];
}
