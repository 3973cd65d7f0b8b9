import { comparisonOf } from '../../src/core/comparison/comparison-of.ts';
import type { LostRun } from '../../src/core/posting/lost-run.ts';
import { type FailOn, type JudgedRun, judgedRun } from '../../src/core/posting/verdict.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { MORE_MEMORY } from '../../src/core/topology/memory-limit.ts';
import type { MadeUpCase } from '../../tests/support/made-up/case-record.ts';
import { type MadeUpRecord, madeUpRecord } from '../../tests/support/made-up/run-record.ts';

/** What a pull request is told of, by the name of its verdict. No figure here was measured. */
export interface Example {
  judged: JudgedRun[];
  missing?: LostRun[];
  fail?: FailOn;
}

const query = {
  query: 'SELECT id, name FROM users LIMIT $1',
  callsPerRequest: 1,
  rowsPerRequest: 10,
  msPerRequest: 0.121,
};
const role = {
  query: 'SELECT role FROM roles WHERE user_id = $1',
  callsPerRequest: 1,
  rowsPerRequest: 1,
  msPerRequest: 0.019,
};
const counts = (queries: number) => ({
  'queries-per-request': queries,
  'rows-per-request': 9 + queries,
  'bytes-per-response': 2718,
});
const ofDatabase = {
  'cpu-per-request': 412,
  'database-cpu-per-request': 180,
  throughput: 2_400,
  'latency-p50': 2.1,
  'latency-p99': 6.2,
};

/** A ping and a list out of a database, each at 100 and 1,000 connections, and the list at a fixed rate. */
function shop(users: Partial<MadeUpCase> = {}, ping: Partial<MadeUpCase> = {}): MadeUpCase[] {
  const list: MadeUpCase = {
    service: 'shop',
    endpoint: 'api-users',
    levels: ofDatabase,
    counts: { baseline: counts(1), candidate: counts(1) },
    statements: { baseline: [query], candidate: [query] },
    ...users,
  };
  return [
    { service: 'shop', endpoint: 'ping', ...ping },
    { service: 'shop', endpoint: 'ping', connections: 1000, ...ping },
    list,
    { ...list, connections: 1000 },
    { ...list, generator: 'k6' },
  ];
}

const oneMoreQuery: Partial<MadeUpCase> = {
  counts: { baseline: counts(1), candidate: counts(2) },
  statements: { baseline: [query], candidate: [query, role] },
  ratios: {
    'cpu-per-request': 1.14,
    'database-cpu-per-request': 1.3,
    throughput: 0.88,
    'latency-p50': 1.12,
    'latency-p99': 1.2,
  },
};

function recordOf(made: Partial<MadeUpRecord> & Pick<MadeUpRecord, 'cases'>): RunRecord {
  const record = madeUpRecord({ seed: 71, rounds: 10, ...made });
  return {
    ...record,
    source: { ...record.source, specPath: 'wrkbench.yml' },
    spec: { ...record.spec, name: 'shop' },
  };
}

function judged(made: Partial<MadeUpRecord> & Pick<MadeUpRecord, 'cases'>): JudgedRun {
  const record = recordOf(made);
  return judgedRun(record, record.comparing === undefined ? null : comparisonOf(record));
}

/** As measuring leaves it where the candidate does not come up. */
function neverUp(message: string): JudgedRun {
  const record = recordOf({ cases: shop() });
  const failure = { code: 'exited', message };
  const isCandidate = ({ variant }: { variant: string }) => variant === 'candidate';
  const broken: RunRecord = {
    ...record,
    cases: record.cases
      .filter(isCandidate)
      .map((each) => ({ ...each, status: 'invalid', metrics: {}, reasons: [failure] })),
    services: record.services.map((each) => (isCandidate(each) ? { ...each, failure } : each)),
  };
  return judgedRun(broken, comparisonOf(broken));
}

const printed = (sentence: string, ...lines: string[]) => [sentence, ...lines.map((line) => `    ${line}`)].join('\n');

export const examples: Record<string, Example> = {
  regression: { judged: [judged({ cases: shop(oneMoreQuery) })] },
  everything: {
    judged: [
      judged({
        cases: shop(
          { ratios: { 'cpu-per-request': 1.08, throughput: 1 / 1.08 } },
          { ratios: { 'cpu-per-request': 1.08, throughput: 1 / 1.08 } },
        ),
      }),
    ],
  },
  improvement: { judged: [judged({ cases: shop({ ratios: { 'cpu-per-request': 0.88, throughput: 1 / 0.88 } }) })] },
  'no-change': { judged: [judged({ rounds: 20, cases: shop() })] },
  undecided: { judged: [judged({ scatter: 0.05, cases: shop() })] },
  'not-measured': { judged: [judged({ rounds: 1, gate: { budgetSeconds: 30 }, cases: shop() })] },
  accepted: {
    judged: [
      judged({
        cases: shop(oneMoreQuery),
        comparing: { accepted: [{ cases: '*', metric: null, reason: 'roles are needed' }] },
      }),
    ],
  },
  'first-measurement': {
    judged: [judged({ comparing: null, cases: shop().map((each) => ({ ...each, only: 'candidate' })) })],
  },
  'out-of-memory': {
    judged: [
      judged({
        cases: shop({
          invalid: {
            candidate: printed(
              `shop: The service ran out of memory: the kernel ended a process of it. Its limit is 512 MiB. ${MORE_MEMORY}`,
              'GET /api/users 200',
            ),
          },
        }),
      }),
    ],
  },
  'service-exits': {
    judged: [
      neverUp(
        printed(
          'shop: The service exited with status 1. Its last log lines say why.',
          'Starting shop 2.4.0',
          'KeyError: SHOP_REGION is not set',
        ),
      ),
    ],
  },
  'build-failed': {
    judged: [
      neverUp(
        printed(
          'shop: The image of service shop cannot be built from /home/runner/work/shop/shop/Dockerfile (docker build exited with status 1).',
          '#9 [3/3] RUN go build -o /shop .',
          './handlers/users.go:42:17: undefined: roleOf',
          'ERROR: failed to solve: process "/bin/sh -c go build -o /shop ." did not complete successfully: exit code: 1',
        ),
      ),
    ],
  },
  'spec-mistake': {
    judged: [],
    missing: [
      {
        specName: 'shop',
        why: 'wrkbench.yml:14:5: unknown key `conections` in `load.wrk`: did you mean `connections`?',
      },
    ],
  },
};
