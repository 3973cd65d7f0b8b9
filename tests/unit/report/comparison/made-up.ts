import type {
  AcceptedEntry,
  CaseComparison,
  Comparison,
  GateEntry,
  MetricComparison,
} from '../../../../src/core/comparison/comparison.ts';

/** Comparisons with round figures, of the cases of `fixtures/records/compared.json`. */

export const keys = {
  ping: 'api/ping/direct/wrk/keep-alive/100',
  pingMany: 'api/ping/direct/wrk/keep-alive/1000',
  users: 'api/users/direct/wrk/keep-alive/100',
  usersK6: 'api/users/direct/k6/keep-alive/100@60%',
} as const;

/** CPU per request, without a change, judged at 3 %; `over` what is different. */
export function cpu(over: Partial<MetricComparison> = {}): MetricComparison {
  return {
    unit: 'us',
    better: 'lower',
    baseline: 412,
    candidate: 413,
    difference: 1,
    change: 0.0024,
    interval: [-0.006, 0.011],
    adjusted: [-0.009, 0.014],
    confidence: 0.99,
    minimumDetectable: 0.014,
    direction: 'unclear',
    verdict: 'no-change',
    threshold: { kind: 'ratio', value: 0.03 },
    brokenLimit: null,
    evidence: { mode: 'duet', instances: 5, pairs: 10, note: null },
    ...over,
  };
}

export function throughput(over: Partial<MetricComparison> = {}): MetricComparison {
  return cpu({
    unit: 'req/s',
    better: 'higher',
    baseline: 48_100,
    candidate: 48_020,
    difference: -80,
    change: -0.0017,
    interval: [-0.012, 0.008],
    adjusted: [-0.018, 0.013],
    minimumDetectable: 0.029,
    threshold: { kind: 'ratio', value: 0.05 },
    ...over,
  });
}

export function queries(baseline: number, candidate: number, over: Partial<MetricComparison> = {}): MetricComparison {
  return cpu({
    unit: '1/request',
    baseline,
    candidate,
    difference: candidate - baseline,
    change: baseline === 0 ? null : candidate / baseline - 1,
    interval: null,
    adjusted: null,
    minimumDetectable: null,
    direction: candidate > baseline ? 'worse' : 'unclear',
    verdict: candidate > baseline ? 'regression' : 'no-change',
    threshold: { kind: 'absolute', value: 0 },
    evidence: { mode: 'exact', instances: 5, pairs: 0, note: null },
    ...over,
  });
}

export const costlier = cpu({
  candidate: 437,
  difference: 25,
  change: 0.061,
  interval: [0.049, 0.073],
  adjusted: [0.044, 0.078],
  direction: 'worse',
  verdict: 'regression',
});

export const faster = throughput({
  candidate: 50_890,
  difference: 2_790,
  change: 0.058,
  interval: [0.042, 0.074],
  adjusted: [0.036, 0.081],
  direction: 'better',
  verdict: 'improvement',
});

export const open = cpu({
  change: 0.021,
  interval: [-0.004, 0.046],
  adjusted: [-0.012, 0.055],
  verdict: 'inconclusive',
  evidence: { mode: 'duet', instances: 14, pairs: 28, note: null },
});

export function caseOf(
  key: string,
  metrics: Record<string, MetricComparison>,
  over: Partial<CaseComparison> = {},
): CaseComparison {
  const [service = '', endpoint = ''] = key.split('/');
  return { key, service, endpoint, presence: 'both', reasons: [], metrics, explanation: null, ...over };
}

export const entry = (caseKey: string, metric: string | null, message = 'A sentence.'): GateEntry => ({
  caseKey,
  metric,
  message,
});

export const accepted = (caseKey: string, metric: string | null, reason: string): AcceptedEntry => ({
  ...entry(caseKey, metric),
  reason,
});

/** The gate's lists are those of the verdicts, unless told. */
export function comparisonOf(cases: CaseComparison[], over: Partial<Comparison> = {}): Comparison {
  const listed = (verdict: MetricComparison['verdict']) =>
    cases.flatMap(({ key, metrics }) =>
      Object.keys(metrics).flatMap((name) => (metrics[name]!.verdict === verdict ? [entry(key, name)] : [])),
    );
  const regressions = listed('regression');
  return {
    schemaVersion: 1,
    mode: 'duet',
    baseline: {
      id: '20260301-101500-7f3a00',
      sha: '3f2c1ab09d0e77c1a2b3c4d5e6f708192a3b4c5d',
      images: { api: `sha256:${'fedcba9876543210'.repeat(4)}` },
      origin: 'commit 3f2c1ab (merge-base with main), built in this run',
    },
    candidate: {
      id: '20260301-101500-7f3a00',
      sha: '9d0e77c1a2b3c4d5e6f708192a3b4c5d3f2c1ab0',
      images: { api: `sha256:${'0123456789abcdef'.repeat(4)}` },
      origin: 'commit 9d0e77c, the working tree',
    },
    familyErrorRate: 0.005,
    cautions: [],
    skipped: null,
    cases,
    services: [],
    gate: {
      passed: regressions.length === 0,
      regressions,
      inconclusive: listed('inconclusive'),
      invalid: [],
      accepted: [],
      new: [],
    },
    ...over,
  };
}

