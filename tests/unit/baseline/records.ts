import { readSpec } from '../../../src/core/config/read.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { journalHeader } from '../../support/journal-header.ts';
import { leastWith } from '../config/specs.ts';

export const IMAGE_ID = `sha256:${'1'.repeat(64)}`;
export const DIGEST = `ghcr.io/acme/go@sha256:${'2'.repeat(64)}`;

/** A run of the least spec at a commit, whose service `go` came from a registry. */
export function earlierRun(changes: Partial<RunRecord> = {}): RunRecord {
  const header = journalHeader() as unknown as RunRecord & { kind?: string; selection?: unknown };
  const { kind: _kind, selection: _selection, ...rest } = header;
  return {
    ...rest,
    finishedAt: '2026-11-20T09:05:00.000Z',
    source: { ...rest.source, sha: 'a'.repeat(40) },
    spec: readSpec(leastWith('gate: {throughput: {max-decrease: 2%}}\n'), 'wrkbench.yml'),
    timing: { wallSeconds: 300, loadSeconds: 200 },
    services: [{ service: 'go', variant: 'candidate', artifact: `${IMAGE_ID} ${DIGEST}`, failure: null }],
    cases: [
      {
        key: 'go/ping/direct/wrk/keep-alive/100',
        service: 'go',
        variant: 'candidate',
        endpoint: 'ping',
        route: 'direct',
        generator: 'wrk',
        keepAlive: true,
        connections: 100,
        rate: null,
        status: 'valid',
        reasons: [],
        warnings: [],
        metrics: {},
        utilisation: null,
        raw: [],
      },
    ],
    interrupted: null,
    ...changes,
  };
}
