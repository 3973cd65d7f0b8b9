// needs: git
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/spec-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/pin.mjs', import.meta.url));
const REUSABLE = '.github/workflows';
const STARTERS = 'workflows';
const NO_COMMIT = '0'.repeat(40);

/** A repository with our workflows as they are before the first release, and a built action. */
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  for (const each of [REUSABLE, STARTERS]) {
    cpSync(each, path.join(folder, each), { recursive: true });
    for (const [file, text] of textsOf(each)) writeFileSync(path.join(folder, file), pinnedTo(text, NO_COMMIT));
  }
  mkdirSync(path.join(folder, 'dist'));
  writeFileSync(path.join(folder, 'dist/action.cjs'), '');
  git('init', '--quiet', '--initial-branch', 'main');
});

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder, encoding: 'utf8' });
function commit(): string {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'a step');
  return git('rev-parse', 'HEAD').trim();
}
const pin = (...args: string[]) => spawnSync(process.execPath, [SCRIPT, ...args], { cwd: folder, encoding: 'utf8' });

/** Path → text of each workflow of a folder. */
function textsOf(name: string): [string, string][] {
  return readdirSync(path.join(folder, name)).map((file) => {
    const inside = `${name}/${file}`;
    return [inside, readFileSync(path.join(folder, inside), 'utf8')];
  });
}
const OWN = /(?<=uses: wrkbench\/wrkbench\S*@)\S+/g;
const pinnedTo = (text: string, sha: string) => text.replaceAll(OWN, sha);
const ownPins = (name: string) => textsOf(name).flatMap(([, text]) => text.match(OWN) ?? []);

describe('the script that pins', () => {
  it('writes one round after the other: the action of a commit, then the workflows that name it', () => {
    const built = commit();
    const before = textsOf(STARTERS);
    expect(pin(REUSABLE)).toMatchObject({
      status: 0,
      stdout: '.github/workflows/benchmark.yml\n.github/workflows/report.yml\n',
    });
    expect(ownPins(REUSABLE)).toEqual([built, built, built, built, built]);
    expect(textsOf(STARTERS)).toEqual(before);

    const named = commit();
    expect(pin(STARTERS).status).toBe(0);
    expect(new Set(ownPins(STARTERS))).toEqual(new Set([named]));
    expect(textsOf(STARTERS)).toEqual(before.map(([file, text]) => [file, pinnedTo(text, named)]));
    expect(ownPins(REUSABLE)).toEqual([built, built, built, built, built]);
    expect(pin(STARTERS, named)).toMatchObject({ status: 0, stdout: '' });
  });

  it('names no workflows that name no action themselves', () => {
    const built = commit();
    expect(pin(STARTERS)).toMatchObject({
      status: 2,
      stderr: `.github/workflows/benchmark.yml of the commit ${built} names no action yet: pin .github/workflows first, and commit.\n`,
    });
    expect(new Set(ownPins(STARTERS))).toEqual(new Set([NO_COMMIT]));
  });

  it('names no commit that nobody has, and no action that is not built', () => {
    const absent = 'a'.repeat(40);
    expect(pin(REUSABLE, absent).stderr).toBe(`The commit ${absent} has no dist/action.cjs, or is not here.\n`);
    expect(pin(REUSABLE, 'v1').stderr).toBe('v1 is no commit: 40 hexadecimal digits are expected.\n');
    expect(pin('docs')).toMatchObject({
      status: 2,
      stderr: 'Expected one of .github/workflows, workflows, and a commit after it.\n',
    });
    expect(new Set(ownPins(REUSABLE))).toEqual(new Set([NO_COMMIT]));
  });
});