const explanation = {
  cpuUs: { service: 1, database: 24 },
  statements: [
    {
      query: 'SELECT role FROM roles WHERE id = $1',
      baseline: { calls: 0, ms: 0 },
      candidate: { calls: 1, ms: 0.019 },
    },
    {
      query: 'SELECT id, name FROM users LIMIT $1',
      baseline: { calls: 1, ms: 0.121 },
      candidate: { calls: 1, ms: 0.122 },
    },
  ],
  memoryBytes: { baseline: 61_865_984, candidate: 62_000_000 },
};

const unchangedCases = [
  caseOf(keys.ping, { throughput: throughput(), 'cpu-per-request': cpu() }),
  caseOf(keys.users, { throughput: throughput(), 'cpu-per-request': cpu(), 'queries-per-request': queries(1, 1) }),
];

/** Every kind that a reader can meet, by its name. */
export const madeUp = {
  regression: comparisonOf([
    caseOf(keys.ping, { throughput: throughput(), 'cpu-per-request': cpu() }),
    caseOf(keys.pingMany, { throughput: faster, 'cpu-per-request': cpu() }),
    caseOf(keys.users, { 'cpu-per-request': costlier, 'queries-per-request': queries(1, 2) }, { explanation }),
  ]),
  unchanged: comparisonOf(unchangedCases),
  improvement: comparisonOf([...unchangedCases, caseOf(keys.pingMany, { throughput: faster })]),
  undecided: comparisonOf([
    caseOf(keys.ping, { 'cpu-per-request': open, throughput: throughput() }),
    ...unchangedCases.slice(1),
  ]),
  invalid: comparisonOf(
    [caseOf(keys.usersK6, {}, { reasons: [{ code: 'out-of-memory', message: 'x' }] }), ...unchangedCases],
    {
      gate: {
        passed: false,
        regressions: [],
        inconclusive: [],
        invalid: [entry(keys.usersK6, null, 'candidate: api exited under load (out of memory at 512 MiB)\nlog line')],
        accepted: [],
        new: [],
      },
    },
  ),
  accepted: comparisonOf(
    [
      caseOf(keys.users, { 'cpu-per-request': costlier, 'queries-per-request': queries(1, 2) }),
      ...unchangedCases.slice(0, 1),
    ],
    {
      gate: {
        passed: true,
        regressions: [],
        inconclusive: [],
        invalid: [],
        accepted: ['cpu-per-request', 'queries-per-request'].map((metric) =>
          accepted(keys.users, metric, 'roles are needed (#41)'),
        ),
        new: [],
      },
    },
  ),
  first: comparisonOf(
    [
      caseOf(
        keys.ping,
        { throughput: throughput({ baseline: null, change: null, interval: null, adjusted: null, verdict: 'new' }) },
        { presence: 'new' },
      ),
    ],
    {
      gate: {
        passed: true,
        regressions: [],
        inconclusive: [],
        invalid: [],
        accepted: [],
        new: [entry(keys.ping, null, 'The baseline does not have this case: it is not compared.')],
      },
    },
  ),
  skipped: comparisonOf([], {
    skipped: { code: 'same', message: 'Both sides have the same images, spec and init.' },
  }),
  stored: comparisonOf(
    [
      caseOf(keys.ping, {
        throughput: throughput({ evidence: { mode: 'stored', instances: 12, pairs: 0, note: null } }),
      }),
    ],
    {
      mode: 'stored',
      cautions: [
        {
          code: 'stored',
          message: 'Both were measured at different times: a change of the machine looks like one of the code.',
        },
        { code: 'no-reference', message: 'No reference was measured in both runs.' },
      ],
    },
  ),
} satisfies Record<string, Comparison>;

export type MadeUpName = keyof typeof madeUp;
export const madeUpNames = Object.keys(madeUp) as MadeUpName[];
