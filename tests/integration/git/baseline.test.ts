import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { baselineFiles } from '../../../src/adapters/files/baseline-files.ts';
import { folderHistory } from '../../../src/adapters/files/record-history.ts';
import { gitRepositories } from '../../../src/adapters/git/repository.ts';
import type { BaselineAdapters, BaselinePlan, BuiltBaseline } from '../../../src/app/baseline/baseline-plan.ts';
import { resolveBaseline } from '../../../src/app/baseline/resolve.ts';
import { MachineLacks, UsageError } from '../../../src/app/failures.ts';
import type { WorkflowFacts } from '../../../src/core/baseline/commit.ts';
import { readBaselinePhrase } from '../../../src/core/config/baseline-phrase.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { quickened, type Selection, WHOLE } from '../../../src/core/config/selection.ts';
import type { Runtime } from '../../../src/core/doctor/runtime.ts';
import { redactedSpec } from '../../../src/core/record/redaction.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { UserError } from '../../../src/core/user-error.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { DIGEST, earlierRun, IMAGE_ID } from '../../unit/baseline/records.ts';
import { type Author, author, cloneOf, copied, never, newRepository } from './given.ts';

const LAPTOP: WorkflowFacts = {
  event: null,
  sha: null,
  ref: null,
  baseBranch: null,
  pullRequestHead: null,
  defaultBranch: null,
};

/** A spec of one service; `more` is further YAML. */
function specText({ env = '1', path = '/ping', more = '' } = {}): string {
  return `name: rest-api
services:
  go: {build: ., port: 8080, env: {LEVEL: "${env}"}}
database: {init: [init.sql]}
endpoints: {ping: ${path}}
load: {wrk: {connections: [10], keep-alive: on}}
${more}`;
}

interface Asked {
  workflow?: Partial<WorkflowFacts>;
  runtime?: Runtime;
  /** Images that the engine holds. */
  images?: string[];
  phraseFrom?: 'spec' | 'call';
  /** Folder of earlier runs. */
  history?: string;
  /** As with `--quick`. */
  shortened?: boolean;
  selection?: Selection;
}

async function baselineOf({ folder }: Author, phrase: string, asked: Asked = {}): Promise<BaselinePlan> {
  const specFile = join(folder, 'bench/wrkbench.yml');
  const adapters: BaselineAdapters = {
    repositories: gitRepositories(),
    images: { has: async (reference) => asked.images?.includes(reference) ?? false },
    history: folderHistory(asked.history ?? join(folder, 'bench/wrkbench-results')),
    files: baselineFiles(),
    workflow: { ...LAPTOP, ...asked.workflow },
  };
  const spec = readSpec(readFileSync(specFile, 'utf8'), 'wrkbench.yml');
  const plan = await resolveBaseline(
    {
      phrase: readBaselinePhrase(phrase),
      phraseFrom: asked.phraseFrom ?? 'call',
      spec,
      selection: asked.selection ?? WHOLE,
      shortened: asked.shortened ? quickened : (own) => own,
      specFile,
      recordDirectory: dirname(specFile),
      ownFolders: [],
      runtime: asked.runtime ?? 'docker',
    },
    adapters,
    never(),
  );
  if (plan.kind === 'built') onTestFinished(() => plan.release());
  return plan;
}

async function builtOf(own: Author, phrase: string, asked: Asked = {}): Promise<BuiltBaseline> {
  const plan = await baselineOf(own, phrase, asked);
  if (plan.kind !== 'built') throw new Error(JSON.stringify(plan, null, 2));
  return plan;
}

const short = (sha: string) => sha.slice(0, 7);
const codes = (plan: BaselinePlan) => (plan.kind === 'none' ? [] : plan.warnings.map(({ code }) => code));

const branchedRepository = copied((own) => {
  const base = own.commit({ 'bench/wrkbench.yml': specText(), 'bench/init.sql': 'SELECT 1;' });
  own.git('checkout', '--quiet', '-b', 'feature');
  const head = own.commit({ 'bench/wrkbench.yml': specText({ env: '2', path: '/pong' }) });
  return { base, head };
});

/** A repository whose main branch has a spec, and whose branch `feature` has another one. */
function branched(): { own: Author; base: string; head: string } {
  const { own, made } = branchedRepository();
  // The index knows the files by where they lie.
  own.git('update-index', '-q', '--refresh');
  return { own, ...made };
}

function keepRun(folder: string, record: RunRecord): void {
  mkdirSync(join(folder, record.id), { recursive: true });
  writeFileSync(join(folder, record.id, 'run.json'), JSON.stringify(record));
}

