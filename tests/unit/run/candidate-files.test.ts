import { describe, expect, it } from 'vitest';
import type { BaselineAdapters } from '../../../src/app/baseline/baseline-plan.ts';
import { UsageError } from '../../../src/app/failures.ts';
import { type CandidateFiles, candidateFiles, refuseOtherFiles } from '../../../src/app/run/candidate-files.ts';
import type { ResumedRun } from '../../../src/app/run/resume.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import type { JournalEntry, JournalHeader } from '../../../src/core/record/journal.ts';
import { journalHeader } from '../../support/journal-header.ts';
import { leastWith } from '../config/specs.ts';

const plain = readSpec(leastWith(''), 'wrkbench.yml');
const naming = readSpec(
  leastWith(
    'database: {image: "postgres:18", init: [db/schema.sql, db/users.sql]}\ngateway: {kind: nginx, config: nginx.conf}\nload: {k6: {script: load.js}}\n',
  ),
  'wrkbench.yml',
);

describe('the files of a candidate', () => {
  const found = (spec: ResolvedSpec, hashes: Record<string, string>, isRepository = true) => {
    const repository = isRepository
      ? { fingerprint: async () => 'one' }
      : { code: 'no-repository', message: 'There is none.' };
    const adapters = {
      repositories: { at: async () => repository },
      files: {
        hash: async (path: string) => hashes[path] ?? null,
        companions: async (_: string, script: string) => (script === 'load.js' ? ['lib.js', 'users.json'] : []),
      },
    } as unknown as Pick<BaselineAdapters, 'repositories' | 'files'>;
    return candidateFiles({ spec, specDirectory: '/work' }, [], adapters);
  };

  it('are told by the state of the checkout, as far as git knows it', async () => {
    expect(await found(plain, {})).toEqual({ checkout: 'one', files: {} });
    expect(await found(plain, {}, false)).toEqual({ files: {} });
  });

  it('are told one by one where the spec names them besides programs, as far as they are there', async () => {
    const hashes = { '/work/db/schema.sql': 'a', '/work/nginx.conf': 'b', '/work/load.js': 'c', '/work/main.go': 'd' };
    const beside = { '/work/users.json': 'e' };
    expect((await found(naming, { ...hashes, ...beside })).files).toEqual({
      ...{ 'db/schema.sql': 'a', 'load.js': 'c', 'nginx.conf': 'b' },
      'users.json': 'e',
    });
  });
});

describe('a run that is gone on with', () => {
  const earlier = (before: CandidateFiles, changes: Partial<JournalHeader> = {}): ResumedRun => {
    const selection = { quick: false, only: null, ...before };
    const header = journalHeader({ selection, ...changes }) as JournalHeader & JournalEntry;
    return { header, entries: [header], directory: '/runs/one' };
  };
  const inDocker = (before: CandidateFiles, spec = plain) => {
    const { environment } = earlier({}).header;
    return earlier(before, { spec, environment: { ...environment, runtime: 'docker' } });
  };
  const otherCheckout = new UsageError(
    'The files of the candidate were changed since /runs/one was measured (git status shows how): two programs cannot be mixed in one record. Put them back as they were, or start a new run in another folder (--out).',
  );

  it('starts processes of the same files, as far as git knows them', () => {
    refuseOtherFiles(earlier({ checkout: 'a' }), { checkout: 'a' });
    refuseOtherFiles(earlier({ checkout: 'a' }), {});
    refuseOtherFiles(earlier({}), { checkout: 'a' });
    expect(() => refuseOtherFiles(earlier({ checkout: 'a' }), { checkout: 'b' })).toThrow(otherCheckout);
  });

  it('starts images beside any other files', () => {
    refuseOtherFiles(inDocker({ checkout: 'a' }), { checkout: 'b' });
    refuseOtherFiles(inDocker({ checkout: 'a', files: {} }), { checkout: 'b', files: {} });
    const files = { 'db/schema.sql': '1', 'load.js': '2' };
    refuseOtherFiles(inDocker({ checkout: 'a', files }, naming), { checkout: 'b', files });
  });

  it('sets databases up, loads and passes requests on by the same files, in containers as well', () => {
    const files = { 'db/schema.sql': '1', 'load.js': '2', 'nginx.conf': '3' };
    const now = { files: { 'db/schema.sql': '1', 'load.js': '5' } };
    const changed = new UsageError(
      'Changed since /runs/one was measured: load.js, nginx.conf. Figures from before and after the change cannot be mixed. Put them back as they were, or start a new run in another folder (--out).',
    );
    expect(() => refuseOtherFiles(inDocker({ files }, naming), now)).toThrow(changed);
    expect(() => refuseOtherFiles(earlier({ files }, { spec: naming }), now)).toThrow(changed);
  });

  it('has the same checkout where the journal says nothing of files that its spec names', () => {
    refuseOtherFiles(inDocker({ checkout: 'a' }, naming), { checkout: 'a', files: { 'load.js': '1' } });
    expect(() => refuseOtherFiles(inDocker({ checkout: 'a' }, naming), { checkout: 'b' })).toThrow(otherCheckout);
  });
});
