import type { Comparison } from '../../../src/core/comparison/comparison.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { storedComparison } from '../../../src/core/comparison/stored.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';
import { historyOf, storedRun, storedRuns } from '../../support/made-up/stored-runs.ts';

const users = (callsCandidate: number): NonNullable<MadeUpCase['statements']> => ({
  baseline: [
    { query: 'SELECT id, name FROM users WHERE id = $1', callsPerRequest: 1, rowsPerRequest: 1, msPerRequest: 0.031 },
  ],
  candidate: [
    { query: 'SELECT id, name FROM users WHERE id = $1', callsPerRequest: 1, rowsPerRequest: 1, msPerRequest: 0.032 },
    {
      query: 'SELECT count(*) FROM sessions WHERE user_id = $1',
      callsPerRequest: callsCandidate,
      rowsPerRequest: callsCandidate,
      msPerRequest: 0.044 * callsCandidate,
    },
  ],
});

const counts = (baseline: number, candidate: number): NonNullable<MadeUpCase['counts']> => ({
  baseline: { 'queries-per-request': baseline, 'rows-per-request': baseline, 'bytes-per-response': 213 },
  candidate: { 'queries-per-request': candidate, 'rows-per-request': candidate, 'bytes-per-response': 213 },
});

const databaseLevels = { 'database-cpu-per-request': 21.4, 'cpu-per-request': 61.8 };

/** Four HTTP cases and two behind which a database stands. */
function matrix(ratios: Record<string, number>, databaseRatios: Record<string, number>, calls: number): MadeUpCase[] {
  const database = {
    endpoint: 'db-users',
    levels: databaseLevels,
    counts: counts(1, 1 + calls),
    statements: users(calls),
  };
  return [
    { ratios },
    { keepAlive: false, ratios, levels: { 'cpu-per-request': 88.4, throughput: 11_200 } },
    { connections: 1000, ratios },
    {
      generator: 'k6',
      ratios: { 'latency-p50': ratios['latency-p50'] ?? 1, 'cpu-per-request': ratios['cpu-per-request'] ?? 1 },
    },
    { ...database, ratios: databaseRatios },
    { ...database, generator: 'k6', ratios: databaseRatios },
  ];
}

/** Comparisons of every kind, made up with fixed seeds: `fixtures/comparisons/NAME.json`. */
export const situations: Record<string, () => Comparison> = {
  null: () => comparisonOf(madeUpRecord({ seed: 11, rounds: 10, cases: matrix({}, {}, 0) })),
  regression: () =>
    comparisonOf(
      madeUpRecord({
        seed: 12,
        rounds: 10,
        cases: matrix(
          { 'cpu-per-request': 1.08, throughput: 1 / 1.08 },
          { 'cpu-per-request': 1.14, 'database-cpu-per-request': 1.34, throughput: 0.88, 'latency-p50': 1.19 },
          1,
        ),
      }),
    ),
  improvement: () =>
    comparisonOf(
      madeUpRecord({
        seed: 13,
        rounds: 10,
        cases: matrix({ 'cpu-per-request': 0.88, throughput: 1 / 0.88 }, {}, 0),
      }),
    ),
  inconclusive: () =>
    comparisonOf(
      madeUpRecord({
        seed: 14,
        rounds: 10,
        scatter: 0.04,
        cases: matrix({ 'cpu-per-request': 1.03, throughput: 0.96 }, {}, 0),
        comparing: {
          warnings: [
            { code: 'budget-spent', message: 'The budget of 5 min was spent before every metric was decided.' },
          ],
        },
      }),
    ),
  invalid: () =>
    comparisonOf(
      madeUpRecord({
        seed: 15,
        rounds: 10,
        cases: [
          ...matrix({}, {}, 0).slice(0, 4),
          {
            endpoint: 'db-users',
            invalid: { candidate: '3.1 % of 48,210 requests failed (status 1,494); up to 0.1 % is let pass' },
          },
          { endpoint: 'db-users', keepAlive: false, lacking: { candidate: ['memory-peak'] } },
        ],
      }),
    ),
  missing: () =>
    comparisonOf(
      madeUpRecord({
        seed: 16,
        rounds: 10,
        cases: [{}, { connections: 1000 }, { service: 'rust', only: 'baseline' }],
      }),
    ),
  new: () =>
    comparisonOf(
      madeUpRecord({
        seed: 17,
        rounds: 10,
        cases: [{}, { connections: 1000 }, { endpoint: 'health', only: 'candidate' }],
      }),
    ),
  accepted: () =>
    comparisonOf(
      madeUpRecord({
        seed: 12,
        rounds: 10,
        cases: matrix({ 'cpu-per-request': 1.08, throughput: 1 / 1.08 }, {}, 0),
        comparing: { accepted: [{ cases: 'go', metric: null, reason: 'TLS 1.3 everywhere (#41)' }] },
      }),
    ),
  interleaved: () =>
    comparisonOf(
      madeUpRecord({
        seed: 18,
        rounds: 10,
        mode: 'interleaved',
        scatter: 0.012,
        cases: [{ ratios: { 'cpu-per-request': 1.09 } }, { connections: 1000 }],
        comparing: {
          warnings: [{ code: 'one-core', message: 'The machine has one core: the sides were loaded in turn.' }],
        },
      }),
    ),
  limit: () =>
    comparisonOf(
      madeUpRecord({
        seed: 19,
        rounds: 10,
        cases: matrix({}, {}, 0),
        gate: { metrics: { 'latency-p50': { max: 0.4 }, 'cpu-per-request': {}, 'latency-p99': { max: 50 } } },
      }),
    ),
  skipped: () =>
    comparisonOf(
      madeUpRecord({
        seed: 20,
        cases: [],
        comparing: {
          skipped: {
            code: 'same',
            message: 'Both sides have the same images, spec and init: there is nothing to measure.',
          },
        },
      }),
    ),
  stored: () => {
    const past = storedRuns(40, { seed: 21 });
    const ratios = { throughput: 0.7, 'cpu-per-request': 1.45 };
    const head = storedRun({ day: 41, seed: 21_999, weather: 0.9, ratios, queries: 2 });
    return storedComparison(past.at(-1)!, head, historyOf(past));
  },
  'stored-without-history': () => {
    const [base, head] = storedRuns(2, { seed: 22 });
    return storedComparison(base!, head!);
  },
};
