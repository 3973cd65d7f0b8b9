import type { CaseComparison, Comparison, MetricComparison } from '../../../../src/core/comparison/comparison.ts';
import {
  accepted,
  caseOf,
  comparisonOf,
  costlier,
  cpu,
  entry,
  faster,
  keys,
  member,
  open,
  queries,
  throughput,
  unitOf,
  unseen,
} from './made-up.ts';

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

interface Sides {
  throughput?: MetricComparison;
  cpu?: MetricComparison;
}

const judged = ({ throughput: ofThroughput = throughput(), cpu: ofCpu = cpu() }: Sides = {}) => ({
  throughput: ofThroughput,
  'cpu-per-request': ofCpu,
});
/** A case of which an endpoint is judged. */
const partOf = (
  key: string,
  { throughput: ofThroughput = member(throughput()), cpu: ofCpu = member(cpu()) }: Sides = {},
) => caseOf(key, judged({ throughput: ofThroughput, cpu: ofCpu }));

const pingCases = [partOf(keys.ping), partOf(keys.pingMany)];
const usersCases = [partOf(keys.users), partOf(keys.usersMany)];
const ping = unitOf(keys.ofPing, judged());
const users = unitOf(keys.ofUsers, judged());
const whole = (metrics: CaseComparison['metrics']) => unitOf(keys.ofApi, metrics, { endpoint: '*' });
const costlierBy = (change: number, figures: Partial<MetricComparison> = {}) =>
  cpu({
    ...costlier,
    change,
    interval: [change - 0.012, change + 0.012],
    adjusted: [change - 0.017, change + 0.017],
    ...figures,
  });
/** `/db/users` costs more in all of its cases; one of them shows it by itself. */
const redUsers = [
  caseOf(keys.users, judged({ throughput: member(throughput()), cpu: costlierBy(0.074) })),
  caseOf(keys.usersMany, judged({ throughput: member(throughput()), cpu: member(costlierBy(0.048)) })),
];

/** Every kind that a reader can meet, by its name. */
export const madeUp = {
  regression: comparisonOf([partOf(keys.ping), partOf(keys.pingMany, { throughput: faster }), ...redUsers], {
    endpoints: [
      ping,
      unitOf(
        keys.ofUsers,
        { throughput: throughput(), 'cpu-per-request': costlier, 'queries-per-request': queries(1, 2) },
        { explanation },
      ),
    ],
    services: [whole(judged())],
  }),
  redCase: comparisonOf(
    [
      partOf(keys.ping),
      partOf(keys.pingMany, { cpu: costlierBy(0.184, { baseline: 719, candidate: 679 }) }),
      ...usersCases,
    ],
    {
      endpoints: [ping, users],
    },
  ),
  redService: comparisonOf([...pingCases, ...usersCases], {
    endpoints: [
      unitOf(keys.ofPing, judged({ cpu: costlierBy(0.07) })),
      unitOf(keys.ofUsers, judged({ cpu: costlierBy(0.052) })),
    ],
    services: [whole(judged({ cpu: costlier }))],
  }),
  unchanged: comparisonOf([...pingCases, ...usersCases], { endpoints: [ping, users], services: [whole(judged())] }),
  improvement: comparisonOf([...pingCases, ...usersCases], {
    endpoints: [unitOf(keys.ofPing, judged({ throughput: faster })), users],
  }),
  undecided: comparisonOf([...pingCases, ...usersCases], {
    endpoints: [unitOf(keys.ofPing, judged({ cpu: open })), users],
  }),
  notMeasured: comparisonOf(
    [keys.ping, keys.pingMany, keys.users, keys.usersMany].map((key) =>
      caseOf(key, judged({ throughput: member(unseen(throughput())), cpu: member(unseen(cpu())) })),
    ),
    {
      endpoints: [keys.ofPing, keys.ofUsers].map((key) =>
        unitOf(key, judged({ throughput: unseen(throughput()), cpu: unseen(cpu()) })),
      ),
    },
  ),
  invalid: comparisonOf(
    [caseOf(keys.usersK6, {}, { reasons: [{ code: 'out-of-memory', message: 'x' }] }), ...pingCases, ...usersCases],
    {
      endpoints: [ping, users],
      gate: {
        passed: false,
        invalid: [entry(keys.usersK6, null, 'candidate: api exited under load (out of memory at 512 MiB)\nlog line')],
      },
    },
  ),
  leftOut: comparisonOf(
    [...pingCases, ...usersCases, caseOf(keys.usersK6, {}, { reasons: [{ code: 'rate-not-held', message: 'x' }] })],
    {
      endpoints: [ping, users],
      gate: {
        leftOut: [entry(keys.usersK6, null, 'candidate: k6 sent 52 % of the rate; baseline: k6 sent 53 % of the rate')],
      },
    },
  ),
  accepted: comparisonOf([...pingCases, ...redUsers], {
    endpoints: [ping, unitOf(keys.ofUsers, { ...judged({ cpu: costlier }), 'queries-per-request': queries(1, 2) })],
    gate: {
      passed: true,
      regressions: [],
      accepted: [
        ...['cpu-per-request', 'queries-per-request'].map((metric) =>
          accepted(keys.ofUsers, metric, 'roles are needed (#41)'),
        ),
        accepted(keys.users, 'cpu-per-request', 'roles are needed (#41)'),
      ],
    },
  }),
  first: comparisonOf(
    [
      caseOf(
        keys.ping,
        { throughput: throughput({ baseline: null, change: null, interval: null, adjusted: null, verdict: 'new' }) },
        { presence: 'new' },
      ),
    ],
    { gate: { new: [entry(keys.ping, null, 'The baseline does not have this case: it is not compared.')] } },
  ),
  skipped: comparisonOf([], {
    skipped: { code: 'same', message: 'Both sides have the same images, spec and init.' },
  }),
  stored: comparisonOf(
    [
      caseOf(keys.ping, {
        throughput: throughput({ evidence: { mode: 'stored', rounds: 12, pairs: 0, note: null } }),
      }),
    ],
    {
      mode: 'stored',
      warnings: [
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
