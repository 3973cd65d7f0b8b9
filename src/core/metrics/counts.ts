import type { UnloadedPass } from '../measurement/measurement.ts';
import { insteadOf, type MetricDefinition, moreOrLess, noColumns } from './definition.ts';

/** From the unloaded pass, so that they are exact: under load a statement may be counted in the next trial. */
function perRequest(pass: UnloadedPass, count: 'calls' | 'rows'): number | null {
  if (pass.statements === null || pass.requests === 0 || pass.failures > 0) return null;
  return pass.statements.reduce((sum, statement) => sum + statement[count], 0) / pass.requests;
}

const exactCount = {
  better: 'lower',
  ofProcess: false,
  gatedBy: 'every case',
  inDuets: 'as measured',
  sameDataAs: null,
  limitedByLevelAlone: false,
  tailRequests: null,
  followsTheMachine: true,
  movedByCodeLayout: false,
  alwaysCompared: false,
} as const;

export const queriesPerRequest: MetricDefinition = {
  ...exactCount,
  name: 'queries-per-request',
  title: 'Queries per request',
  unit: '1/request',
  needsDatabase: true,
  usualLimit: { 'max-increase': 0 },
  words: insteadOf('queries', 'sends', 'queries per request', 'query per request'),
  columns: { ...noColumns, counts: 'Queries per request' },
  ofPass: (pass) => perRequest(pass, 'calls'),
};

export const rowsPerRequest: MetricDefinition = {
  ...exactCount,
  name: 'rows-per-request',
  title: 'Rows per request',
  unit: '1/request',
  needsDatabase: true,
  usualLimit: null,
  words: insteadOf('rows', 'reads', 'rows per request', 'row per request'),
  columns: { ...noColumns, counts: 'Rows per request' },
  ofPass: (pass) => perRequest(pass, 'rows'),
};

export const bytesPerResponse: MetricDefinition = {
  ...exactCount,
  name: 'bytes-per-response',
  title: 'Bytes per response, headers included',
  unit: 'bytes',
  needsDatabase: false,
  usualLimit: null,
  words: {
    ...moreOrLess('bytes', 'answers with', 'bytes'),
    title: 'Bytes per response',
    counts: (baseline, candidate) => `answers with ${candidate} instead of ${baseline}`,
  },
  columns: { ...noColumns, counts: 'Bytes per response' },
  ofPass: (pass) => (pass.requests === 0 ? null : pass.bytes / pass.requests),
};

/** `syscallFilter` says which. 24 passes of one Go server lay within 0.25 of each other, of Node.js servers within 0.05. */
export const syscallsPerRequest: MetricDefinition = {
  ...exactCount,
  name: 'syscalls-per-request',
  title: 'System calls per request',
  unit: '1/request',
  needsDatabase: false,
  passScatter: 0.5,
  usualLimit: null,
  words: insteadOf('system calls', 'makes', 'system calls per request', 'system call per request'),
  columns: { ...noColumns, counts: 'System calls per request' },
  ofPass: ({ syscalls, requests, failures }) =>
    syscalls === undefined || requests === 0 || failures > 0 ? null : syscalls / requests,
};
