import type { Case } from '../../../src/core/config/case.ts';
import type { TrialMeasurement, UnloadedPass } from '../../../src/core/measurement/measurement.ts';

/** A healthy 10 s trial of wrk on one core each: 50,000 answers of 150 bytes, server full, generator half full. */
export function healthyTrial(changes: Partial<TrialMeasurement> = {}): TrialMeasurement {
  return {
    caseKey: 'go/ping/direct/wrk/keep-alive/100',
    variant: 'candidate',
    round: 1,
    trial: 1,
    pair: null,
    mode: 'solo',
    startedNs: 1_000_000_000,
    durationNs: 10_020_000_000,
    warmUp: { seconds: 2.1, steady: true },
    rate: null,
    outcome: {
      tool: 'wrk',
      requests: 50_000,
      durationSeconds: 10,
      throughput: 5000,
      bytes: 7_500_000,
      latencyMs: { mean: 20, max: 80, p50: 19, p75: 22, p90: 30, p95: 41, p99: 60, 'p99.9': 74 },
      errors: { connect: 0, read: 0, write: 0, timeout: 0, status: 0 },
    },
    generatorFailure: null,
    timedOut: false,
    cpu: {
      windowNs: 10_020_000_000,
      serviceNs: 7_000_000_000,
      databaseNs: 2_900_000_000,
      gatewayNs: 0,
      generatorNs: 5_000_000_000,
      ownNs: 30_000_000,
      busyNs: 9_950_000_000,
      stealNs: 0,
      serverCpuCount: 1,
      generatorCpuCount: 1,
    },
    memory: { idleBytes: 10_000_000, peakBytes: 30_000_000, settledBytes: 20_000_000 },
    acceptedConnections: 100,
    ports: { timeWait: 3, available: 28_232 },
    statements: { calls: 50_000, rows: 50_000, totalMs: 900 },
    clockStepMs: 0.4,
    differencesAfter: [],
    testbedFailure: null,
    notes: [],
    raw: ['raw/ping.txt'],
    ...changes,
  };
}

export function testCase(changes: Partial<Case> = {}): Case {
  return {
    key: 'go/ping/direct/wrk/keep-alive/100',
    service: {
      name: 'go',
      image: null,
      command: ['./go'],
      workingDirectory: '.',
      port: 8080,
      env: {},
      ready: { path: '/ping', timeoutSeconds: 30 },
      memoryBytes: null,
      openFiles: 1024,
      basePath: '',
      network: 'open',
      protocol: 'h1',
      role: 'subject',
    },
    endpoint: {
      name: 'ping',
      method: 'GET',
      path: '/ping',
      headers: {},
      body: null,
      expect: { status: 200, contentType: null, body: null, sizeBytes: null, matches: null },
    },
    route: 'direct',
    generator: 'wrk',
    keepAlive: true,
    connections: 100,
    load: { generator: 'wrk', threads: 4, durationSeconds: 10, timeoutSeconds: 2 },
    ...changes,
  };
}

/** 200 answers of 150 bytes, two statements each. */
export function healthyPass(changes: Partial<UnloadedPass> = {}): UnloadedPass {
  return {
    service: 'go',
    variant: 'candidate',
    round: 1,
    endpoint: 'ping',
    route: 'direct',
    startedNs: 500_000_000,
    durationNs: 100_000_000,
    requests: 200,
    failures: 0,
    bytes: 30_000,
    constantSize: true,
    statements: [
      { query: 'SELECT 1', calls: 200, rows: 200, totalMs: 4 },
      { query: 'SELECT * FROM users LIMIT $1', calls: 200, rows: 4000, totalMs: 30 },
    ],
    ...changes,
  };
}
