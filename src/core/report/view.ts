import { casesOf } from '../config/case.ts';
import { requestText } from '../config/request-text.ts';
import type { Endpoint, ResolvedSpec } from '../config/resolved.ts';
import { GENERATOR_NAMES, type GeneratorName, generators } from '../generators/registry.ts';
import type { Reason, Route } from '../measurement/names.ts';
import { isMeasuredApart } from '../record/different-machines.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';
import { isBeyondService } from '../validity/beyond-service.ts';
import { ERRORS_LET_PASS } from '../validity/rules.ts';

/**
 * A run record as its reports look at it: cases beside each other that can be held against each other. Of a comparing
 * run these are the candidate's; what it was compared with is the comparison's matter and no rival.
 */
export interface ReportView {
  record: RunRecord;
  /** The candidate's, in the order of the record; without those beyond the service, of which `beyondSaid` speaks. */
  cases: CaseRecord[];
  /** In the order of the spec, or as the caller has its endpoints; wrk before k6 before ab, keep-alive on before off, few connections before many. */
  tests: Test[];
  generators: GeneratorName[];
  /** The first of each warning that all cases carry: said once, and marked at none of them. */
  warnings: Reason[];
}

/** All cases that differ in nothing but the service: what one result table stands for. Never of two generators. */
export interface Test {
  /** Unique in a report, fit for an anchor. */
  id: string;
  endpoint: string;
  /** `GET /ping`; null where the spec no longer names the endpoint. */
  request: string | null;
  route: Route;
  generator: GeneratorName;
  keepAlive: boolean;
  connections: number;
  /** wrk's; null with the others. */
  threads: number | null;
  /** What the case key says of the load beside the connections: `60%`, `2000/s`; else empty. */
  load: string;
  /** The generator sends at a given rate, whatever the service can do: throughput then ranks nobody. */
  openModel: boolean;
  /** Fastest first, the invalid ones last. */
  entries: Entry[];
}

/** One case in a test. */
export interface Entry {
  record: CaseRecord;
  /** Name of the service. */
  label: string;
  reference: boolean;
  valid: boolean;
  /** From 1, among the valid cases of one CPU model that are no reference, by throughput; null for all others. */
  rank: number | null;
  /** Those that tell it from other cases: what all carry is the view's. */
  warnings: Reason[];
}

/** The metric's value, or null where the case does not hold it. */
export function metricOf(record: CaseRecord, metric: string): number | null {
  return Object.hasOwn(record.metrics, metric) ? (record.metrics[metric]?.value ?? null) : null;
}

/** `first`: endpoints that come before all others, in that order. */
export function viewOf(record: RunRecord, first: readonly string[] = []): ReportView {
  const endpoints = new Map(record.spec.endpoints.map((endpoint) => [endpoint.name, endpoint]));
  const candidates = record.cases.filter((each) => each.variant === 'candidate' && !isBeyondService(each));
  const byTest = new Map<string, CaseRecord[]>();
  for (const each of candidates) {
    const key = testKey(each);
    byTest.set(key, [...(byTest.get(key) ?? []), each]);
  }
  const references = new Set(record.spec.services.filter(({ role }) => role === 'reference').map(({ name }) => name));
  const threads = threadsOf(record.spec);
  const tests = [...byTest.values()].map((cases) => ({
    ...testOf(cases, endpoints, references, requestCounts(record)),
    threads: threads.get(`${cases[0]!.generator} ${cases[0]!.connections}`) ?? null,
  }));
  const order = [...first, ...record.spec.endpoints.map(({ name }) => name)];
  tests.sort(
    (one, other) =>
      place(order, one.endpoint) - place(order, other.endpoint) ||
      place(GENERATOR_NAMES, one.generator) - place(GENERATOR_NAMES, other.generator) ||
      Number(one.route === 'gateway') - Number(other.route === 'gateway') ||
      Number(other.keepAlive) - Number(one.keepAlive) ||
      one.connections - other.connections ||
      one.load.localeCompare(other.load, 'en'),
  );
  const warnings = sharedWarnings(candidates);
  return {
    record,
    cases: candidates,
    tests: tests.map((test, index) => ({
      ...test,
      id: `test-${index + 1}`,
      entries: test.entries.map((entry) => ({ ...entry, warnings: without(entry.warnings, warnings) })),
    })),
    warnings,
    generators: GENERATOR_NAMES.filter((name) => candidates.some(({ generator }) => generator === name)),
  };
}

