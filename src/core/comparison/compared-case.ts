import { requestKey } from '../baseline/held-requests.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';

/** The two sides of a case; null where that side has none of that key. */
export interface ComparedCase {
  key: string;
  service: string;
  endpoint: string;
  /** What acceptances are held against: case key, service, endpoint, path. */
  names: string[];
  /** What patterns of the gate are held against: case key, service, the baseline's path. */
  limitNames: string[];
  baseline: CaseRecord | null;
  candidate: CaseRecord | null;
  /** The baseline's spec has the service as a subject, the candidate's as a reference; absent where it has not. */
  leftGate?: true;
  /** What the candidate's spec asks instead of the baseline's request, which both sides were asked; absent where that is the same. */
  ownRequest?: string;
  /** It has requests that differ, and both sides were sent as many of the same file, values or mix, in the same order. */
  inOrder?: true;
}

/** The cases of a comparing run in the order of its record, without those of reference services, which only calibrate. */
export function comparedCases(record: RunRecord): ComparedCase[] {
  const { cases, spec, comparing } = record;
  const own = comparing?.ownRequests ?? {};
  const ordered = askedInOrder(record);
  const all = casesSideBySide(
    cases.filter(({ variant }) => variant === 'baseline'),
    cases.filter(({ variant }) => variant === 'candidate'),
    spec,
    comparing?.baselinePaths,
  );
  return all.map((each) => {
    const key = requestKey(each.service, each.endpoint);
    return {
      ...each,
      ...(Object.hasOwn(own, key) ? { ownRequest: own[key]! } : {}),
      ...(ordered.has(key) ? { inOrder: true as const } : {}),
    };
  });
}

/** By `requestKey`: what both variants of a service were asked alike, and is more than one request. */
function askedInOrder({ services }: Pick<RunRecord, 'services'>): Set<string> {
  const sets = services.flatMap(({ service, variant, requestSets = [] }) =>
    requestSets.map(({ endpoint, requests, digest }) => ({
      variant,
      key: requestKey(service, endpoint),
      asked: `${requests} ${digest}`,
    })),
  );
  const baseline = new Map(sets.filter(({ variant }) => variant === 'baseline').map(({ key, asked }) => [key, asked]));
  return new Set(
    sets.flatMap(({ variant, key, asked }) => (variant === 'candidate' && baseline.get(key) === asked ? [key] : [])),
  );
}

/**
 * As `comparedCases`, of sides that come from two records; `spec` is the candidate's. What it calls a reference is left out
 * of its own side only: a baseline's case of it is one that the baseline gates. `baselinePaths` are those of its endpoints, by name,
 * where the candidate's differ or are gone.
 */
export function casesSideBySide(
  baseline: readonly CaseRecord[],
  candidate: readonly CaseRecord[],
  spec: ResolvedSpec,
  baselinePaths: Readonly<Record<string, string>> = {},
): ComparedCase[] {
  const references = new Set(referencesOf(spec));
  const found = new Map<string, ComparedCase>();
  const add = (record: CaseRecord, side: 'baseline' | 'candidate') => {
    const known = found.get(record.key);
    if (known !== undefined) known[side] = record;
    else found.set(record.key, { ...unmeasured(record, spec, baselinePaths), [side]: record });
  };
  for (const record of candidate) if (!references.has(record.service)) add(record, 'candidate');
  for (const record of baseline) add(record, 'baseline');
  return [...found.values()].map((each) => (references.has(each.service) ? { ...each, leftGate: true } : each));
}

export function referencesOf(spec: ResolvedSpec): string[] {
  return spec.services.flatMap(({ name, role }) => (role === 'reference' ? [name] : []));
}

function unmeasured(
  { key, service, endpoint }: CaseRecord,
  spec: ResolvedSpec,
  baselinePaths: Readonly<Record<string, string>>,
): ComparedCase {
  const path = spec.endpoints.find(({ name }) => name === endpoint)?.path;
  // A change that moves an endpoint must not move it into the limits of another one.
  const limited = Object.hasOwn(baselinePaths, endpoint) ? baselinePaths[endpoint] : path;
  const namesWith = (last: string | undefined) => [key, service, ...(last === undefined ? [] : [last])];
  // One that the candidate's spec has no more is accepted by the path that it had.
  const accepted = path ?? limited;
  return {
    key,
    service,
    endpoint,
    names: [...namesWith(accepted), endpoint],
    limitNames: namesWith(limited),
    baseline: null,
    candidate: null,
  };
}
