import type { Limit } from '../config/resolved.ts';

/**
 * Keys of what cases are judged for together: `go/*` all cases of a service, `go/ping/*` those of an endpoint; `go/*@5%` those
 * with one limit, where there are several.
 */
export function serviceKey(service: string): string {
  return `${service}/*`;
}

export function endpointKey(service: string, endpoint: string): string {
  return `${service}/${endpoint}/*`;
}

/** The last part of a case's own key begins with its connections. */
export function isUnit(key: string): boolean {
  return key.slice(key.lastIndexOf('/') + 1).startsWith('*');
}

/** Whether the key is of some cases only: those with one of several limits. */
export function isOfOneLimit(key: string): boolean {
  return isUnit(key) && !key.endsWith('*');
}

/** Of one metric: what is limited alike, under the key that stands for it. */
export interface LimitGroup<T> {
  key: string;
  own: T[];
}

/** What is judged together must hold each to its own limit. `key` is that of all of them. */
export function limitGroups<T>(key: string, all: readonly T[], limitOf: (one: T) => Limit): LimitGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = nameOf(limitOf(one));
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups].map(([name, own]) => ({ key: groups.size === 1 ? key : `${key}@${name}`, own }));
}

/** The limit that the key of some cases names; null for the key of all cases, and where it names none. */
export function limitIn(key: string): Limit | null {
  const [, number, percent] = /\/\*@(\d+(?:\.\d+)?(?:e[+-]\d+)?)(%?)$/.exec(key) ?? [];
  if (number === undefined) return null;
  return percent === '%' ? { kind: 'ratio', value: Number(number) / 100 } : { kind: 'absolute', value: Number(number) };
}

/** As a spec has it: `5%`, or a plain number in the metric's unit. */
function nameOf({ kind, value }: Limit): string {
  return kind === 'ratio' ? `${Number((value * 100).toPrecision(12))}%` : String(value);
}
