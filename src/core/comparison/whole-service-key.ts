import type { Limit } from '../spec/resolved.ts';

/** Key of all cases of a service: `go/*`; of those with one limit, where its cases have several: `go/*@5%`. */
export function wholeServiceKey(service: string, limit: Limit | null = null): string {
  return limit === null ? `${service}/*` : `${service}/*@${nameOf(limit)}`;
}

/** The last part of a case's own key begins with its connections. */
export function isWholeService({ key }: { key: string }): boolean {
  return key.slice(key.lastIndexOf('/') + 1).startsWith('*');
}

/** Whether the key is of some of a service's cases only: those with one of several limits. */
export function isOfOneLimit(key: string): boolean {
  return isWholeService({ key }) && !key.endsWith('*');
}

/** Of one metric: what is limited alike, under the key that stands for it. */
export interface LimitGroup<T> {
  key: string;
  own: T[];
}

/** `all` are all limited cases of a service, of one metric: what is asked of them together must hold each to its own limit. */
export function limitGroups<T>(service: string, all: readonly T[], limitOf: (one: T) => Limit): LimitGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = nameOf(limitOf(one));
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups.values()].map((own) => ({
    key: wholeServiceKey(service, groups.size === 1 ? null : limitOf(own[0]!)),
    own,
  }));
}

/** As a spec has it: `5%`, or a plain number in the metric's unit. */
function nameOf({ kind, value }: Limit): string {
  return kind === 'ratio' ? `${Number((value * 100).toPrecision(12))}%` : String(value);
}
