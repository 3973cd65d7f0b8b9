// needs: engine, wrk, k6, postgres, go, linux
// seconds: 70
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchedRepository } from '../e2e/support/branched-repository.ts';
import { recordIn, start, wrkbench } from '../e2e/support/command.ts';
import { comparisonIn, httpSpec, imageWith, removeImagesAtEnd } from '../e2e/support/compared-runs.ts';
import { leftovers } from '../e2e/support/leftovers.ts';
import { IMAGES } from '../support/images.ts';
import { specFolder } from '../support/spec-folder.ts';
import { keepJournal } from './support/keep-journal.ts';

removeImagesAtEnd();

describe('wrkbench run with an anchor', () => {
  it('tells what has come together since the release, although the last step was none, and does not gate on it', async () => {
    const [before, now] = ['before', 'now'].map((name) =>
      imageWith(name, IMAGES.misbehaving, { HUGE_HEADER_BYTES: '1000', STEP: name }),
    ) as [string, string];
    // An exact count, which one round decides: what is shown here is the anchor, and not how CPU is judged.
    const limits = 'cpu-per-request: off, bytes-per-response: {max-increase: 0}';
    const folder = specFolder({
      'wrkbench.yml': httpSpec(now, `${limits}, budget: 120s, anchor: "image:${IMAGES.misbehaving}"`),
    });
    const { status, stdout } = await wrkbench(
      ['run', '--out', 'out', '--seed', '11', '--baseline', `image:${before}`],
      {
        cwd: folder,
      },
    );
    const out = path.join(folder, 'out');
    const { gate, anchor } = comparisonIn(out);
    expect(gate.regressions).toEqual([]);
    expect(gate.passed).toBe(true);
    expect(anchor?.baseline.origin).toContain(`image ${IMAGES.misbehaving}`);
    expect(anchor?.gate.regressions.map(({ caseKey, metric }) => [caseKey, metric])).toEqual([
      ['go/ping/direct/wrk/keep-alive/16', 'bytes-per-response'],
    ]);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/Since the anchor, image .*: .*answers with [\d,]+ B instead of \d+ B/);
    expect(readFileSync(path.join(out, 'report.md'), 'utf8')).toMatch(
      /\*\*Since the anchor\*\*, .*: Regression: `go · \/ping` answers with /,
    );
    expect(comparisonIn(path.join(out, 'anchor')).gate.regressions).toEqual(anchor?.gate.regressions);
    // Side by side on all CPUs, as the first comparison, and not on those that wrkbench kept to meanwhile.
    expect(anchor?.mode).toBe('duet');
    expect(recordIn(path.join(out, 'anchor')).environment.placement).toEqual(recordIn(out).environment.placement);
    expect(anchor?.warnings).toEqual([]);
    const again = await wrkbench(['report', 'out'], { cwd: folder });
    expect(again.stdout).toBe(readFileSync(path.join(out, 'report.md'), 'utf8'));
    expect(status).toBe(0);
    expect(leftovers(recordIn(out).id, folder)).toEqual([]);
    keepJournal('anchor', out, { status, stdout });
  });
});

describe('wrkbench run with an anchor that cannot be had', () => {
  it('warns before it measures, keeps its own verdict, and says in the report what was left out', async () => {
    const same = imageWith('same', IMAGES.misbehaving, { SAME: '1' });
    const folder = specFolder({
      'wrkbench.yml': httpSpec(same, 'cpu-per-request: off, budget: 6s, anchor: "commit:v9"'),
    });
    const running = start(['run', '--out', 'out', '--baseline', `image:${IMAGES.misbehaving}`], { cwd: folder });
    await running.prints(/The anchor commit:v9 is not a commit that is here, and will not be compared\./);
    expect(running.stderr).not.toContain('round 1');
    const { status, stdout } = await running.ended;
    const { warnings, anchor } = comparisonIn(path.join(folder, 'out'));
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The anchor commit:v9 was not compared with: The baseline commit:v9 names nothing\./),
    ]);
    expect(anchor).toBeUndefined();
    expect(stdout.replace(/\s+/g, ' ')).toContain('The anchor commit:v9 was not compared with');
    expect(status).toBe(0);
  });
});

