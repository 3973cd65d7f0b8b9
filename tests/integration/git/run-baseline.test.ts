// needs: git
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { baselineFiles } from '../../../src/adapters/files/baseline-files.ts';
import { folderHistory } from '../../../src/adapters/files/record-history.ts';
import { gitRepositories } from '../../../src/adapters/git/repository.ts';
import type { BaselineAdapters } from '../../../src/app/baseline/baseline-plan.ts';
import type { PreparedBaseline } from '../../../src/app/baseline/prepared-baseline.ts';
import { UsageError } from '../../../src/app/failures.ts';
import {
  type PreparedService,
  type PrepareRequest,
  TestbedError,
  type TestbedRuntime,
} from '../../../src/app/ports/testbed.ts';
import type { ResumedRun } from '../../../src/app/run/resume.ts';
import { release, runBaseline } from '../../../src/app/run/run-baseline.ts';
import { comparingOf, comparingRequest, pinned } from '../../../src/app/run/run-comparison.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { WHOLE } from '../../../src/core/config/selection.ts';
import type { JournalEntry, JournalHeader } from '../../../src/core/record/journal.ts';
import { journalHeader } from '../../support/journal-header.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { earlierRun } from '../../unit/baseline/records.ts';
import { type Author, cloneOf, newRepository } from './given.ts';

const SPEC = `name: rest-api
services: {go: {build: ., port: 80}, rust: {build: ., port: 81}}
endpoints: {ping: /ping}
`;
const id = (digit: string) => `sha256:${digit.repeat(64)}`;

interface Asked {
  phrase?: string;
  /** What becomes of a service of the baseline; by default it is image 1. */
  prepare?: (service: string, request: PrepareRequest) => Partial<PreparedService>;
  resumed?: ResumedRun;
  history?: string;
  signal?: AbortSignal;
}

async function baselineOf({ folder }: Author, asked: Asked = {}): Promise<PreparedBaseline> {
  const specFile = join(folder, 'wrkbench.yml');
  const spec = readSpec(readFileSync(specFile, 'utf8'), 'wrkbench.yml');
  const baselines: BaselineAdapters = {
    repositories: gitRepositories(),
    images: { has: async () => false },
    history: folderHistory(asked.history ?? join(folder, 'none')),
    files: baselineFiles(),
    workflow: { event: null, sha: null, ref: null, baseBranch: null, pullRequestHead: null, defaultBranch: null },
  };
  const runtime = {
    kind: 'docker',
    prepare: async (request: PrepareRequest) => {
      asked.signal?.throwIfAborted();
      return request.services.map(({ name }) => ({
        ...{ service: name, artifact: id('1'), failure: null },
        ...asked.prepare?.(name, request),
      }));
    },
  } as unknown as TestbedRuntime;
  const progress = { say: () => undefined, warn: () => undefined } as never;
  const found = await runBaseline(
    {
      spec,
      selection: WHOLE,
      shortened: (own) => own,
      specFile,
      baseline: { text: asked.phrase ?? 'auto', phraseFrom: 'call', recordDirectory: folder },
      ownFolders: [],
      resumed: asked.resumed ?? null,
    },
    {
      run: { id: 'one', runtime },
      adapters: { baselines, progress },
      signal: asked.signal ?? new AbortController().signal,
    },
  );
  onTestFinished(() => release(found));
  return found;
}

/** The run that a found baseline began, as a later call goes on with it. */
function goneOnWith(found: PreparedBaseline, entries: JournalEntry[] = []): ResumedRun {
  const selection = { quick: false, only: null, ...pinned(found) };
  const comparing = comparingOf(found, 'duet', [], { candidate: readSpec(SPEC, 'x'), event: null, budgetSeconds: 300 });
  const header = journalHeader({ selection, ...comparing }) as JournalHeader & JournalEntry;
  return { header, entries: [header, ...entries], directory: '/runs/one' };
}

function branched(): { own: Author; base: string } {
  const own = newRepository();
  const base = own.commit({ 'wrkbench.yml': SPEC });
  own.git('checkout', '--quiet', '-b', 'feature');
  own.commit({ new: '' });
  return { own, base };
}

function keepRun(folder: string, name: string, sha: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  const record = earlierRun({ id: name, services: [], source: { ...earlierRun().source, sha } });
  writeFileSync(join(folder, name, 'run.json'), JSON.stringify(record));
}

const failing = (message = 'no such file') => ({ artifact: '', failure: new TestbedError('build-failed', message) });

describe('several builds of a baseline', () => {
  it('are as many as its own gate says, and the candidate has as many: a change cannot choose how often it is built', async () => {
    const own = newRepository();
    own.commit({ 'wrkbench.yml': `${SPEC}gate: {builds: 3}\n` });
    own.git('checkout', '--quiet', '-b', 'feature');
    own.commit({ 'wrkbench.yml': SPEC });
    const asked: (number | undefined)[] = [];
    const found = await baselineOf(own, {
      prepare: (_name, { builds }) => {
        asked.push(builds);
        return {};
      },
    });
    expect(asked).toEqual([3, 3]);
    const request = comparingRequest(found, 'duet', readSpec(SPEC, 'x'), {
      noSkip: false,
      event: null,
      budgetSeconds: 300,
      only: null,
      shard: null,
    });
    expect(request?.builds).toBe(3);
  });
});

