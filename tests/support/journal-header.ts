import type { JournalEntry, JournalHeader } from '../../src/core/record/journal.ts';

/** The first entry of a journal of a spec without services. */
export function journalHeader(changes: Partial<JournalHeader> = {}): JournalEntry {
  return {
    kind: 'header',
    schemaVersion: 1,
    id: '20261120-0a1b2c',
    startedAt: '2026-11-20T09:00:00.000Z',
    tool: { name: 'wrkbench', version: '0.1.0' },
    source: { repository: null, sha: null, ref: null, pullRequest: null },
    environment: {
      cpuModel: 'AMD EPYC 7763',
      cpuCount: 2,
      memoryBytes: 8e9,
      kernel: '6.8.0',
      os: 'Ubuntu 24.04',
      runtime: 'process',
      placement: { service: '0', database: '0', generator: '1' },
      sysctls: {},
      versions: { wrk: '4.1.0', k6: null, ab: null, h2load: null, docker: null, postgres: null },
    },
    spec: {
      name: 'api',
      services: [],
      database: null,
      gateway: null,
      endpoints: [],
      load: { wrk: null, k6: null, ab: null, h2load: null, warmUp: { kind: 'fixed', seconds: 1 }, coolDownSeconds: 1 },
      placement: 'auto',
      gate: { baseline: 'none', metrics: {}, cases: {}, budgetSeconds: 300 },
    },
    seed: 71,
    selection: { quick: false, only: null },
    ...changes,
  };
}