describe('wrkbench run with a baseline that cannot be measured', () => {
  it('that will not start: its cases are invalid, the candidate is measured all the same, and the gate fails', async () => {
    const broken = imageWith('broken', IMAGES.misbehaving, { EXIT_AFTER: '1', NEVER_READY: '1' });
    const folder = specFolder({
      'wrkbench.yml': httpSpec(IMAGES.misbehaving, 'budget: 15s').replace(
        '{path: /ping}}',
        '{path: /ping, timeout: 2s}}',
      ),
    });
    const { status, stdout, stderr } = await wrkbench(['run', '--out', 'out', '--baseline', `image:${broken}`], {
      cwd: folder,
    });
    const out = path.join(folder, 'out');
    const record = recordIn(out);
    expect(stderr).toContain('baseline: go was asked for');
    expect(record.cases.find(({ variant }) => variant === 'candidate')?.metrics.throughput?.value).toBeGreaterThan(0);
    expect(comparisonIn(out).gate.invalid.map(({ caseKey }) => caseKey)).toEqual(['go/ping/direct/wrk/keep-alive/16']);
    expect(stdout).toMatch(/✗ Invalid: go · \/ping: baseline: [\s\S]*answers\s+with\s+status\s+503/);
    expect(status).toBe(1);
    expect(leftovers(record.id, folder)).toEqual([]);
    keepJournal('baseline-not-ready', out, { status, stdout });
  });

  it('whose image is not available: a sentence, exit status 1, and the candidate measured', async () => {
    const folder = specFolder({ 'wrkbench.yml': httpSpec(IMAGES.misbehaving, 'budget: 15s') });
    const { status, stdout, stderr } = await wrkbench(
      ['run', '--out', 'out', '--baseline', 'image:wrkbench-test/there-is-none:1'],
      { cwd: folder },
    );
    expect(stderr).toContain('wrkbench-test/there-is-none:1');
    expect(recordIn(path.join(folder, 'out')).cases.some(({ variant }) => variant === 'candidate')).toBe(true);
    expect(status).toBe(1);
    keepJournal('baseline-image-missing', path.join(folder, 'out'), { status, stdout });
  });

  it('beside a candidate that answers wrongly: invalid, never green', async () => {
    const wrong = imageWith('wrong', IMAGES.misbehaving, { WRONG_BODY_AFTER: '1' });
    const folder = specFolder({ 'wrkbench.yml': httpSpec(wrong, 'budget: 15s') });
    const { status, stdout } = await wrkbench(['run', '--out', 'out', '--baseline', `image:${IMAGES.misbehaving}`], {
      cwd: folder,
    });
    const { gate } = comparisonIn(path.join(folder, 'out'));
    expect(gate.invalid).toHaveLength(1);
    expect(gate.passed).toBe(false);
    expect([1, 4]).toContain(status);
    keepJournal('wrong-answers', path.join(folder, 'out'), { status, stdout });
  });
});