describe('a baseline that cannot be prepared', () => {
  it('as a whole gives way to nothing, and says that something was there', async () => {
    const { own } = branched();
    const found = await baselineOf(own, { prepare: () => failing() });
    const { unpaired } = comparingOf(found, 'duet', [], {
      candidate: readSpec(SPEC, 'x'),
      event: null,
      budgetSeconds: 300,
    });
    expect(unpaired).toMatchObject({ wanted: 'auto', baseline: null, failed: true });
    expect(unpaired!.warnings.map(({ code }) => code)).toEqual(['baseline-not-built', 'no-earlier-run']);
    expect(own.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('in one service of two loses that one alone', async () => {
    const { own, base } = branched();
    const found = await baselineOf(own, { prepare: (name) => (name === 'rust' ? failing() : {}) });
    expect(found).toMatchObject({
      kind: 'built',
      origin: { sha: base },
      prepared: [{ failure: null }, { failure: { code: 'build-failed' } }],
    });
  });

  it('because the run is interrupted leaves no worktree behind', async () => {
    const { own } = branched();
    const controller = new AbortController();
    const folders: string[] = [];
    const asked = baselineOf(own, {
      signal: controller.signal,
      prepare: (_name, { specDirectory }) => {
        folders.push(specDirectory);
        controller.abort(new Error('stopped'));
        throw controller.signal.reason;
      },
    });
    await expect(asked).rejects.toThrow('stopped');
    expect(folders).toHaveLength(1);
    expect(existsSync(dirname(folders[0]!))).toBe(false);
    expect(own.git('worktree', 'list').split('\n')).toHaveLength(1);
  });
});

describe('a run that is gone on with', () => {
  const started: JournalEntry = {
    kind: 'service',
    service: 'go',
    variant: 'baseline',
    artifact: id('1'),
    failure: null,
  };

  it('has the commit that it had, though its name means another one by now', async () => {
    const { own, base } = branched();
    const resumed = goneOnWith(await baselineOf(own, { phrase: 'commit:main' }), [started]);
    own.git('branch', '--force', 'main', 'feature');
    expect(await baselineOf(own, { resumed })).toMatchObject({ kind: 'built', origin: { sha: base } });
  });

  it('is refused where its image is another one by now', async () => {
    const { own } = branched();
    const resumed = goneOnWith(await baselineOf(own), [started]);
    const before = own.git('worktree', 'list');
    await expect(baselineOf(own, { resumed, prepare: () => ({ artifact: id('2') }) })).rejects.toThrow(
      new UsageError(
        `The baseline of go is ${id('2')} now and was ${id('1')} when /runs/one was measured: two programs cannot be mixed in one record. Put it back as it was, or start a new run in another folder (--out).`,
      ),
    );
    expect(own.git('worktree', 'list')).toBe(before);
  });

  it('is refused where its baseline is another one by now, or none', async () => {
    const { own, base } = branched();
    const found = await baselineOf(own);
    const resumed = goneOnWith(found);
    const { comparing } = resumed.header;
    const other = {
      ...resumed.header,
      comparing: { ...comparing!, baseline: { recordId: 'two', sha: base, text: 'run two' } },
    };
    await expect(baselineOf(own, { resumed: { ...resumed, header: other } })).rejects.toThrow(
      new UsageError(
        `/runs/one was compared with run two, and now it would be commit ${base.slice(0, 7)}, built in this run. Start a new run in another folder (--out).`,
      ),
    );
    const auto = { ...resumed.header, selection: { ...resumed.header.selection, baseline: 'stored' } };
    await expect(baselineOf(own, { resumed: { ...resumed, header: auto } })).rejects.toThrow(
      /^\/runs\/one was compared with commit .*, which is not available any more\. /,
    );
  });

  it('stays a first measurement, though a baseline can be had by now', async () => {
    const { own } = branched();
    const shallow = cloneOf(own, '--depth=1', '--branch=feature');
    const before = await baselineOf(shallow);
    expect(before.kind).toBe('first');
    shallow.git('fetch', '--quiet', '--unshallow', 'origin', '+refs/heads/*:refs/remotes/origin/*');
    expect((await baselineOf(shallow)).kind).toBe('built');
    expect(await baselineOf(shallow, { resumed: goneOnWith(before) })).toMatchObject({
      kind: 'first',
      warnings: [{ code: 'shallow-checkout' }, { code: 'no-earlier-run' }],
    });
  });

  it('stays with the numbers that it had, though newer ones are there by now', async () => {
    const { own, base } = branched();
    const history = temporaryFolder();
    keepRun(history, 'one', base);
    const before = await baselineOf(own, { phrase: 'stored', history });
    const tip = own.git('rev-parse', 'HEAD');
    keepRun(history, 'two', tip);
    const resumed = goneOnWith(before);
    expect(await baselineOf(own, { resumed, history })).toMatchObject({
      kind: 'stored',
      record: { id: 'one' },
    });
    await expect(baselineOf(own, { resumed, history: temporaryFolder() })).rejects.toThrow(
      /^\/runs\/one was compared with numbers of run one .*, which is not available any more\. /,
    );
  });

  it('finds a record by the path that was given where the run began', async () => {
    const { own } = branched();
    keepRun(own.folder, 'old', 'a'.repeat(40));
    const before = await baselineOf(own, { phrase: 'record:old' });
    const resumed = goneOnWith(before);
    expect(resumed.header.selection.baseline).toBe(`record:${own.folder}/old`);
    expect(await baselineOf(own, { resumed })).toMatchObject({ kind: 'stored', record: { id: 'old' } });
  });

  it('without a baseline asks for none', async () => {
    const { own } = branched();
    expect(await baselineOf(own, { resumed: goneOnWith({ kind: 'none' }) })).toEqual({ kind: 'none' });
  });
});
