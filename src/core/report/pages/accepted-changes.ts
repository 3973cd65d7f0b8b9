import { acceptanceFor, acceptedAmong, type Red } from '../../comparison/acceptance.ts';
import { type ComparedCase, casesSideBySide } from '../../comparison/compared-case.ts';
import type { ComparedFigure, RunRecord } from '../../record/run-record.ts';

/** What is worse of a service, an endpoint or a case, by its key. */
export interface PlacedChanges {
  key: string;
  metrics: Readonly<Record<string, ComparedFigure>>;
}

/** Whether a regression of that key and metric was accepted. */
export type IsAccepted = (key: string, metric: string) => boolean;

/**
 * What a published run does not say of each row: acceptances are held against its rows as the gate held them. Where the run passed, all
 * that is worse was accepted.
 */
export function acceptedChanges({ published, cases, spec }: RunRecord, places: readonly PlacedChanges[]): IsAccepted {
  const accepted = published?.accepted ?? [];
  if (published?.passed === true) return () => true;
  if (accepted.length === 0) return () => false;
  const all = casesSideBySide([], cases, spec);
  const red = places.flatMap(({ key, metrics }): (Red & { key: string; names: readonly string[] })[] => {
    const parts = casesOf(key, all);
    const caseKeys = parts.map((part) => part.key);
    const names = caseKeys.includes(key) ? parts[0]!.names : namesOfLevel(key, parts[0]);
    return Object.entries(metrics).flatMap(([metric, { verdict }]) =>
      verdict === 'regression' ? [{ key, metric, names, caseKeys }] : [],
    );
  });
  const taken = acceptedAmong(red, ({ names, metric }) => acceptanceFor(accepted, names, metric));
  const found = new Set([...taken.keys()].map(({ key, metric }) => `${key} ${metric}`));
  return (key, metric) => found.has(`${key} ${metric}`);
}

/** The case itself, or those that a key such as `api/users/*` or `api/*@5%` stands for. */
function casesOf(key: string, all: readonly ComparedCase[]): ComparedCase[] {
  const own = all.filter((each) => each.key === key);
  const [start = ''] = key.split('*');
  return own.length > 0 || start === key ? own : all.filter((each) => each.key.startsWith(start));
}

/** Of a service its name, of an endpoint its path as well. */
function namesOfLevel(key: string, part: ComparedCase | undefined): string[] {
  if (part === undefined) return [key];
  const [, service = '', path] = part.names;
  const isService = key.startsWith(`${service}/*`);
  return [key, service, ...(isService || path === undefined ? [] : [path])];
}
