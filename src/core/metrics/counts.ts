import type { UnloadedPass } from '../record/measurement.ts';
import type { MetricDefinition } from './definition.ts';

/** From the pass without load, so that they are exact: under load a statement may be counted in the next slice. */
function perRequest(pass: UnloadedPass, count: 'calls' | 'rows'): number | null {
  if (pass.statements === null || pass.requests === 0 || pass.failures > 0) return null;
  return pass.statements.reduce((sum, statement) => sum + statement[count], 0) / pass.requests;
}

export const counts: MetricDefinition[] = [
  {
    name: 'queries-per-request',
    title: 'Queries per request',
    unit: '1/request',
    better: 'lower',
    ofPass: (pass) => perRequest(pass, 'calls'),
  },
  {
    name: 'rows-per-request',
    title: 'Rows per request',
    unit: '1/request',
    better: 'lower',
    ofPass: (pass) => perRequest(pass, 'rows'),
  },
  {
    name: 'bytes-per-response',
    title: 'Bytes per response, headers included',
    unit: 'bytes',
    better: 'lower',
    ofPass: (pass) => (pass.requests === 0 ? null : pass.bytes / pass.requests),
  },
];
