import type { SpecLoad } from '../generators/load.ts';
import { GENERATOR_NAMES, type GeneratorName, generators } from '../generators/registry.ts';
import { UserError } from '../user-error.ts';
import type { Case } from './case.ts';
import { matchesGlob } from './glob.ts';
import { nearestFew } from './nearest.ts';
import type { CapacitySearch, Load, ResolvedSpec, Service } from './resolved.ts';

/** `--only` fits no case; the message names the nearest. */
export class EmptySelection extends UserError {
  override name = 'EmptySelection';
}

/** What of a spec a run measures: `--quick` and the glob of `--only`. */
export interface Selection {
  quick: boolean;
  only: string | null;
}

/** All of it, as long as it says. */
export const WHOLE: Selection = { quick: false, only: null };

/** Whether a run of the first has measured what one of the second asks for, as long at least. */
export function covers({ quick, only }: Selection, asked: Selection): boolean {
  return (!quick || asked.quick) && (only === null || only === asked.only);
}

/**
 * The cases that a glob stands for, as `matchesGlob` has it, in their order: the whole of a case key, of a service's name, of an
 * endpoint's name or of its path must fit. Throws `EmptySelection` where none does.
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
const QUICK = { trialSeconds: 2, warmUpSeconds: 1, coolDownSeconds: 0.5, searchPrecision: 0.2 } as const;

/**
 * The spec as `--quick` measures it: trials of 2 s at most, 1 s of warm-up, 0.5 s of cool-down at most, and of the connections
 * only the fewest and the most. A generator that sends a number of requests sends what takes it about as long.
 */
export function quickened(spec: ResolvedSpec): ResolvedSpec {
  const few = withLoads(spec, (_, load) => ({ ...load, connections: extremes(load.connections) }));
  const quick = shortenedTo(QUICK.trialSeconds, few);
  return {
    ...quick,
    ...(quick.search === undefined ? {} : { search: quickSearch(quick.search) }),
    load: {
      ...quick.load,
      warmUp: { kind: 'fixed', seconds: QUICK.warmUpSeconds },
      coolDownSeconds: Math.min(spec.load.coolDownSeconds, QUICK.coolDownSeconds),
    },
  };
}

/** The spec with trials of so many seconds at most. A generator that sends a number of requests sends fewer. */
function shortenedTo(seconds: number, spec: ResolvedSpec): ResolvedSpec {
  const shorter = withLoads(spec, (name, load) => generators[name].load.shortened(load, seconds));
  return { ...shorter, services: withoutLongTrials(spec.services, seconds) };
}

/** Services whose own duration is so many seconds at most. */
export function withoutLongTrials(services: readonly Service[], seconds: number): Service[] {
  return services.map((service) =>
    service.durationSeconds === undefined || service.durationSeconds <= seconds
      ? service
      : { ...service, durationSeconds: seconds },
  );
}

/** The spec with the load of each generator that is on replaced. */
export function withLoads(
  spec: ResolvedSpec,
  replaced: (name: GeneratorName, load: SpecLoad) => SpecLoad,
): ResolvedSpec {
  const loads = GENERATOR_NAMES.map((name) => {
    const load = spec.load[name];
    return [name, load === null ? null : replaced(name, load)];
  });
  return { ...spec, load: { ...spec.load, ...(Object.fromEntries(loads) as Pick<Load, GeneratorName>) } };
}

function quickSearch(search: CapacitySearch): CapacitySearch {
  return {
    ...search,
    durationSeconds: Math.min(search.durationSeconds, QUICK.trialSeconds),
    precision: Math.max(search.precision, QUICK.searchPrecision),
  };
}

/** Lowest and highest; one where they are the same. */
function extremes(values: readonly number[]): number[] {
  return [...new Set([Math.min(...values), Math.max(...values)])];
}
