import { type Case, casesOf } from '../config/case.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import { isSelected, quickened } from '../config/selection.ts';
import { casesOfShard, usefulShards } from '../config/shard.ts';
import { ended } from '../format/sentence.ts';
import type { Reason } from '../measurement/names.ts';
import { UserError } from '../user-error.ts';
import { areDifferent, joinedModels, machinesWarning, otherMachinesWarning } from './different-machines.ts';
import type { CaseRecord, Comparing, RunRecord, Unpaired } from './run-record.ts';

/** Parts that cannot be one run. */
class UnmergeableShards extends UserError {
  override name = 'UnmergeableShards';
}

export interface ShardSet {
  spec: ResolvedSpec;
  only: string | null;
  quick: boolean;
  /** Of the plan. */
  count: number;
  /** By index from 1; what is not there is missing. */
  records: ReadonlyMap<number, RunRecord>;
  /** Why a shard is missing, where that is known. */
  failures: ReadonlyMap<number, string>;
}

/**
 * One record of what several machines measured. Every case was compared on one machine, so that each comparison holds; what
 * a missing shard was to measure is invalid. Where the machines have different CPU models, the run has the names of all of
 * them, each case says so, and there is no reference: each calibrated but a part of the run. Throws `UnmergeableShards` where
 * there is none, or where they are not parts of one run.
 */
export function mergedRecord(set: ShardSet): RunRecord {
  const records = [...set.records.entries()].sort(([one], [other]) => one - other).map(([, record]) => record);
  const [first, ...others] = records;
  if (first === undefined) {
    const why = [...set.failures.values()][0];
    throw new UnmergeableShards(`No shard of ${set.spec.name} left a record${why === undefined ? '.' : `: ${why}`}`);
  }
  for (const other of others) refuseOther(first, other);
  const models = records.map(({ environment }) => environment.cpuModel);
  const cases = inOrder([...records.flatMap((record) => measuredCases(record, models)), ...lostCases(set)], first.spec);
  return {
    ...first,
    ...comparingOfAll(records),
    ...unpairedOfAll(records),
    environment: { ...first.environment, cpuModel: joinedModels(models) },
    startedAt: records.map(({ startedAt }) => startedAt).sort()[0]!,
    finishedAt: records
      .map(({ finishedAt }) => finishedAt)
      .sort()
      .at(-1)!,
    timing: {
      wallSeconds: Math.max(...records.map(({ timing }) => timing.wallSeconds)),
      loadSeconds: records.reduce((sum, { timing }) => sum + timing.loadSeconds, 0),
      ...longestOf('comparingSeconds', records),
      ...longestOf('preparingSeconds', records),
    },
    services: firstOfEach(
      // What one machine went on without is named, whatever another one had.
      [true, false].flatMap((isAbsent) =>
        records.flatMap(({ services }) => services.filter(({ absent = false }) => absent === isAbsent)),
      ),
      ({ service, variant }) => `${service}/${variant}`,
    ),
    cases,
    interrupted: records.find(({ interrupted }) => interrupted !== null)?.interrupted ?? null,
  };
}

/** Each machine has the whole budget for its own cases, and prepares by itself. */
function longestOf(
  key: 'comparingSeconds' | 'preparingSeconds',
  records: readonly RunRecord[],
): Partial<RunRecord['timing']> {
  const all = records.flatMap(({ timing }) => timing[key] ?? []);
  return all.length === 0 ? {} : { [key]: Math.max(...all) };
}

function refuseOther(one: RunRecord, other: RunRecord): void {
  const { name } = one.spec;
  const parts: [string, (record: RunRecord) => unknown][] = [
    ['specs', ({ spec }) => spec],
    ['commits', ({ source }) => source.sha],
    ['baselines', ({ comparing, unpaired }) => (comparing ?? unpaired)?.baseline?.sha ?? null],
    ['limits', limitsOf],
  ];
  for (const [what, of] of parts) {
    if (JSON.stringify(of(one)) === JSON.stringify(of(other))) continue;
    throw new UnmergeableShards(
      `The shards of ${name} are of different ${what}: they are not parts of one run. Measure all of them again.`,
    );
  }
  const modes = [one, other].map(({ comparing }) => comparing?.mode);
  if (modes[0] === modes[1]) return;
  throw new UnmergeableShards(
    `The shards of ${name} were compared in different ways (${modes.join(' and ')}), since only some of their machines have a single CPU. Measure all of them again, on machines that are alike.`,
  );
}

