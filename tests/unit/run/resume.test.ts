import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/app/failures.ts';
import type { RunStore } from '../../../src/app/ports/run-store.ts';
import { type PreparedService, TestbedError } from '../../../src/app/ports/testbed.ts';
import {
  type ResumedRun,
  refuseOtherArtifacts,
  refuseOtherFiles,
  refuseOtherMachine,
  resumedRun,
} from '../../../src/app/run/resume.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { JournalEntry, JournalHeader } from '../../../src/core/record/journal.ts';
import { journalHeader } from '../../support/journal-header.ts';
import { leastWith } from '../config/specs.ts';

const ONE = `sha256:${'1'.repeat(64)}`;
const TWO = `sha256:${'2'.repeat(64)}`;
const spec = readSpec(leastWith(''), 'wrkbench.yml');

function resumed(changes: Partial<JournalHeader> = {}, entries: JournalEntry[] = []): ResumedRun {
  const header = journalHeader(changes) as JournalHeader & JournalEntry;
  return { header, entries: [header, ...entries], directory: '/runs/one' };
}

const started = (variant: 'baseline' | 'candidate', artifact: string): JournalEntry => ({
  kind: 'service',
  service: 'go',
  variant,
  artifact,
  failure: null,
});
const prepared = (artifact: string, failure: TestbedError | null = null): PreparedService[] => [
  { service: 'go', artifact, failure },
];

describe('a run that is gone on with', () => {
  const store = (entries: JournalEntry[] | null) =>
    ({ directory: '/runs/one', journal: { read: async () => entries } }) as unknown as RunStore;

  it('has a journal, of the same spec', async () => {
    const entries = [journalHeader({ spec })];
    expect(await resumedRun(() => spec, store(entries))).toMatchObject({ entries, directory: '/runs/one' });
    await expect(resumedRun(() => spec, store(null))).rejects.toThrow(
      new UsageError('/runs/one holds no journal.jsonl, so there is nothing to resume. Start a new run with --out.'),
    );
    await expect(resumedRun(() => ({ ...spec, name: 'other' }), store(entries))).rejects.toThrow(
      '/runs/one was measured with another spec than this one.',
    );
  });

  it('is on the same kind of machine', () => {
    refuseOtherMachine(resumed(), 'AMD EPYC 7763');
    expect(() => refuseOtherMachine(resumed(), 'Intel Xeon')).toThrow(
      new UsageError(
        '/runs/one was measured on AMD EPYC 7763, and this machine has Intel Xeon: their figures cannot be mixed. Start a new run in another folder (--out).',
      ),
    );
  });

  it('starts processes of the same files, as far as git knows them', () => {
    const earlier = (checkout?: string) =>
      resumed({ selection: { quick: false, only: null, ...(checkout === undefined ? {} : { checkout }) } });
    refuseOtherFiles(earlier('a'), 'a');
    refuseOtherFiles(earlier('a'), null);
    refuseOtherFiles(earlier(), 'a');
    expect(() => refuseOtherFiles(earlier('a'), 'b')).toThrow(
      new UsageError(
        'The files of the candidate were changed since /runs/one was measured (git status shows how): two programs cannot be mixed in one record. Put them back as they were, or start a new run in another folder (--out).',
      ),
    );
    const { environment } = resumed().header;
    const docker = resumed({ ...earlier('a').header, environment: { ...environment, runtime: 'docker' } });
    refuseOtherFiles(docker, 'b');
  });

  it('has the same image, or command, on each side', () => {
    const run = resumed({}, [started('baseline', ONE), started('candidate', `${TWO} acme/go@${ONE}`)]);
    refuseOtherArtifacts(run, 'baseline', prepared(ONE));
    refuseOtherArtifacts(run, 'candidate', prepared(TWO));
    expect(() => refuseOtherArtifacts(run, 'candidate', prepared(ONE))).toThrow(
      new UsageError(
        `The candidate of go is ${ONE} now and was ${TWO} when /runs/one was measured: two programs cannot be mixed in one record. Put it back as it was, or start a new run in another folder (--out).`,
      ),
    );
    expect(() => refuseOtherArtifacts(run, 'baseline', prepared(TWO))).toThrow(/^The baseline of go is sha256:2/);
    const process = resumed({}, [started('candidate', './go')]);
    expect(() => refuseOtherArtifacts(process, 'candidate', prepared('./go --fast'))).toThrow('./go --fast now');
  });

  it('has the same image of every build', () => {
    const entry = { ...started('candidate', ONE), builds: [ONE, TWO] } as JournalEntry;
    const run = resumed({}, [entry]);
    const now = (builds: string[]): PreparedService[] => [
      { service: 'go', artifact: builds[0]!, builds, failure: null },
    ];
    refuseOtherArtifacts(run, 'candidate', now([ONE, TWO]));
    expect(() => refuseOtherArtifacts(run, 'candidate', now([ONE, ONE]))).toThrow(
      `The candidate of go is ${ONE}, ${ONE} now and was ${ONE}, ${TWO} when`,
    );
    expect(() => refuseOtherArtifacts(run, 'candidate', prepared(ONE))).toThrow(/now and was/);
  });

  it('may have what it did not have before, or lack it', () => {
    refuseOtherArtifacts(resumed(), 'candidate', prepared(ONE));
    const failed = { ...started('candidate', ''), failure: { code: 'build-failed', message: 'x' } } as JournalEntry;
    refuseOtherArtifacts(resumed({}, [failed]), 'candidate', prepared(ONE));
    const run = resumed({}, [started('candidate', ONE)]);
    refuseOtherArtifacts(run, 'candidate', prepared('', new TestbedError('build-failed', 'x')));
  });
});
