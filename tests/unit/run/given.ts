import type { RunStore } from '../../../src/app/ports/run-store.ts';
import type { AnchoredAdapters } from '../../../src/app/run/anchored-run.ts';
import { runOptions } from '../../../src/app/run/run-options.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { journalHeader } from '../../support/journal-header.ts';
import { earlierRun } from '../baseline/records.ts';
import { machine } from '../doctor/machines.ts';
import { healthyPass, healthyTrial } from '../support/trials.ts';

const spec = readSpec(
  `name: rest-api
services: {go: {command: [./go], port: 8080}}
endpoints: {ping: /ping}
load: {wrk: {connections: [100], keep-alive: on}}
gate: {anchor: "commit:v9"}
`,
  'wrkbench.yml',
);

/** A folder in memory; `files` are what was written beside the journal. */
export function memoryStore(directory: string, before: JournalEntry[] | null) {
  const entries = [...(before ?? [])];
  const files = new Map<string, string>();
  const store: RunStore = {
    directory,
    journal: {
      append: async (entry) => void entries.push(entry),
      read: async () => (entries.length === 0 ? null : [...entries]),
    },
    writeRaw: async (name) => `raw/${name}`,
    write: async (name, content) => void files.set(name, content),
  };
  return { store, files };
}

/** A finished run that was held against the numbers of run `one`: going on with it measures nothing more. */
export function finishedRun({ stored = earlierRun({ id: 'one' }) }: { stored?: RunRecord } = {}) {
  const side = { recordId: 'one', sha: null, text: 'numbers of run one' };
  const header = journalHeader({
    id: 'run-two',
    spec,
    environment: { ...machineEnvironment(), runtime: 'process' },
    selection: { quick: false, only: '/ping', baseline: 'stored', phraseFrom: 'call' },
    unpaired: {
      wanted: 'stored',
      baseline: side,
      candidate: { ...side, recordId: null, text: 'working tree' },
      warnings: [{ code: 'image-gone', message: 'Its image is gone.' }],
      failed: false,
      accepted: [],
    },
  });
  const service = { kind: 'service', service: 'go', variant: 'candidate', artifact: './go', failure: null } as const;
  const { store, files } = memoryStore('/runs/two', [
    header,
    service,
    { kind: 'pass', ...healthyPass() },
    { kind: 'trial', ...healthyTrial() },
  ]);
  const did: string[] = [];
  const asked: RunStore[] = [];
  const adapters = {
    store,
    storeInside: async (name: string) => {
      const inner = memoryStore(`/runs/two/${name}`, null).store;
      asked.push(inner);
      return { store: inner, begun: false };
    },
    clock: { monotonicNs: () => 0, now: () => new Date(0), sleep: async () => undefined },
    progress: {
      say: () => undefined,
      warn: (text: string) => did.push(`warned: ${text}`),
      begin: () => undefined,
      end: () => undefined,
      at: () => undefined,
      measured: () => undefined,
    },
    lock: { acquire: async () => ({ release: async () => undefined }) },
    machine: {
      newRunId: () => 'anchor',
      newSeed: () => 1,
      facts: async () => machine(),
      environment: async () => machineEnvironment(),
      placementWarnings: async () => [],
      stayOn: async (cpus: string) => {
        did.push(`on CPUs ${cpus}`);
        return async () => void did.push('on all CPUs');
      },
      setForRun: () => ({ changed: [], restore: () => undefined }),
      source: async () => ({ repository: null, sha: null, ref: null, pullRequest: null }),
    },
    runtimes: { process: { kind: 'process', release: async () => {} }, docker: { kind: 'docker' } },
    variables: { value: () => undefined },
    baselines: {
      repositories: { at: async () => ({ code: 'no-repository', message: 'There is no repository.' }) },
      images: { has: async () => false },
      history: {
        place: '/runs',
        warning: () => null,
        latest: async () => null,
        async *all() {
          yield stored;
        },
      },
      files: { text: async () => null, hash: async () => null, exists: async () => false, companions: async () => [] },
      workflow: { event: null, sha: null, ref: null, baseBranch: null, pullRequestHead: null, defaultBranch: null },
    },
    assets: { pageScript: '' },
    toolVersion: '0.1.0',
  } as unknown as AnchoredAdapters;
  const options = runOptions(spec, '/work/wrkbench.yml', {
    runtime: 'process',
    resume: true,
    baseline: { text: 'stored', phraseFrom: 'call', recordDirectory: '/work' },
  });
  return { options, adapters, files, did, asked };
}

function machineEnvironment(): RunRecord['environment'] {
  const { environment } = journalHeader() as unknown as RunRecord;
  return { ...environment, cpuModel: machine().cpu.model };
}
