import { canonicalText } from '../../baseline/canonical.ts';
import type { Comparison } from '../../comparison/comparison.ts';
import { differingConditions } from '../../comparison/stored-conditions.ts';
import { matchesGlob } from '../../config/glob.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { UserError } from '../../user-error.ts';
import { type ReportView, viewOf } from '../view.ts';

/** A run of a written report, under the name that the report has for it. */
export interface LabelledRun {
  label: string;
  record: RunRecord;
  comparison: Comparison | null;
  /** Path of its folder, as links of the report go; null where nothing is to be linked. */
  folder: string | null;
}

/** Runs of one report that cannot be told apart; the message says what to do. */
class MixedUpRuns extends UserError {
  override name = 'MixedUpRuns';
}

export interface GivenRun extends Omit<LabelledRun, 'label'> {
  /** `direct`, where the call has `direct=results/direct`. */
  label: string | null;
}

/** Without a name of its own a run has its spec's, or where several are of that, its commit's or its id. Throws `MixedUpRuns`. */
export function labelledRuns(given: readonly GivenRun[]): LabelledRun[] {
  const ids = given.map(({ record }) => record.id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new MixedUpRuns(`The run ${twice} is named twice: name each run once.`);
  const ways: ((record: RunRecord) => string)[] = [
    ({ spec }) => spec.name,
    ({ source, spec }) => (source.sha === null ? spec.name : source.sha.slice(0, 7)),
    ({ id }) => id,
  ];
  const unnamed = given.filter(({ label }) => label === null).map(({ record }) => record);
  const way = ways.find((of) => new Set(unnamed.map(of)).size === unnamed.length)!;
  const runs = given.map((run) => ({ ...run, label: run.label ?? way(run.record) }));
  const labels = runs.map(({ label }) => label);
  const same = labels.find((label, index) => labels.indexOf(label) !== index);
  if (same !== undefined) {
    throw new MixedUpRuns(`Two runs are named ${same}. Give each a name of its own: before=DIR after=DIR`);
  }
  return runs;
}

/** Why figures of the two are not held against each other, in sentences; empty where they may be. */
export function notComparable(one: LabelledRun, other: LabelledRun): string[] {
  return differingConditions(one.record.environment, other.record.environment).map(
    ({ what, was, is }) => `${one.label} was measured ${what} ${was}, ${other.label} ${what} ${is}.`,
  );
}

/**
 * What result tables are made of: each run for itself; or all as one, where each measured other services with the same requests and
 * the same load, under the same conditions.
 */
export function viewsOf(runs: readonly LabelledRun[]): { runs: LabelledRun[]; view: ReportView }[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  if (others.length > 0 && others.every((other) => measuredAlike(first, other)) && servicesDiffer(runs)) {
    return [{ runs: [...runs], view: viewOf(joinedRecord(runs.map(({ record }) => record))) }];
  }
  return runs.map((run) => ({ runs: [run], view: viewOf(run.record) }));
}

function measuredAlike(one: LabelledRun, other: LabelledRun): boolean {
  const endpoints = new Map(one.record.spec.endpoints.map((endpoint) => [endpoint.name, canonicalText(endpoint)]));
  const sameRequests = other.record.spec.endpoints.every((endpoint) =>
    [undefined, canonicalText(endpoint)].includes(endpoints.get(endpoint.name)),
  );
  const sameLoad = canonicalText(one.record.spec.load) === canonicalText(other.record.spec.load);
  return sameRequests && sameLoad && notComparable(one, other).length === 0;
}

function servicesDiffer(runs: readonly LabelledRun[]): boolean {
  const names = runs.flatMap(({ record }) => [...new Set(record.cases.map(({ service }) => service))]);
  return new Set(names).size === names.length;
}

function joinedRecord(records: readonly RunRecord[]): RunRecord {
  const { comparing: _, unpaired: __, ...first } = records[0]!;
  const endpoints = new Map(records.flatMap(({ spec }) => spec.endpoints.map((endpoint) => [endpoint.name, endpoint])));
  return {
    ...first,
    source: commonSource(records.map(({ source }) => source)),
    spec: {
      ...first.spec,
      services: records.flatMap(({ spec }) => spec.services),
      endpoints: [...endpoints.values()],
    },
    services: records.flatMap(({ services }) => services),
    cases: records.flatMap(({ cases }) => cases),
    timing: {
      wallSeconds: records.reduce((sum, { timing }) => sum + timing.wallSeconds, 0),
      loadSeconds: records.reduce((sum, { timing }) => sum + timing.loadSeconds, 0),
    },
    interrupted: records.find(({ interrupted }) => interrupted !== null)?.interrupted ?? null,
  };
}

/** What was measured, as far as all say the same of it. */
function commonSource(all: readonly RunRecord['source'][]): RunRecord['source'] {
  const common = <T>(of: (source: RunRecord['source']) => T) => (new Set(all.map(of)).size === 1 ? of(all[0]!) : null);
  return {
    repository: common(({ repository }) => repository),
    sha: common(({ sha }) => sha),
    ref: common(({ ref }) => ref),
    pullRequest: common(({ pullRequest }) => pullRequest),
  };
}

/** With the cases alone whose key, service or endpoint the glob stands for. */
export function selectedRun(run: LabelledRun, only: string): LabelledRun {
  const cases = run.record.cases.filter(({ key, service, endpoint }) =>
    [key, service, endpoint].some((name) => matchesGlob(only, name)),
  );
  return { ...run, record: { ...run.record, cases } };
}