describe('auto', () => {
  it('says first that the data differ: each side loads its own init SQL', async () => {
    const { own } = branched();
    expect(codes(await builtOf(own, 'auto'))).not.toContain('data-differ');
    own.write({ 'bench/init.sql': 'SELECT 2;' });
    const [first] = (await builtOf(own, 'auto')).warnings;
    expect(first).toEqual({
      code: 'data-differ',
      message:
        'The two sides load different data: init SQL (init.sql). Part of any change between them may come from the data ' +
        'and not from the code.',
    });
  });

  it('builds the merge-base in a clean worktree, each side by its own spec', async () => {
    const { own, base, head } = branched();
    own.write({ 'bench/new.txt': '' });
    const plan = await builtOf(own, 'auto');
    expect(plan).toMatchObject({
      origin: { recordId: null, sha: base, text: `commit ${short(base)} (merge-base with main), built in this run` },
      candidateOrigin: {
        recordId: null,
        sha: head,
        text: `working tree at ${short(head)} (feature), with files that git does not know`,
      },
      missing: [],
      fallback: expect.any(Function),
    });
    expect(plan.spec.services[0]!.env).toEqual({ LEVEL: '1' });
    expect(plan.spec.endpoints.map(({ path }) => path)).toEqual(['/ping']);
    expect(codes(plan)).toEqual(['requests-differ']);
    expect(readFileSync(join(plan.specDirectory, 'init.sql'), 'utf8')).toBe('SELECT 1;');
    await plan.release();
    expect(existsSync(plan.specDirectory)).toBe(false);
  });

  it('holds a pull request against the first parent of its merge, and against its gate', async () => {
    const { own } = branched();
    own.git('checkout', '--quiet', 'main');
    const more = 'gate: {throughput: {max-decrease: 1%}}\n';
    const main = own.commit({ 'bench/wrkbench.yml': specText({ more }), later: '' });
    own.git('checkout', '--quiet', '--detach');
    own.git('merge', '--quiet', '--no-ff', '--strategy-option=theirs', 'feature');
    own.write({ 'bench/wrkbench.yml': specText({ more: 'gate: {throughput: {max-decrease: 90%}}\n' }) });
    const head = own.git('rev-parse', 'HEAD');
    const workflow = { event: 'pull_request', sha: head, ref: 'refs/pull/12/merge', baseBranch: 'main' };
    const plan = await builtOf(own, 'auto', { workflow });
    expect(plan.origin.text).toBe(`commit ${short(main)} (first parent of the merge commit), built in this run`);
    expect(plan.candidateOrigin.text).toBe(`checkout of ${short(head)} (pull/12/merge), with uncommitted changes`);
    expect(plan.gate.metrics).toMatchObject({ throughput: { maxDecrease: { kind: 'ratio', value: 0.01 } } });
  });

  it('asks a pull request what its base asks, of a release that it is held against as well', async () => {
    const own = newRepository();
    const release = own.commit({ 'bench/wrkbench.yml': specText({ path: '/old' }) });
    const more = `gate: {baseline: "commit:${release}"}\n`;
    own.commit({ 'bench/wrkbench.yml': specText({ path: '/ping', more }) });
    own.git('checkout', '--quiet', '-b', 'feature');
    own.commit({ 'bench/wrkbench.yml': specText({ path: '/quick', more }) });
    own.git('checkout', '--quiet', 'main');
    own.git('merge', '--quiet', '--no-ff', 'feature');
    const workflow = {
      event: 'pull_request',
      sha: own.git('rev-parse', 'HEAD'),
      ref: 'refs/pull/12/merge',
      baseBranch: 'main',
    };
    const plan = await builtOf(own, `commit:${release}`, { workflow });
    expect(plan.origin.sha).toBe(release);
    expect(plan.spec.endpoints.map(({ path }) => path)).toEqual(['/ping']);
    expect(codes(plan)).toContain('requests-differ');
  });

  it('is a first measurement where the baseline has no spec', async () => {
    const own = newRepository();
    const base = own.commit({ readme: '' });
    own.git('checkout', '--quiet', '-b', 'feature');
    const head = own.commit({ 'bench/wrkbench.yml': specText() });
    expect(await baselineOf(own, 'auto')).toEqual({
      kind: 'first',
      candidateOrigin: { recordId: null, sha: head, text: `working tree at ${short(head)} (feature)` },
      warnings: [
        {
          code: 'no-baseline-spec',
          message: `No spec on the baseline's side: a first measurement. bench/wrkbench.yml is not in commit ${short(base)} (merge-base with main).`,
        },
      ],
    });
    expect(own.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('is by hand the first commit that has a spec, where the branch has one that it did not begin with', async () => {
    const own = newRepository();
    const base = own.commit({ readme: '' });
    own.git('checkout', '--quiet', '-b', 'feature');
    own.commit({ other: '' });
    const first = own.commit({ 'bench/wrkbench.yml': specText() });
    const chosen = `commit ${short(first)} (the first commit with bench/wrkbench.yml; the merge-base with main has none), built in this run`;

    writeFileSync(join(own.folder, 'readme'), 'changed');
    expect((await builtOf(own, 'auto')).origin).toEqual({ recordId: null, sha: first, text: chosen });

    own.commit({ readme: 'changed' });
    own.commit({ readme: 'again' });
    expect((await builtOf(own, 'auto')).origin.text).toBe(chosen);

    const workflow = { event: 'push', sha: own.git('rev-parse', 'HEAD') };
    expect(await baselineOf(own, 'auto', { workflow })).toMatchObject({
      kind: 'first',
      warnings: [
        { code: 'no-baseline-spec', message: expect.stringContaining(`${short(base)} (merge-base with main)`) },
      ],
    });
  });

  it('on the main branch takes the last commit that was measured', async () => {
    const own = newRepository();
    const first = own.commit({ 'bench/wrkbench.yml': specText(), '.gitignore': 'wrkbench-results' });
    const second = own.commit();
    own.commit();
    expect((await builtOf(own, 'auto')).origin.sha).toBe(second);
    const runs = join(own.folder, 'bench/wrkbench-results');
    keepRun(runs, earlierRun({ id: 'one', source: { ...earlierRun().source, sha: first } }));
    expect((await builtOf(own, 'auto')).origin).toEqual({
      recordId: null,
      sha: first,
      text: `commit ${short(first)} (the last one before HEAD that was measured), built in this run`,
    });
  });

  it('takes the image of an earlier run where the checkout is shallow', async () => {
    const { own, base } = branched();
    own.git('checkout', '--quiet', 'main');
    own.git('merge', '--quiet', '--no-ff', 'feature');
    const shallow = cloneOf(own, '--depth=1');
    const history = temporaryFolder();
    keepRun(history, earlierRun({ id: 'one', source: { ...earlierRun().source, sha: base } }));
    const plan = await builtOf(shallow, 'auto', {
      history,
      workflow: { event: 'pull_request', sha: shallow.git('rev-parse', 'HEAD') },
    });
    expect(plan.origin).toEqual({
      recordId: 'one',
      sha: base,
      text: `image ghcr.io/acme/go@sha256:222222222222 of run one of 2026-11-20 (commit ${short(base)})`,
    });
    expect(plan.spec.services.map(({ image }) => image)).toEqual([{ kind: 'image', reference: DIGEST }]);
    expect(codes(plan)).toEqual(['shallow-checkout', 'requests-differ', 'load-differs']);
    const next = await plan.fallback!('The registry does not answer.');
    expect(next).toMatchObject({ kind: 'stored', record: { id: 'one' } });
    expect(codes(next)).toEqual(['shallow-checkout', 'image-not-had']);
  });

  it('goes on to the earlier run where the commit cannot be prepared, down to nothing', async () => {
    const { own, base } = branched();
    const history = temporaryFolder();
    const alone = await builtOf(own, 'auto', { history });
    expect(await alone.fallback!('make: no such file.')).toMatchObject({
      kind: 'first',
      warnings: [
        {
          code: 'baseline-not-built',
          message: `The baseline is commit ${short(base)} (merge-base with main), built in this run, and cannot be prepared. make: no such file.`,
        },
        {
          code: 'no-earlier-run',
          message: `There is no earlier run of rest-api of a commit that this one grew from in ${history}: a first measurement.`,
        },
      ],
    });
    expect(existsSync(alone.specDirectory)).toBe(false);
    keepRun(history, earlierRun({ id: 'one', source: { ...earlierRun().source, sha: base }, services: [] }));
    const second = await (await builtOf(own, 'auto', { history })).fallback!('x');
    expect(second).toMatchObject({ kind: 'stored', origin: { recordId: 'one', sha: base } });
    expect(codes(second)).toEqual(['baseline-not-built', 'image-gone']);
  });

  it('goes on where the spec of the baseline has mistakes', async () => {
    const own = newRepository();
    const base = own.commit({ 'bench/wrkbench.yml': 'nme: rest-api\n' });
    own.git('checkout', '--quiet', '-b', 'feature');
    own.commit({ 'bench/wrkbench.yml': specText() });
    const plan = await baselineOf(own, 'auto');
    expect(codes(plan)).toEqual(['wrong-baseline-spec', 'no-earlier-run']);
    await expect(baselineOf(own, `commit:${base}`)).rejects.toThrow(
      /^The spec of the baseline, bench\/wrkbench.yml in commit [0-9a-f]{7}, is not valid:\nbench\/wrkbench.yml:1:1: /,
    );
    await expect(baselineOf(own, `commit:${base}`)).rejects.toBeInstanceOf(UserError);
  });

  it('is a first measurement outside of a repository, or against the last run there', async () => {
    const own = author(temporaryFolder());
    own.write({ 'bench/wrkbench.yml': specText() });
    const history = temporaryFolder();
    expect(await baselineOf(own, 'auto', { history })).toEqual({
      kind: 'first',
      candidateOrigin: { recordId: null, sha: null, text: 'files of this machine, in no git repository' },
      warnings: [
        { code: 'no-repository', message: `${join(own.folder, 'bench')} is not in a git repository.` },
        { code: 'no-earlier-run', message: `There is no earlier run of rest-api in ${history}: a first measurement.` },
      ],
    });
    keepRun(history, earlierRun({ id: 'one', startedAt: '2026-11-19T00:00:00.000Z' }));
    keepRun(history, earlierRun({ id: 'two' }));
    expect(await baselineOf(own, 'auto', { history, runtime: 'process' })).toMatchObject({
      kind: 'stored',
      record: { id: 'two' },
    });
  });
});

describe('commit:REF', () => {
  it('is that commit, by whatever name', async () => {
    const { own, base } = branched();
    own.git('tag', 'v1.0', base);
    expect((await builtOf(own, 'commit:v1.0')).origin.text).toBe(`commit ${short(base)} (v1.0), built in this run`);
    expect((await builtOf(own, 'commit:HEAD~1')).origin.sha).toBe(base);
    expect(await builtOf(own, `commit:${base}`)).toMatchObject({
      origin: { text: `commit ${short(base)}, built in this run` },
      fallback: null,
    });
  });

  it('says nothing of a load that only this run has shortened', async () => {
    const { own } = branched();
    own.git('checkout', '--quiet', 'main');
    expect(codes(await builtOf(own, 'commit:HEAD', { shortened: true }))).toEqual([]);
    own.write({ 'bench/wrkbench.yml': specText().replace('[10]', '[20]') });
    expect(codes(await builtOf(own, 'commit:HEAD', { shortened: true }))).toContain('load-differs');
  });

  it('tells what the candidate has lost', async () => {
    const { own } = branched();
    own.git('checkout', '--quiet', 'main');
    own.commit({ 'bench/wrkbench.yml': specText().replace('endpoints: {', 'endpoints: {old: /old, ') });
    own.git('checkout', '--quiet', 'feature');
    const { missing } = await builtOf(own, 'commit:main');
    expect(missing.map(({ key }) => key)).toEqual(['go/old/direct/wrk/keep-alive/10']);
  });

  it('is refused where it names nothing', async () => {
    const { own } = branched();
    await expect(baselineOf(own, 'commit:v9')).rejects.toThrow(
      new UserError('The repository has no commit `v9`. See: git branch --all, git tag'),
    );
    const bare = author(temporaryFolder());
    bare.write({ 'bench/wrkbench.yml': specText() });
    await expect(baselineOf(bare, 'commit:main')).rejects.toThrow(
      new UserError(
        `The baseline commit:main names nothing. ${bare.folder}/bench is not in a git repository. Use --baseline image:REFERENCE or record:PATH.`,
      ),
    );
  });

  it('ends the run where it cannot be checked out', async () => {
    const { own } = branched();
    const library = newRepository();
    library.commit();
    own.git('submodule', '--quiet', 'add', `file://${library.folder}`, 'lib');
    own.commit();
    const clone = cloneOf(own);
    await expect(baselineOf(clone, 'commit:HEAD')).rejects.toBeInstanceOf(MachineLacks);
    expect(clone.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('warns processes of what git ignores, or of a program that is not there', async () => {
    const own = newRepository();
    const spec = (program: string) =>
      specText().replace('build: .', `command: [${program}], working-directory: server`);
    own.commit({
      'bench/wrkbench.yml': spec('node, a.js'),
      '.gitignore': 'node_modules/\ntarget/',
      'bench/server/x': '',
    });
    own.write({ 'bench/server/node_modules/x': '' });
    const warning = (await builtOf(own, 'commit:HEAD', { runtime: 'process' })).warnings[0]!;
    expect(warning.code).toBe('clean-worktree');
    expect(warning.message).toMatch(/without what git ignores here \(bench\/server\/node_modules\/\)\. .*npm ci/);
    own.commit({ 'bench/wrkbench.yml': spec('./target/api') });
    const lacking = (await builtOf(own, 'commit:HEAD', { runtime: 'process' })).warnings[0]!;
    expect(lacking.message).toMatch(
      /^The program \.\/target\/api of service go is not in the clean worktree of the baseline\. Let its command/,
    );
  });
});

describe('image:REFERENCE', () => {
  const twoServices = specText().replace('database:', '  rust: {image: acme/rust, port: 80}\ndatabase:');

  it("replaces the service's image and nothing else", async () => {
    const { own } = branched();
    const plan = await builtOf(own, 'image:acme/go:1.2');
    expect(plan.origin).toEqual({ recordId: null, sha: null, text: "image acme/go:1.2, with the candidate's spec" });
    expect(plan.spec.services[0]).toMatchObject({
      image: { kind: 'image', reference: 'acme/go:1.2' },
      env: { LEVEL: '2' },
    });
    expect(plan.specDirectory).toBe(join(own.folder, 'bench'));
  });

  it('must say which service it is of, where there are several', async () => {
    const { own } = branched();
    own.write({ 'bench/wrkbench.yml': twoServices });
    await expect(baselineOf(own, 'image:acme/go:1')).rejects.toThrow(
      new UserError('The baseline image:acme/go:1 could be of go or rust: say which, as in image:go=acme/go:1'),
    );
    await expect(baselineOf(own, 'image:c=acme/go:1')).rejects.toThrow(
      new UserError(
        'The baseline image:c=acme/go:1 is for a service `c`, which is none of those compared here: go, rust.',
      ),
    );
    const plan = await builtOf(own, 'image:rust=acme/rust:1');
    expect(plan.spec.services.map(({ name }) => name)).toEqual(['rust']);
    expect(plan.warnings).toEqual([
      { code: 'one-image-only', message: 'Only rust has a baseline; there is none for go.' },
    ]);
  });

  it('is refused for processes', async () => {
    const { own } = branched();
    await expect(baselineOf(own, 'image:acme/go:1', { runtime: 'process' })).rejects.toThrow(
      new UserError(
        'The baseline image:acme/go:1 needs a container engine, and this run starts processes. Use --runtime docker, or --baseline commit:REF',
      ),
    );
  });
});

describe('record:PATH', () => {
  function withRun(changes: Partial<RunRecord> = {}): { own: Author; base: string } {
    const { own, base } = branched();
    keepRun(join(own.folder, 'bench/old'), earlierRun({ id: 'one', ...changes }));
    return { own, base };
  }

  it('is its images where they are here or in a registry, filled by its own init files', async () => {
    const { own, base } = branched();
    const spec = readSpec(specText({ env: '0' }), 'x');
    const source = { ...earlierRun().source, sha: base };
    keepRun(join(own.folder, 'bench/old'), earlierRun({ id: 'one', spec, source }));
    own.write({ 'bench/init.sql': 'SELECT 2;' });
    const here = await builtOf(own, 'record:old/one/run.json', { images: [IMAGE_ID] });
    expect(here.spec.services[0]).toMatchObject({ image: { reference: IMAGE_ID }, env: { LEVEL: '0' } });
    expect(here.origin).toEqual({
      recordId: 'one',
      sha: base,
      text: `image sha256:111111111111 of run one of 2026-11-20 (commit ${short(base)})`,
    });
    expect(readFileSync(join(here.specDirectory, 'init.sql'), 'utf8')).toBe('SELECT 1;');
    expect(codes(here)).toContain('data-differ');
    expect((await builtOf(own, 'record:old/one')).spec.services[0]!.image).toEqual({
      kind: 'image',
      reference: DIGEST,
    });
  });

  it('says so where the init files of that time are not here', async () => {
    const { own } = withRun({ spec: readSpec(specText(), 'x') });
    const plan = await builtOf(own, 'record:old/one');
    expect(plan.specDirectory).toBe(join(own.folder, 'bench'));
    expect(codes(plan)).toEqual(['files-of-candidate', 'requests-differ']);
  });

  it('is its commit where its images are gone, and its numbers where that is not here either', async () => {
    const services = [{ service: 'go', variant: 'candidate' as const, artifact: IMAGE_ID, failure: null }];
    const { own, base } = withRun({ services });
    const numbers = await baselineOf(own, 'record:old/one');
    expect(numbers).toMatchObject({
      kind: 'stored',
      origin: { recordId: 'one', sha: 'a'.repeat(40), text: 'numbers of run one of 2026-11-20 (commit aaaaaaa)' },
      gate: { metrics: { throughput: { maxDecrease: { kind: 'ratio', value: 0.02 } } } },
      warnings: [
        {
          code: 'image-gone',
          message:
            'The image of go in run one of 2026-11-20 (commit aaaaaaa) is not available: sha256:111111111111 is not on this machine, and no registry was said to have it.',
        },
      ],
    });
    keepRun(
      join(own.folder, 'bench/old'),
      earlierRun({ services, source: { ...earlierRun().source, sha: base }, id: 'two' }),
    );
    const plan = await builtOf(own, 'record:old/two');
    expect(plan.origin).toEqual({
      recordId: 'two',
      sha: base,
      text: `commit ${short(base)} (that of run two), built in this run`,
    });
    expect(codes(plan)).toEqual(['image-gone', 'requests-differ']);
  });

  it('is refused where it is none, or one of something else', async () => {
    const { own } = withRun({ spec: { ...earlierRun().spec, name: 'other' } });
    await expect(baselineOf(own, 'record:nowhere')).rejects.toThrow(
      new UsageError(
        `The baseline record:nowhere is not there. Name a run.json or a run's folder; looked for ${own.folder}/bench/nowhere.`,
      ),
    );
    await expect(baselineOf(own, 'record:old')).rejects.toThrow('The baseline record:old holds no run.json. ');
    await expect(baselineOf(own, 'record:old/one')).rejects.toThrow(
      new UsageError(
        'The baseline record:old/one is a run of the spec `other`, and this is `rest-api`: their numbers have nothing to do with each other.',
      ),
    );
    own.write({ 'bench/old/cut/run.json': '{"schemaVersion": 1' });
    await expect(baselineOf(own, 'record:old/cut')).rejects.toThrow(/^old\/cut ends in the middle/);
  });
});

describe('stored and none', () => {
  it('are the numbers of the nearest earlier run, and nothing', async () => {
    const { own, base } = branched();
    const history = temporaryFolder();
    keepRun(history, earlierRun({ id: 'one', source: { ...earlierRun().source, sha: base } }));
    keepRun(history, earlierRun({ id: 'of-another-line', startedAt: '2026-11-21T00:00:00.000Z' }));
    expect(await baselineOf(own, 'stored', { history })).toMatchObject({ kind: 'stored', record: { id: 'one' } });
    expect(await baselineOf(own, 'stored')).toMatchObject({ kind: 'first', warnings: [{ code: 'no-earlier-run' }] });
    expect(await baselineOf(own, 'none')).toEqual({ kind: 'none' });
  });

  it('are nothing to pass by where all earlier runs are of another line, as where the base was pushed away', async () => {
    const { own } = branched();
    const history = temporaryFolder();
    keepRun(history, earlierRun({ id: 'pushed-over' }));
    const plan = await baselineOf(own, 'stored', { history });
    expect(plan).toMatchObject({
      kind: 'first',
      warnings: [
        {
          code: 'earlier-runs-of-others',
          message: `Earlier runs of rest-api are in ${history}, and none of them is of the 1 commit before this one. Rebase, or name what to compare with: --baseline commit:REF or record:PATH`,
        },
      ],
    });
  });

  it('are no numbers of a run that measured less than this one, which is told', async () => {
    const { own, base } = branched();
    const history = temporaryFolder();
    const selection: Selection = { quick: true, only: null };
    keepRun(history, earlierRun({ id: 'quick', source: { ...earlierRun().source, sha: base }, selection }));
    const message = `Earlier runs of rest-api of a commit that this one grew from in ${history} measured only a part (\`quick\`, or another \`only\`): a first measurement of the rest. Run it once in full to have a baseline.`;
    expect(await baselineOf(own, 'stored', { history })).toMatchObject({
      kind: 'first',
      warnings: [{ code: 'no-earlier-run', message }],
    });
    const quick = await baselineOf(own, 'stored', { history, selection });
    expect(quick).toMatchObject({ kind: 'stored', record: { id: 'quick' } });
  });
});

describe('a pull request', () => {
  it('cannot choose its baseline by its own spec', async () => {
    const own = newRepository();
    const main = own.commit({ 'bench/wrkbench.yml': specText() });
    own.git('checkout', '--quiet', '-b', 'feature');
    own.commit({ 'bench/wrkbench.yml': specText({ more: 'gate: {baseline: none}\n' }) });
    own.git('checkout', '--quiet', '--detach', 'main');
    own.git('merge', '--quiet', '--no-ff', 'feature');
    const workflow = { event: 'pull_request', sha: own.git('rev-parse', 'HEAD') };
    const plan = await builtOf(own, 'none', { workflow, phraseFrom: 'spec' });
    expect(plan.origin.sha).toBe(main);
    expect(plan.warnings[0]).toEqual({
      code: 'baseline-of-base',
      message: 'This pull request sets gate.baseline to none; until it is merged, auto holds, as its base has it.',
    });
    expect(await baselineOf(own, 'none', { workflow, phraseFrom: 'call' })).toEqual({ kind: 'none' });
  });

  it('cannot loosen its gate where the baseline is an image', async () => {
    const own = newRepository();
    const more = (limit: string) => specText({ more: `gate: {throughput: {max-decrease: ${limit}}}\n` });
    own.commit({ 'bench/wrkbench.yml': more('1%') });
    own.git('checkout', '--quiet', '-b', 'feature');
    own.commit({ 'bench/wrkbench.yml': more('90%') });
    const limitOf = async (workflow: Partial<WorkflowFacts>) =>
      (await builtOf(own, 'image:acme/go:1', { workflow })).gate.metrics.throughput;
    expect(await limitOf({ event: 'pull_request' })).toEqual({ maxDecrease: { kind: 'ratio', value: 0.01 } });
    expect(await limitOf({})).toEqual({ maxDecrease: { kind: 'ratio', value: 0.9 } });
  });
});

describe('a pull request whose base cannot be read', () => {
  /** A merge of `spec` into a base, at depth 1. */
  function shallowMerge(spec: string): { shallow: Author; workflow: Partial<WorkflowFacts>; main: string } {
    const own = newRepository();
    const main = own.commit({ 'bench/wrkbench.yml': specText() });
    own.git('checkout', '--quiet', '-b', 'feature');
    own.commit({ 'bench/wrkbench.yml': spec });
    own.git('checkout', '--quiet', 'main');
    own.git('merge', '--quiet', '--no-ff', 'feature');
    const shallow = cloneOf(own, '--depth=1');
    return { shallow, main, workflow: { event: 'pull_request', sha: shallow.git('rev-parse', 'HEAD') } };
  }
  const hint = (main: string) =>
    `The checkout is shallow, and ${short(main)}, first parent of the merge commit, is not in it. Fetch one commit more: \`fetch-depth: 2\` for actions/checkout, or by hand: git fetch --deepen=1`;

  it('is not held against what it chose itself', async () => {
    const { shallow, workflow, main } = shallowMerge(specText({ more: 'gate: {baseline: none}\n' }));
    const plan = await baselineOf(shallow, 'none', { workflow, phraseFrom: 'spec', history: temporaryFolder() });
    expect(plan.kind).toBe('first');
    expect(plan).toMatchObject({
      warnings: [
        {
          code: 'baseline-of-base-unknown',
          message: `This pull request sets gate.baseline to none; auto is taken, since what its base has cannot be read. ${hint(main)}`,
        },
        {
          code: 'limits-of-pull-request',
          message: `The limits are this pull request's own, since those of its base cannot be read. ${hint(main)}`,
        },
        { code: 'shallow-checkout' },
        { code: 'no-earlier-run' },
      ],
    });
  });

  it('is held against the image that a call names, by its own limits, and says so', async () => {
    const { shallow, workflow } = shallowMerge(specText());
    expect(codes(await builtOf(shallow, 'image:acme/go:1', { workflow }))).toEqual(['limits-of-pull-request']);
  });

  it('is held against an earlier run by the limits of that, and has nothing to say', async () => {
    const { shallow, workflow, main } = shallowMerge(specText());
    const history = temporaryFolder();
    keepRun(history, earlierRun({ id: 'one', source: { ...earlierRun().source, sha: main } }));
    const plan = await builtOf(shallow, 'auto', { workflow, phraseFrom: 'spec', history });
    expect(codes(plan)).not.toContain('limits-of-pull-request');
    expect(plan.gate.metrics.throughput).toEqual({ maxDecrease: { kind: 'ratio', value: 0.02 } });
  });

  it('falls back the same way where the spec of the base has mistakes', async () => {
    const own = newRepository();
    const main = own.commit({ 'bench/wrkbench.yml': 'nme: rest-api\n' });
    own.git('checkout', '--quiet', '-b', 'feature');
    own.commit({ 'bench/wrkbench.yml': specText({ more: 'gate: {baseline: none}\n' }) });
    own.git('checkout', '--quiet', '--detach', 'main');
    own.git('merge', '--quiet', '--no-ff', 'feature');
    const workflow = { event: 'pull_request', sha: own.git('rev-parse', 'HEAD') };
    const plan = await baselineOf(own, 'none', { workflow, phraseFrom: 'spec', history: temporaryFolder() });
    expect(codes(plan)).toEqual([
      'baseline-of-base-unknown',
      'limits-of-pull-request',
      'wrong-baseline-spec',
      'no-earlier-run',
    ]);
    expect(plan).toMatchObject({
      warnings: [
        {
          message: `This pull request sets gate.baseline to none; auto is taken, since what its base has cannot be read. The spec of the baseline, bench/wrkbench.yml in commit ${short(main)}, is not valid.`,
        },
        {},
        {},
        {},
      ],
    });
  });

  it('that adds the first spec is a first measurement by that spec', async () => {
    const own = newRepository();
    own.commit({ readme: '' });
    own.git('checkout', '--quiet', '-b', 'feature');
    own.commit({ 'bench/wrkbench.yml': specText({ more: 'gate: {baseline: none}\n' }) });
    own.git('checkout', '--quiet', '--detach', 'main');
    own.git('merge', '--quiet', '--no-ff', 'feature');
    const workflow = { event: 'pull_request', sha: own.git('rev-parse', 'HEAD') };
    expect(await baselineOf(own, 'none', { workflow, phraseFrom: 'spec' })).toEqual({ kind: 'none' });
    expect(codes(await baselineOf(own, 'auto', { workflow, phraseFrom: 'spec' }))).toEqual(['no-baseline-spec']);
  });
});

describe('where the images of a candidate are built', () => {
  it('is a clean checkout of its commit, without the repository, as for the baseline', async () => {
    const { own } = branched();
    own.commit({ '.gitignore': 'node_modules/\n' });
    own.write({ 'bench/node_modules/x': '' });
    const plan = await builtOf(own, 'auto');
    const folder = plan.candidateBuildDirectory!;
    expect(readdirSync(folder).sort()).toEqual(['init.sql', 'wrkbench.yml']);
    expect(readFileSync(join(folder, 'wrkbench.yml'), 'utf8')).toBe(specText({ env: '2', path: '/pong' }));
    for (const side of [folder, plan.specDirectory]) expect(existsSync(join(side, '../.git'))).toBe(false);
    expect(codes(plan)).not.toContain('ignored-in-context');
    await plan.release();
    expect(existsSync(folder)).toBe(false);
    expect(own.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('is its own folder where that is more than its commit, and then what git ignores is told', async () => {
    const { own } = branched();
    own.commit({ '.gitignore': 'node_modules/\n/above\n' });
    own.write({ 'bench/node_modules/x': '', above: '', 'bench/init.sql': 'SELECT 2;' });
    const plan = await builtOf(own, 'auto');
    expect(plan.candidateBuildDirectory).toBeNull();
    expect(plan.warnings.filter(({ code }) => code === 'ignored-in-context')).toEqual([
      {
        code: 'ignored-in-context',
        message:
          "The candidate's image of go is built with what git ignores (bench/node_modules/), the baseline's without: it comes from a clean checkout. Name in .dockerignore what no image needs, or commit your changes before the run.",
      },
    ]);
    own.write({ 'bench/.dockerignore': 'node_modules\n' });
    expect(codes(await builtOf(own, 'auto'))).not.toContain('ignored-in-context');
  });

  it('is its own folder for processes, and where nothing is built', async () => {
    const { own } = branched();
    expect((await builtOf(own, 'auto', { runtime: 'process' })).candidateBuildDirectory).toBeNull();
    own.commit({ 'bench/wrkbench.yml': specText().replace('build: .', 'image: acme/go') });
    expect((await builtOf(own, 'auto')).candidateBuildDirectory).toBeNull();
  });
});

describe('whether there is anything to measure', () => {
  const prepared = (artifact: string) => [{ service: 'go', artifact, failure: null }];

  it('is told by images, specs and the contents of init files', async () => {
    const { own } = branched();
    own.git('checkout', '--quiet', 'main');
    const plan = await builtOf(own, 'commit:main');
    expect(await plan.sameOnBothSides(prepared(IMAGE_ID), prepared(IMAGE_ID))).toMatchObject({
      code: 'same-on-both-sides',
    });
    expect(await plan.sameOnBothSides(prepared(IMAGE_ID), prepared(`sha256:${'4'.repeat(64)}`))).toBeNull();
    own.write({ 'bench/init.sql': 'SELECT 2;' });
    expect(await plan.sameOnBothSides(prepared(IMAGE_ID), prepared(IMAGE_ID))).toBeNull();
  });

  it('is not told by the same images where the candidate has fewer cases', async () => {
    const { own } = branched();
    own.git('checkout', '--quiet', 'main');
    const text = readFileSync(join(own.folder, 'bench/wrkbench.yml'), 'utf8');
    const connections = (of: string) => text.replace(/load:.*/, `load: {wrk: {connections: ${of}, keep-alive: on}}`);
    own.commit({ 'bench/wrkbench.yml': connections('[10, 1000]') });
    own.write({ 'bench/wrkbench.yml': connections('[10]') });
    const plan = await builtOf(own, 'commit:main');
    expect(plan.missing.map(({ key }) => key)).toEqual(['go/ping/direct/wrk/keep-alive/1000']);
    expect(await plan.sameOnBothSides(prepared(IMAGE_ID), prepared(IMAGE_ID))).toBeNull();
  });

  it('is told for processes by clean trees', async () => {
    const { own } = branched();
    own.git('checkout', '--quiet', 'main');
    const same = async () => {
      const plan = await builtOf(own, 'commit:main', { runtime: 'process' });
      return await plan.sameOnBothSides(prepared('./go'), prepared('./go'));
    };
    expect(await same()).toMatchObject({ code: 'same-on-both-sides' });
    own.write({ 'main.go': '' });
    expect(await same()).toBeNull();
  });

  it('is not told by clean trees where processes run among files that git ignores', async () => {
    const { own } = branched();
    own.commit({ '.gitignore': '.env\n' });
    const plan = await builtOf(own, 'commit:HEAD', { runtime: 'process' });
    expect(await plan.sameOnBothSides(prepared('./go'), prepared('./go'))).not.toBeNull();
    own.write({ 'bench/.env': 'FAST=1' });
    const now = await builtOf(own, 'commit:HEAD', { runtime: 'process' });
    expect(await now.sameOnBothSides(prepared('./go'), prepared('./go'))).toBeNull();
  });

  it('is not told by a record that left out a secret', async () => {
    const own = newRepository();
    const spec = specText().replace('LEVEL:', 'PASSWORD_HASH_ROUNDS:').replace('database: {init: [init.sql]}\n', '');
    own.commit({ 'bench/wrkbench.yml': spec });
    const recorded = redactedSpec(readSpec(spec, 'x'));
    keepRun(join(own.folder, 'bench/old'), earlierRun({ id: 'one', spec: recorded }));
    const plan = await builtOf(own, 'record:old/one', { images: [IMAGE_ID] });
    expect(codes(plan)).toEqual(['redacted-environment']);
    expect(await plan.sameOnBothSides(prepared(IMAGE_ID), prepared(IMAGE_ID))).toBeNull();
    const open = readSpec(spec, 'x');
    keepRun(join(own.folder, 'bench/old'), earlierRun({ id: 'two', spec: open }));
    const told = await builtOf(own, 'record:old/two', { images: [IMAGE_ID] });
    expect(await told.sameOnBothSides(prepared(IMAGE_ID), prepared(IMAGE_ID))).not.toBeNull();
  });
});
