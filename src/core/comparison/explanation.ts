import { syscallsPerRequest } from '../metrics/counts.ts';
import type { CaseRecord, StatementRecord } from '../record/run-record.ts';
import { median } from '../statistics/quantile.ts';
import type { ComparedCase } from './compared-case.ts';
import type { Explanation, StatementChange } from './comparison.ts';
import { countDecision } from './counts.ts';

const MOST_STATEMENTS = 5;
/** Of 200 requests in turn, a statement's mean time scatters by some microseconds. */
const LEAST_CHANGE_MS = 0.001;
/** What a service sends once in some hundred requests, beside a statement that each of them sends, explains nothing. */
const LEAST_PART = 0.02;

/** Where the extra cost of a case went; both of its sides must be there. What was measured under load says nothing where it is not `valid`. */
export function explanationOf({ baseline, candidate }: ComparedCase, valid = true): Explanation {
  return {
    cpuUs: valid ? extraCpu(baseline!, candidate!) : null,
    statements: statementChanges(baseline!, candidate!),
    memoryBytes: valid ? peakMemory(baseline!, candidate!) : null,
    ...syscallChange(baseline!, candidate!),
  };
}

function extraCpu(baseline: CaseRecord, candidate: CaseRecord): Explanation['cpuUs'] {
  const extra = (metric: string) => {
    const [was, is] = [baseline, candidate].map((side) => typical(side, metric));
    return was === null || is === null ? null : is! - was!;
  };
  const all = extra('cpu-per-request');
  if (all === null) return null;
  const database = extra('database-cpu-per-request') ?? 0;
  const dependencies = extra('dependencies-cpu-per-request');
  if (dependencies === null) return { service: all - database, database };
  return { service: all - database - dependencies, database, dependencies };
}

/** Median of the duets, which met the same disturbances on both sides; of all trials where there are none. */
function typical({ metrics }: CaseRecord, metric: string): number | null {
  const samples = metrics[metric]?.samples ?? [];
  const duets = samples.filter(({ mode }) => mode === 'duet');
  const value = median((duets.length > 0 ? duets : samples).map((sample) => sample.value));
  return Number.isNaN(value) ? null : value;
}

/** Calls first: they are exact, and a statement more is what a reader can mend. */
function statementChanges(baseline: CaseRecord, candidate: CaseRecord): StatementChange[] {
  const [was, is] = [baseline, candidate].map(({ statements = [] }) => statements);
  const onBoth = new Set(was!.flatMap(({ query }) => (is!.some((each) => each.query === query) ? [query] : [])));
  const keyOf = (query: string) => (onBoth.has(query) ? query : withoutGeneratedNames(query));
  const sides = [was!, is!].map((own) => costsByKey(own, keyOf));
  const none = { calls: 0, ms: 0 };
  const changes = [...new Set(sides.flatMap((side) => [...side.keys()]))]
    .map((key) => {
      const [before, after] = sides.map((side) => side.get(key));
      return { query: (after ?? before)!.query, baseline: before?.cost ?? none, candidate: after?.cost ?? none };
    })
    .filter((each) => callsOf(each) > 1e-9 || msOf(each) >= LEAST_CHANGE_MS);
  const [mostCalls, mostMs] = [Math.max(...changes.map(callsOf)), Math.max(...changes.map(msOf))];
  return changes
    .filter((each) => callsOf(each) >= LEAST_PART * mostCalls || msOf(each) >= LEAST_PART * mostMs)
    .sort((a, b) => callsOf(b) - callsOf(a) || msOf(b) - msOf(a))
    .slice(0, MOST_STATEMENTS);
}

type Cost = StatementChange['baseline'];

/** Those of one key together, under the first one's text. */
function costsByKey(
  statements: readonly StatementRecord[],
  keyOf: (query: string) => string,
): Map<string, { query: string; cost: Cost }> {
  const found = new Map<string, { query: string; cost: Cost }>();
  for (const { query, callsPerRequest, msPerRequest } of statements) {
    const before = found.get(keyOf(query)) ?? { query, cost: { calls: 0, ms: 0 } };
    const cost = { calls: before.cost.calls + callsPerRequest, ms: before.cost.ms + msPerRequest };
    found.set(keyOf(query), { query: before.query, cost });
  }
  return found;
}

/** Names that were made up with the data, so that each side has its own: `"cid3hcjjn8fhz7h"`, `order_0f8fad5bd9cb469f`. */
function withoutGeneratedNames(query: string): string {
  return query.replaceAll(/(?<![a-z0-9])(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{12,}(?![a-z0-9])/gi, '…');
}

function callsOf({ baseline, candidate }: StatementChange): number {
  return Math.abs(candidate.calls - baseline.calls);
}

function msOf({ baseline, candidate }: StatementChange): number {
  return Math.abs(candidate.ms - baseline.ms);
}

function peakMemory(baseline: CaseRecord, candidate: CaseRecord): Explanation['memoryBytes'] {
  const [was, is] = [baseline, candidate].map(({ metrics }) => metrics['memory-peak']?.value);
  return was === undefined || is === undefined ? null : { baseline: was, candidate: is };
}

function syscallChange(baseline: CaseRecord, candidate: CaseRecord): Pick<Explanation, 'syscalls'> {
  const [was, is] = [baseline, candidate].map(({ metrics }) => metrics[syscallsPerRequest.name]);
  if (was === undefined || is === undefined) return {};
  if (countDecision(syscallsPerRequest, was, is, {}).direction === 'unclear') return {};
  return { syscalls: { baseline: was.value, candidate: is.value } };
}