/** Without the budget: with `auto` it is that of a shard's own cases. */
function limitsOf({ comparing }: RunRecord): unknown {
  if (comparing === undefined) return null;
  const { budgetSeconds: _, ...limits } = comparing.gate;
  return limits;
}

/** With the longest of their budgets. A shard that had something to measure says so for all. */
function comparingOfAll(records: readonly RunRecord[]): { comparing?: Comparing } {
  const all = records.flatMap(({ comparing }) => comparing ?? []);
  const own = all.find(({ skipped }) => skipped === null) ?? all[0];
  if (own === undefined) return {};
  const budgets = all.flatMap(({ gate }) => gate.budgetSeconds ?? []);
  const budgetSeconds = budgets.length === 0 ? null : Math.max(...budgets);
  return { comparing: { ...own, gate: { ...own.gate, budgetSeconds }, warnings: warningsOfAll(all, records) } };
}

function unpairedOfAll(records: readonly RunRecord[]): { unpaired?: Unpaired } {
  const all = records.flatMap(({ unpaired }) => unpaired ?? []);
  const [own] = all;
  return own === undefined ? {} : { unpaired: { ...own, warnings: warningsOfAll(all, records) } };
}

/** What any shard was warned of, once, and what is to be said of all together. */
function warningsOfAll(all: readonly { warnings: Reason[] }[], records: readonly RunRecord[]): Reason[] {
  const told = all.flatMap(({ warnings }) => warnings);
  return [...firstOfEach(told, ({ code, message }) => `${code} ${message}`), ...machineWarnings(records)];
}

/** Each by itself was compared on one machine; published figures of several stand beside each other all the same. */
function machineWarnings(records: readonly RunRecord[]): Reason[] {
  const models = records.map(({ environment }) => environment.cpuModel);
  return areDifferent(models) ? [machinesWarning(models)] : [];
}

/** What a shard adds to a run that was measured on these CPU models. */
function measuredCases({ cases, environment, spec }: RunRecord, models: readonly string[]): CaseRecord[] {
  if (!areDifferent(models)) return cases;
  const references = new Set(spec.services.filter(({ role }) => role === 'reference').map(({ name }) => name));
  const warning = otherMachinesWarning(environment.cpuModel, models);
  return cases
    .filter(({ service }) => !references.has(service))
    .map((each) => ({ ...each, warnings: [...each.warnings, warning] }));
}

/** What the missing shards were to measure. */
function lostCases({ spec, only, quick, count, records, failures }: ShardSet): CaseRecord[] {
  const all = casesOf(quick ? quickened(spec) : spec).filter((each) => isSelected(each, only));
  const used = usefulShards(all, count);
  const missing = Array.from({ length: used }, (_, at) => at + 1).filter((index) => !records.has(index));
  return missing.flatMap((index) => {
    const why = failures.get(index) ?? 'its job left no record';
    const reason = { code: 'shard-missing', message: ended(`Shard ${index} of ${count} is missing: ${why}`) };
    const own = casesOfShard(all, { index, count }).filter(({ service }) => service.role === 'subject');
    return own.map((each) => lostCase(each, reason));
  });
}

/** The record of a case that was to be measured, and was not. */
export function lostCase(
  { key, service, endpoint, route, generator, keepAlive, connections }: Case,
  reason: Reason,
): CaseRecord {
  return {
    key,
    service: service.name,
    variant: 'candidate',
    endpoint: endpoint.name,
    route,
    generator,
    keepAlive,
    connections,
    rate: null,
    status: 'invalid',
    reasons: [reason],
    warnings: [],
    metrics: {},
    utilisation: null,
    raw: [],
  };
}

/** As the spec has them; a reference, which every shard measured, once. */
function inOrder(cases: readonly CaseRecord[], spec: ResolvedSpec): CaseRecord[] {
  const places = new Map(casesOf(spec).map(({ key }, index) => [key, index]));
  const place = ({ key }: CaseRecord) => places.get(key) ?? places.size;
  const unique = firstOfEach(cases, ({ key, variant }) => `${key} ${variant}`);
  return unique.sort((one, other) => place(one) - place(other));
}

function firstOfEach<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const found = new Map<string, T>();
  for (const item of items) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
  return [...found.values()];
}
