import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/app/failures.ts';
import type { RunStore } from '../../../src/app/ports/run-store.ts';
import { type PreparedService, TestbedError } from '../../../src/app/ports/testbed.ts';
import {
  type ResumedRun,
  refuseOtherArtifacts,
  refuseOtherMachine,
  refuseOtherSpec,
  resumedRun,
} from '../../../src/app/run/resume.ts';
import { heldTo } from '../../../src/core/baseline/sides.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
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

  it('has the same spec, whatever the order of its keys', async () => {
    const reversed = Object.fromEntries(Object.entries(spec).reverse()) as unknown as ResolvedSpec;
    const entries = [journalHeader({ spec: reversed })];
    await expect(resumedRun(() => spec, store(entries))).resolves.toMatchObject({ entries });
  });

  describe('and compares', () => {
    const having = (service: string, more = 'gateway: nginx') =>
      readSpec(leastWith(more).replace('port: 8080', `port: 8080, ${service}`), 'wrkbench.yml');
    const before = having(
      'duration: 4s, errors: {max: 1%}, keep-alive: closes, cpus: 1',
      'gateway: {kind: nginx, config: old.conf}',
    );
    const measured = (now: ResolvedSpec): ResolvedSpec => heldTo(before, now);
    const side = { recordId: null, sha: null, text: 'made up' };
    const sides = { baseline: side, candidate: side, gate: spec.gate, skipped: null, warnings: [], accepted: [] };
    const goingOn = (first: ResolvedSpec, now: ResolvedSpec) =>
      resumedRun(() => now, store([journalHeader({ spec: measured(first), comparing: { mode: 'duet', ...sides } })]));

    it("has a spec that says the same, in whatever order of the baseline's keys it was measured", async () => {
      const now = having(
        'cpus: 1, keep-alive: closes, errors: {max: 1%}, duration: 4s',
        'gateway: {config: old.conf, kind: nginx}',
      );
      await expect(goingOn(now, now)).resolves.toMatchObject({ directory: '/runs/one' });
    });

    it("may have changed what the baseline's spec says in its place, and nothing else", async () => {
      const first = having('errors: {max: 2%}', 'gateway: {kind: nginx, config: new.conf}');
      await expect(goingOn(first, first)).resolves.toMatchObject({ directory: '/runs/one' });
      await expect(goingOn(first, having('duration: 9s'))).resolves.toMatchObject({ directory: '/runs/one' });
      const refused = '/runs/one was measured with another spec than this one.';
      await expect(goingOn(first, having('env: {A: "1"}'))).rejects.toThrow(refused);
      await expect(goingOn(first, having('errors: {max: 2%}', ''))).rejects.toThrow(refused);
    });

    it('may have other requests of its own, which nobody is asked, and no other endpoints', async () => {
      const first = having('base-path: /api, ready: /');
      const other = { ...first, endpoints: first.endpoints.map((endpoint) => ({ ...endpoint, path: '/quick' })) };
      await expect(goingOn(first, other)).resolves.toMatchObject({ directory: '/runs/one' });
      await expect(goingOn(first, having('base-path: /v2, ready: /'))).resolves.toMatchObject({
        directory: '/runs/one',
      });
      const more = { ...first, endpoints: [...first.endpoints, { ...first.endpoints[0]!, name: 'more' }] };
      await expect(goingOn(first, more)).rejects.toThrow('/runs/one was measured with another spec than this one.');
    });

    it("is measured by the same spec as before, once the baseline's is known", () => {
      const earlier = resumed({ spec: measured(having('errors: {max: 2%}')) });
      refuseOtherSpec(earlier, measured(having('duration: 9s')));
      // Of a service that the baseline does not have, its own spec counts.
      expect(() => refuseOtherSpec(earlier, having('duration: 9s'))).toThrow(
        '/runs/one was measured with another spec than this one.',
      );
    });
  });

  it('is on the same kind of machine', () => {
    refuseOtherMachine(resumed(), 'AMD EPYC 7763');
    expect(() => refuseOtherMachine(resumed(), 'Intel Xeon')).toThrow(
      new UsageError(
        '/runs/one was measured on AMD EPYC 7763, and this machine has Intel Xeon: their figures cannot be mixed. Start a new run in another folder (--out).',
      ),
    );
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
