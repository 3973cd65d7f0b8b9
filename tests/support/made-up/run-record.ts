import { DEFAULT_LIMITS } from '../../../src/core/config/gate.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { caseRecords, type MadeUpCase, ROUNDS } from './case-record.ts';
import { specOf } from './spec.ts';

export interface MadeUpRecord {
  id?: string;
  seed?: number;
  rounds?: number;
  /** Standard deviation of a pair's ratio. */
  scatter?: number;
  /** Standard deviation of a moment, which both trials of a pair share. */
  drift?: number;
  mode?: 'duet' | 'interleaved';
  /** False for a run on its own, which has no round for its published figures alone. */
  publishes?: boolean;
  startedAt?: string;
  environment?: Partial<RunRecord['environment']>;
  gate?: Partial<ResolvedSpec['gate']>;
  comparing?: Partial<NonNullable<RunRecord['comparing']>> | null;
  cases: MadeUpCase[];
}

/** A run record as `run --baseline` leaves it: a solo trial of each side in round 0, duets in all others. */
export function madeUpRecord(made: MadeUpRecord): RunRecord {
  const { id = '20260301T101500Z-7f3a', seed = 1, comparing = {}, mode = 'duet' } = made;
  const random = seededRandom(seed);
  const gate: ResolvedSpec['gate'] = {
    baseline: 'auto',
    metrics: { ...DEFAULT_LIMITS },
    cases: {},
    budgetSeconds: 300,
    ...made.gate,
  };
  const cases = made.cases.flatMap((each) => caseRecords(each, made, random));
  const services = [...new Set(cases.map(({ service }) => service))];
  return {
    schemaVersion: 1,
    id,
    startedAt: made.startedAt ?? '2026-03-01T10:15:00.000Z',
    finishedAt: '2026-03-01T10:19:12.000Z',
    tool: { name: 'wrkbench', version: '0.1.0' },
    source: {
      repository: 'acme/api',
      sha: '9d1e7b2c44f0a35be2f8a4d07e5c1b6a3f90d812',
      ref: 'refs/pull/41/merge',
      pullRequest: 41,
    },
    environment: {
      cpuModel: 'AMD EPYC 7763 64-Core Processor',
      cpuCount: 4,
      memoryBytes: 16_777_216_000,
      kernel: '6.11.0-1018-azure',
      os: 'Ubuntu 24.04.2 LTS',
      runtime: 'docker',
      placement: { service: '0-1', database: '0-1', generator: '2-3' },
      sysctls: {},
      versions: { wrk: '4.1.0', k6: '1.3.0', ab: '2.3', h2load: null, docker: '28.0.4', postgres: '18.1' },
      ...made.environment,
    },
    spec: specOf(services, gate, made.cases),
    seed,
    ...(comparing === null
      ? {}
      : {
          comparing: {
            mode,
            baseline: {
              recordId: null,
              sha: '3f2c1ab90e6d4b7785c1d2e3f4a5b6c7d8e9f001',
              text: 'commit 3f2c1ab (merge-base with main), built in this run',
            },
            candidate: {
              recordId: null,
              sha: '9d1e7b2c44f0a35be2f8a4d07e5c1b6a3f90d812',
              text: 'commit 9d1e7b2, built in this run',
            },
            gate,
            skipped: null,
            warnings: [],
            accepted: [],
            ...comparing,
          },
        }),
    timing: {
      wallSeconds: 252,
      loadSeconds: 198,
      ...(comparing === null ? {} : { comparingSeconds: 24 * (made.rounds ?? ROUNDS) }),
    },
    services: services.flatMap((service) =>
      (['baseline', 'candidate'] as const).map((variant) => ({
        service,
        variant,
        artifact: `sha256:${variant === 'baseline' ? '1' : '2'}${'0'.repeat(63)}`,
        failure: null,
      })),
    ),
    cases,
    interrupted: null,
  };
}
