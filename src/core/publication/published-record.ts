import type { Comparison } from '../comparison/comparison.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';

/**
 * A run as it is kept for years: what was measured of the candidate, and what it came to. The samples of its pairs, the
 * baseline beside it and the paths of raw files are left in the artifact of the run: they are nine tenths of a record, and
 * nothing that later runs are held against.
 */
export function publishedRecord(record: RunRecord, comparison: Comparison | null): RunRecord {
  const { comparing, unpaired, ...rest } = record;
  return {
    ...rest,
    services: record.services.filter(({ variant }) => variant === 'candidate'),
    cases: record.cases.filter(({ variant }) => variant === 'candidate').map(publishedCase),
    published: {
      accepted: (comparing ?? unpaired)?.accepted ?? [],
      baseline: (comparing ?? unpaired)?.baseline ?? null,
      passed: comparison?.gate.passed ?? null,
    },
  };
}

function publishedCase(each: CaseRecord): CaseRecord {
  const metrics = Object.entries(each.metrics).map(([name, metric]) => [
    name,
    { ...metric, samples: metric.samples.filter(({ mode }) => mode === 'solo') },
  ]);
  return { ...each, metrics: Object.fromEntries(metrics), raw: [] };
}