describe('wrkbench run with a baseline of a commit', () => {
  it('builds both sides, each from its own commit; a later commit that leaves the images alone is not measured', async () => {
    const folder = specFolder({
      // An exact count, which one round decides: what is shown here is what each side is built from.
      'wrkbench.yml': httpSpec(
        IMAGES.misbehaving,
        'cpu-per-request: off, bytes-per-response: {max-increase: 0}, budget: 120s',
      ).replace(`image: "${IMAGES.misbehaving}"`, 'build: {context: .}'),
      Dockerfile: `FROM ${IMAGES.misbehaving}\nENV HUGE_HEADER_BYTES=1\n`,
      '.dockerignore': '*\n',
      '.gitignore': 'out*\n',
    });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: folder })
        .toString()
        .trim();
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '.');
    git('commit', '--quiet', '--message', 'First');
    git('checkout', '--quiet', '-b', 'larger');
    writeFileSync(path.join(folder, 'Dockerfile'), `FROM ${IMAGES.misbehaving}\nENV HUGE_HEADER_BYTES=1000\n`);
    git('commit', '--quiet', '--all', '--message', 'Larger');
    const larger = git('rev-parse', 'HEAD');

    const first = await wrkbench(['run', '--out', 'out', '--baseline', 'auto', '--accept', '/ping=it signs now'], {
      cwd: folder,
    });
    const { baseline, gate } = comparisonIn(path.join(folder, 'out'));
    const base = git('rev-parse', 'main');
    expect(baseline.sha).toBe(base);
    expect(baseline.origin).toMatch(/merge-base with main/);
    expect(gate.accepted.map(({ metric, reason }) => [metric, reason])).toEqual([
      ['bytes-per-response', 'it signs now'],
    ]);
    expect(gate.passed).toBe(true);
    expect(first.stdout).toContain(base.slice(0, 7));
    expect(first.stdout).toContain('it signs now');
    expect(first.status).toBe(0);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);

    writeFileSync(path.join(folder, 'README.md'), 'words\n');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Words');
    const second = await wrkbench(['run', '--out', 'out2', '--baseline', `commit:${larger}`], { cwd: folder });
    expect(comparisonIn(path.join(folder, 'out2')).skipped?.message).toMatch(/same/);
    expect(second.status).toBe(0);
    keepJournal('accepted', path.join(folder, 'out'), first);
    keepJournal('same-images', path.join(folder, 'out2'), second);
  });

  it('builds database and dependencies of each side too, from the commit of that side, with the repository where one copies it', async () => {
    const limits = 'cpu-per-request: off, bytes-per-response: {max-increase: 0}, budget: 60s';
    const own = httpSpec(IMAGES.misbehaving, limits).replace(`image: "${IMAGES.misbehaving}"`, 'build: {context: .}');
    const dockerfile = (bytes: number) =>
      `FROM ${IMAGES.misbehaving}\nCOPY .git/HEAD /commit\nENV HUGE_HEADER_BYTES=${bytes}\n`;
    const folder = branchedRepository(
      {
        'wrkbench.yml': `${own}database: {build: {context: data}}\ndependencies: {cache: {build: {context: cache}, port: 6379}}\n`,
        'data/Dockerfile': `FROM ${IMAGES.postgres}\n`,
        'cache/Dockerfile': `FROM ${IMAGES.redis}\n`,
        Dockerfile: dockerfile(1),
        '.dockerignore': '*\n!.git/HEAD\n',
        '.gitignore': 'out*\n',
      },
      { Dockerfile: dockerfile(1000) },
    );
    const { status } = await wrkbench(['run', '--out', 'out', '--baseline', 'auto'], { cwd: folder });
    const { gate } = comparisonIn(path.join(folder, 'out'));
    expect(gate.invalid).toEqual([]);
    expect(gate.regressions.map(({ metric }) => metric)).toEqual(['bytes-per-response']);
    expect(status).toBe(1);
    expect(leftovers(recordIn(path.join(folder, 'out')).id, folder)).toEqual([]);
  });

  /** A branch of a repository whose main has `main`, and whose branch has a spec that builds. */
  const branchOf = (main: Record<string, string>) =>
    branchedRepository(main, { 'wrkbench.yml': built, Dockerfile: `FROM ${IMAGES.misbehaving}\n` });
  const built = httpSpec(IMAGES.misbehaving, 'budget: 10s').replace(`image: "${IMAGES.misbehaving}"`, 'build: .');

  it('that does not build: the candidate is measured, the reports say why it is alone, and it is no pass', async () => {
    const folder = branchOf({ 'wrkbench.yml': built, Dockerfile: `FROM ${IMAGES.misbehaving}\nCOPY nothing /\n` });
    const { status, stdout } = await wrkbench(['run', '--out', 'out', '--baseline'], { cwd: folder });
    const out = path.join(folder, 'out');
    const { unpaired, cases } = recordIn(out);
    expect(unpaired).toMatchObject({ wanted: 'auto', baseline: null, failed: true });
    expect(unpaired!.warnings.map(({ code }) => code)).toEqual(['baseline-not-built', 'no-earlier-run']);
    expect(cases.map(({ variant, status: valid }) => [variant, valid])).toEqual([['candidate', 'valid']]);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      "Not compared, so the gate fails: the baseline's go does not build: COPY failed: file not found",
    );
    expect(readFileSync(path.join(out, 'report.md'), 'utf8')).toContain('cannot be built from');
    expect(readFileSync(path.join(out, 'report.html'), 'utf8')).toContain('Not compared');
    expect(status).toBe(1);
    keepJournal('baseline-not-built', out, { status, stdout });
  });

  it('that had no spec yet: a first measurement, which passes and says what it is', async () => {
    const folder = branchOf({ 'README.md': 'words' });
    const { status, stdout } = await wrkbench(['run', '--out', 'out', '--baseline'], { cwd: folder });
    expect(recordIn(path.join(folder, 'out')).unpaired).toMatchObject({
      failed: false,
      warnings: [{ code: 'no-baseline-spec' }],
    });
    expect(stdout).toContain('First measurement: there is no baseline to compare with (auto).');
    expect(status).toBe(0);
    keepJournal('first-measurement', path.join(folder, 'out'), { status, stdout });
  });
});
