import { metrics } from '../metrics/registry.ts';
import { isOfSeveralModels } from '../record/different-machines.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';
import { casesSideBySide } from './compared-case.ts';
import { fits } from './thresholds.ts';

/** What past runs published, as columns: a hundred bytes a run and series at most, where a record has megabytes. */
export interface StoredHistory {
  /** Oldest first. */
  runs: HistoryRun[];
  /** By `seriesName`. */
  series: Map<string, HistorySeries>;
  /** By `seriesName`: index of the last run with an accepted change of it; what was before tells nothing of what follows. */
  accepted: Map<string, number>;
}

export interface HistoryRun {
  id: string;
  /** Of the commit that was measured; null where nobody knows. */
  sha: string | null;
  startedAt: string;
  /** As `conditionsOf` has them: figures of other conditions are not comparable. */
  conditions: string;
}

/** Runs that have the metric, as indices in `runs`, rising, and what they published. */
interface HistorySeries {
  runs: number[];
  values: number[];
}

export const noHistory: StoredHistory = { runs: [], series: new Map(), accepted: new Map() };

/** Takes run records in any order, each of which may be forgotten as soon as it was added. */
export function startHistory(): { add(record: RunRecord): void; end(): StoredHistory } {
  const history: StoredHistory = { runs: [], series: new Map(), accepted: new Map() };
  const known = new Set<string>();
  const add = (record: RunRecord) => {
    // A copy of its folder is no other run.
    if (!known.has(record.id)) addRun(history, record);
    known.add(record.id);
  };
  return { add, end: () => inOrder(history) };
}

/** The machine and the way of measuring, as far as figures of different ones cannot be compared. */
export function conditionsOf({ id, spec, environment }: RunRecord): string {
  const { cpuModel, cpuCount, runtime, placement } = environment;
  return JSON.stringify([
    spec.name,
    cpuModel,
    cpuCount,
    runtime,
    placement.service,
    placement.database,
    placement.generator,
    // What was shared out over several models has the conditions of no other run.
    ...(isOfSeveralModels(cpuModel) ? [id] : []),
  ]);
}

/** The name of a case's metric, with all that must be the same for its figures to mean the same. */
export function seriesName(record: RunRecord, each: CaseRecord, metric: string): string {
  return `${definitionOf(record, each)} ${metric}`;
}

/** What the case asks for, and how it is loaded. */
export function definitionOf(record: RunRecord, each: CaseRecord): string {
  return JSON.stringify([each.key, requestOf(record, each), loadOf(record, each)]);
}

/** What is asked for: exact counts depend on nothing else of the definition. */
export function requestOf(record: Pick<RunRecord, 'spec' | 'services'>, { endpoint, service }: CaseRecord): string {
  const { endpoints, services } = record.spec;
  const asked = endpoints.find(({ name }) => name === endpoint);
  const found = services.find(({ name }) => name === service);
  // Another version of the reference is another reference.
  const referenceSeries = found?.role === 'reference' ? found.image : null;
  const { basePath, protocol } = found ?? {};
  // What stands in its files is told by the digest alone.
  const set = record.services
    .filter((each) => each.service === service && each.variant === 'candidate')
    .flatMap(({ requestSets = [] }) => requestSets)
    .find((each) => each.endpoint === endpoint);
  const made = [asked?.content, set?.digest].filter((each) => each !== undefined);
  const { method, path, headers, body } = asked ?? {};
  return JSON.stringify([method, path, headers, body, basePath, protocol, referenceSeries, ...made]);
}

function loadOf({ spec, environment }: RunRecord, { generator, service }: CaseRecord): unknown {
  const { connections: _, keepAlive: __, ...load } = spec.load[generator] ?? { connections: [], keepAlive: [] };
  const { cpus, durationSeconds } = spec.services.find(({ name }) => name === service) ?? {};
  const own = cpus === undefined && durationSeconds === undefined ? [] : [{ cpus, durationSeconds }];
  return [load, spec.load.warmUp, environment.versions[generator], ...own];
}

function addRun(history: StoredHistory, record: RunRecord): void {
  const index = history.runs.length;
  const { id, source, startedAt } = record;
  history.runs.push({ id, sha: source.sha, startedAt, conditions: conditionsOf(record) });
  const candidates = record.cases.filter(({ variant, status }) => variant === 'candidate' && status === 'valid');
  for (const each of candidates) {
    const definition = definitionOf(record, each);
    for (const { name } of metrics) {
      if (!Object.hasOwn(each.metrics, name)) continue;
      const series = history.series.get(`${definition} ${name}`) ?? { runs: [], values: [] };
      series.runs.push(index);
      series.values.push(each.metrics[name]!.value);
      history.series.set(`${definition} ${name}`, series);
    }
  }
  const accepted = (record.comparing ?? record.unpaired ?? record.published)?.accepted ?? [];
  if (accepted.length === 0) return;
  for (const { names, candidate } of casesSideBySide([], candidates, record.spec)) {
    for (const { metric } of accepted.filter((acceptance) => fits(acceptance.cases, names))) {
      for (const { name } of metrics) {
        if ((metric ?? name) === name) accept(history, seriesName(record, candidate!, name), index);
      }
    }
  }
}

/** Records come in any order: of several runs with an accepted change the last one counts. */
function accept({ runs, accepted }: StoredHistory, series: string, index: number): void {
  const known = accepted.get(series);
  if (known === undefined || runs[known]!.startedAt < runs[index]!.startedAt) accepted.set(series, index);
}

function inOrder({ runs, series, accepted }: StoredHistory): StoredHistory {
  const order = runs.map((_, index) => index).sort((a, b) => compareText(runs[a]!.startedAt, runs[b]!.startedAt));
  if (order.every((index, position) => index === position)) return { runs, series, accepted };
  const positions = new Array<number>(runs.length);
  for (const [position, index] of order.entries()) positions[index] = position;
  const moved = [...series].map(([name, { runs: own, values }]): [string, HistorySeries] => {
    const points = own
      .map((index, at) => ({ run: positions[index]!, value: values[at]! }))
      .sort((a, b) => a.run - b.run);
    return [name, { runs: points.map(({ run }) => run), values: points.map(({ value }) => value) }];
  });
  return {
    runs: order.map((index) => runs[index]!),
    series: new Map(moved),
    accepted: new Map([...accepted].map(([name, index]) => [name, positions[index]!])),
  };
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
