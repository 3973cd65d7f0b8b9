import type { RunRecord } from '../../../../src/core/record/run-record.ts';
import { type GivenRun, type LabelledRun, labelledRuns } from '../../../../src/core/report/written/runs.ts';
import { fixtureRecord } from '../fixture-records.ts';

export function givenRun(record: RunRecord, given: Partial<GivenRun> = {}): GivenRun {
  return { record, comparison: null, folder: null, label: null, ...given };
}

export function runsOf(...records: RunRecord[]): LabelledRun[] {
  return labelledRuns(records.map((record) => givenRun(record)));
}

/** The Apostol record as another run: of another spec, with every figure times `factor`. */
export function apostol(name: string, factor = 1): RunRecord {
  const record = fixtureRecord('apostol');
  for (const { metrics } of record.cases) for (const metric of Object.values(metrics)) metric.value *= factor;
  return { ...record, id: `20260301-101500-${name}`, spec: { ...record.spec, name } };
}

/** Its services of these names alone, as a run of their own. */
export function apostolOf(name: string, ...services: string[]): RunRecord {
  const record = apostol(name);
  return {
    ...record,
    cases: record.cases.filter(({ service }) => services.includes(service)),
    services: record.services.filter(({ service }) => services.includes(service)),
    spec: { ...record.spec, services: record.spec.services.filter((service) => services.includes(service.name)) },
  };
}
