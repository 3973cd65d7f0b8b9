import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../../src/core/record/run-record.ts';
import { reproduceCommands } from '../../../../src/core/report/comparison/reproduction.ts';
import { madeUpRecord } from '../../../support/made-up/run-record.ts';

const SHA = '9d1e7b2c44f0a35be2f8a4d07e5c1b6a3f90d812';
const made = madeUpRecord({ seed: 71, cases: [{}] });

function commands(source: Partial<RunRecord['source']>, changes: Partial<RunRecord> = {}): string[] {
  return reproduceCommands({ ...made, ...changes, source: { ...made.source, ...source } });
}

const BASELINE = 'commit:3f2c1ab90e6d4b7785c1d2e3f4a5b6c7d8e9f001';
const run = (spec: string) => `wrkbench run ${spec} --out again --baseline ${BASELINE} --seed 71`;

describe('the commands that measure again', () => {
  it("bring a pull request's commit, which no clone has", () => {
    const whole = [`git fetch origin ${SHA}`, `git checkout ${SHA}`, run('wrkbench.yml')];
    expect(commands({})).toEqual(whole);
    expect(commands({ pullRequest: null })).toEqual(whole);
    expect(commands({ ref: 'refs/heads/roles' })).toEqual(whole);
  });

  it('take what a clone has as it is', () => {
    const pushed = { pullRequest: null, ref: 'refs/heads/main' };
    expect(commands(pushed)).toEqual([`git checkout ${SHA}`, run('wrkbench.yml')]);
    expect(commands({ ...pushed, sha: null })).toEqual([run('wrkbench.yml')]);
    expect(commands({ sha: 'main; id' })).toEqual([run('wrkbench.yml')]);
  });

  it('name the spec where the record knows it', () => {
    expect(commands({ specPath: 'bench/api.yml' }).at(-1)).toBe(run('bench/api.yml'));
    expect(commands({ specPath: "my bench/$(id) it's.yml" }).at(-1)).toBe(run("'my bench/$(id) it'\\''s.yml'"));
    expect(commands({ specPath: '--runtime.yml' }).at(-1)).toBe(run('./--runtime.yml'));
  });

  it.each(['', '/etc/passwd', '../other/wrkbench.yml', 'a\nid', 'a\u202eb.yml', 'a\u0007.yml', 'x'.repeat(201)])(
    'take %j for no path of a spec',
    (specPath) => {
      expect(commands({ specPath }).at(-1)).toBe(run('wrkbench.yml'));
    },
  );

  it('compare with nothing where there was nothing', () => {
    const { comparing: _, ...alone } = made;
    const source = { ...made.source, pullRequest: null, ref: null };
    expect(reproduceCommands({ ...alone, source })).toEqual([
      `git checkout ${SHA}`,
      'wrkbench run wrkbench.yml --out again --seed 71',
    ]);
  });

  it('measure in the same way, and the same cases', () => {
    const line = (changes: Partial<RunRecord>) => commands({}, changes).at(-1);
    const own = (part: string) => run(`wrkbench.yml`).replace(' --baseline', `${part} --baseline`);
    const environment = { ...made.environment, runtime: 'process' as const };
    expect(line({ environment })).toBe(own(' --runtime process'));
    expect(line({ environment, selection: { quick: true, only: null } })).toBe(own(' --runtime process --quick'));
    expect(line({ selection: { quick: false, only: '*/ping/*' } })).toBe(own(" --only='*/ping/*'"));
    expect(line({ selection: { quick: true, only: "-x'; id" } })).toBe(own(" --quick --only='-x'\\''; id'"));
  });

  it.each(['', 'a\nid', 'a\u202eb', 'x'.repeat(201)])('take %j for no glob of cases', (only) => {
    expect(commands({}, { selection: { quick: false, only } }).at(-1)).toBe(run('wrkbench.yml'));
  });
});