/** The first of each warning that all of these cases carry; none of one or two, where saying it once saves nothing. */
export function sharedWarnings(cases: readonly Pick<CaseRecord, 'warnings'>[]): Reason[] {
  const [first, ...others] = cases;
  if (first === undefined || others.length < 2) return [];
  const codes = new Set(first.warnings.map(({ code }) => code));
  const isShared = (code: string) => others.every(({ warnings }) => warnings.some((each) => each.code === code));
  return [...codes].filter(isShared).map((code) => first.warnings.find((each) => each.code === code)!);
}

export function without(warnings: readonly Reason[], said: readonly Reason[]): Reason[] {
  return warnings.filter(({ code }) => !said.some((each) => each.code === code));
}

/** The case key without its service. */
function testKey(record: CaseRecord): string {
  const { endpoint, route, generator, keepAlive, connections } = record;
  return JSON.stringify([endpoint, route, generator, keepAlive, connections, loadOf(record)]);
}

/** `go/ping/direct/k6/keep-alive-off/100@60%` → `60%`: the rate itself differs from service to service, the share does not. */
function loadOf({ key, rate }: CaseRecord): string {
  const last = key.slice(key.lastIndexOf('/') + 1);
  if (/^\d+@[\d.]+%$/.test(last)) return last.slice(last.indexOf('@') + 1);
  return rate === null ? '' : `${rate}/s`;
}

/** Endpoint → how many different requests it is asked, where that is more than one. */
export function requestCounts({ services }: Pick<RunRecord, 'services'>): Map<string, number> {
  const sets = services.filter(({ variant }) => variant === 'candidate').flatMap(({ requestSets = [] }) => requestSets);
  return new Map(sets.map(({ endpoint, requests }) => [endpoint, requests]));
}

function testOf(
  cases: CaseRecord[],
  endpoints: Map<string, Endpoint>,
  references: Set<string>,
  counts: ReadonlyMap<string, number>,
): Test {
  const first = cases[0]!;
  const endpoint = endpoints.get(first.endpoint);
  const openModel = cases.some(({ rate }) => rate !== null);
  const entries = cases.map(
    (record): Entry => ({
      record,
      label: record.service,
      reference: references.has(record.service),
      valid: record.status === 'valid',
      rank: null,
      warnings: record.warnings,
    }),
  );
  entries.sort(
    (one, other) =>
      Number(other.valid) - Number(one.valid) ||
      (oneRate(cases) ? compareLatency(one, other) : 0) ||
      (metricOf(other.record, 'throughput') ?? -1) - (metricOf(one.record, 'throughput') ?? -1),
  );
  return {
    id: '',
    endpoint: first.endpoint,
    request: endpoint === undefined ? null : requestText(endpoint, { requests: counts.get(endpoint.name) ?? null }),
    route: first.route,
    generator: first.generator,
    keepAlive: first.keepAlive,
    connections: first.connections,
    threads: null,
    load: loadOf(first),
    openModel,
    entries: openModel ? entries : ranked(entries),
  };
}

/** At one rate for all, throughput says nothing and latency everything. */
function oneRate(cases: CaseRecord[]): boolean {
  return cases[0]!.rate !== null && cases.every(({ rate }) => rate === cases[0]!.rate);
}

function compareLatency(one: Entry, other: Entry): number {
  const p50 = ({ record }: Entry) => metricOf(record, 'latency-p50') ?? Number.MAX_VALUE;
  return p50(one) - p50(other);
}

function ranked(entries: Entry[]): Entry[] {
  let rank = 0;
  return entries.map((entry) => {
    if (!isRankable(entry)) return entry;
    rank += 1;
    return { ...entry, rank };
  });
}

function isRankable({ record, reference, valid }: Entry): boolean {
  const isMarked = record.warnings.some(({ code }) => code === ERRORS_LET_PASS);
  return valid && !reference && !isMarked && !isMeasuredApart(record) && metricOf(record, 'throughput') !== null;
}

function place<T>(order: readonly T[], item: T): number {
  const index = order.indexOf(item);
  return index === -1 ? order.length : index;
}

/** `GENERATOR CONNECTIONS` → threads that drove them, as the plan has it; absent where there were none. */
function threadsOf(spec: ResolvedSpec): Map<string, number> {
  // The threads are the same for every service and endpoint; a record may hold more of these than one wants to unfold.
  const services = spec.services.slice(0, 1).map(({ endpoints: _, ...service }) => service);
  const one = { ...spec, services, endpoints: spec.endpoints.slice(0, 1), gateway: null };
  return new Map(
    casesOf(one).flatMap(({ generator, connections, load }): [string, number][] => {
      const threads = generators[generator].threadsOf(load);
      return threads === null ? [] : [[`${generator} ${connections}`, threads]];
    }),
  );
}
