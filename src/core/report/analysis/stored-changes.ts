import type { Comparison, MetricComparison } from '../../comparison/comparison.ts';
import { isExact } from '../../comparison/gating.ts';
import { storedComparison } from '../../comparison/stored.ts';
import { otherConditions } from '../../comparison/stored-conditions.ts';
import { metricNamed } from '../../metrics/registry.ts';
import { isOfSeveralModels } from '../../record/different-machines.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { inReportOrder } from '../comparison/metric-words.ts';

/** Two published runs beside each other. */
export interface StoredChanges {
  /** Whether figures, and not only exact counts, can be put beside each other. */
  sameConditions: boolean;
  conditions: Condition[];
  /** Of which the rest was taken. */
  comparison: Comparison;
  cases: StoredCase[];
}

export interface Condition {
  what: string;
  base: string;
  head: string;
  /** CPU models that a run was shared out over are not those of another one's cases, whatever their names. */
  differs: boolean;
  /** Where it differs, only exact counts can be compared; else it is worth knowing. */
  decides: boolean;
}

export interface StoredCase {
  key: string;
  service: string;
  endpoint: string;
  presence: 'both' | 'new' | 'missing';
  /** Why the case cannot be judged, as sentences; empty where it can. */
  reasons: string[];
  metrics: { name: string; compared: MetricComparison; says: Says }[];
}

/**
 * What the two figures of a metric come to. `exact`: a count, compared digit by digit. `undecided`: two figures of one kind of machine,
 * which shared no moment of it. `apart`: nothing, and `why`. `one-sided`: one of the runs has none.
 */
export type Says =
  | { kind: 'exact'; differs: boolean }
  | { kind: 'undecided'; change: number }
  | { kind: 'apart'; why: string }
  | { kind: 'one-sided' };

/** Throws `NotComparable` for the same run twice, and for runs of different specs. */
export function storedChanges(base: RunRecord, head: RunRecord): StoredChanges {
  const comparison = storedComparison(base, head);
  const sameConditions = otherConditions(base, head).length === 0;
  return {
    sameConditions,
    comparison,
    conditions: conditions(base, head),
    cases: comparison.cases.map(({ key, service, endpoint, presence, reasons, metrics }) => ({
      key,
      service,
      endpoint,
      presence,
      reasons: reasons.map(({ message }) => message),
      metrics: inReportOrder(Object.keys(metrics)).map((name) => ({
        name,
        compared: metrics[name]!,
        says: saysOf(name, metrics[name]!, presence, reasons.length > 0, sameConditions),
      })),
    })),
  };
}

function saysOf(
  name: string,
  { baseline, candidate, evidence, change }: MetricComparison,
  presence: StoredCase['presence'],
  isInvalid: boolean,
  sameConditions: boolean,
): Says {
  if (baseline === null || candidate === null || presence !== 'both') return { kind: 'one-sided' };
  const metric = metricNamed(name);
  if (metric !== undefined && isExact(metric) && evidence.mode === 'exact') {
    return isInvalid
      ? { kind: 'apart', why: 'one of the two is invalid' }
      : { kind: 'exact', differs: Math.abs(candidate - baseline) > (metric.passScatter ?? 0) };
  }
  if (!sameConditions) return { kind: 'apart', why: 'measured under other conditions' };
  if (isInvalid) return { kind: 'apart', why: 'one of the two is invalid' };
  if (change === null) return { kind: 'apart', why: evidence.note ?? 'the two have no ratio' };
  return { kind: 'undecided', change };
}

const CPU_MODEL = 'CPU model';

function conditions(base: RunRecord, head: RunRecord): Condition[] {
  const of = ({ environment, tool }: RunRecord) => {
    const { placement, versions } = environment;
    const parts: [string, string, boolean][] = [
      [CPU_MODEL, environment.cpuModel, true],
      ['CPUs', String(environment.cpuCount), true],
      ['Runtime', environment.runtime, true],
      [
        'CPUs of service, database, generator',
        [placement.service, placement.database, placement.generator].map((cpus) => cpus || 'any').join('; '),
        true,
      ],
      ['Kernel', environment.kernel, false],
      ['Operating system', environment.os, false],
      ...Object.entries(versions).flatMap(([name, version]): [string, string, boolean][] =>
        typeof version === 'string' ? [[`Version of ${name}`, version, false]] : [],
      ),
      ['Version of wrkbench', tool.version, false],
    ];
    return parts;
  };
  const [was, is] = [of(base), of(head)];
  const names = [...new Map([...was, ...is].map(([what, , decides]) => [what, decides]))];
  const shownOf = (parts: typeof was, what: string) => parts.find(([name]) => name === what)?.[1] ?? '–';
  const isShared = isOfSeveralModels(base.environment.cpuModel);
  return names.map(([what, decides]) => {
    const [before, now] = [shownOf(was, what), shownOf(is, what)];
    const differs = before !== now || (what === CPU_MODEL && isShared);
    return { what, base: before, head: now, differs, decides };
  });
}
