import { describe, expect, it } from 'vitest';
import { buildWarnings } from '../../../src/core/comparison/build-warnings.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { ServiceRecord } from '../../../src/core/record/run-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const service = (variant: ServiceRecord['variant'], changes: Partial<ServiceRecord> = {}): ServiceRecord => ({
  ...{ service: 'go', variant, artifact: 'a', failure: null },
  ...changes,
});

describe('a warning of one build', () => {
  it('is said once where it holds for both sides, else of its side', () => {
    const oneBuild = 'go was built once.';
    expect(buildWarnings([service('baseline'), service('candidate')])).toEqual([]);
    expect(buildWarnings([service('baseline', { oneBuild }), service('candidate', { oneBuild })])).toEqual([
      { code: 'one-build', message: oneBuild },
    ]);
    expect(buildWarnings([service('baseline', { oneBuild }), service('candidate')])).toEqual([
      { code: 'one-build', message: 'The baseline: go was built once.' },
    ]);
  });

  it('is in the comparison, beside how many builds were compared', () => {
    const record = madeUpRecord({ cases: [{}] });
    const services = [
      service('baseline', { oneBuild: 'go was built once.' }),
      service('candidate', { builds: ['a', 'b'] }),
    ];
    const { warnings, baseline, candidate } = comparisonOf({ ...record, services });
    expect(warnings).toEqual([{ code: 'one-build', message: 'The baseline: go was built once.' }]);
    expect(candidate).toMatchObject({ images: { go: 'a' }, builds: { go: 2 } });
    expect(baseline).not.toHaveProperty('builds');
  });
});
