// needs: actionlint, zizmor
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/spec-folder.ts';

interface Finding {
  ident: string;
  locations: { symbolic: { key: { Local: { verbatim_path: string } } } }[];
}
interface Program {
  name: string;
  version: string;
}

const SETUP = fileURLToPath(new URL('../../../scripts/setup/', import.meta.url));
const { pinnedProgram } = (await import(`${SETUP}machine.mjs`)) as {
  pinnedProgram(name: string, version: string): string | null;
};
const { WORKFLOW_PROGRAMS } = (await import(`${SETUP}go-programs.mjs`)) as { WORKFLOW_PROGRAMS: Program[] };
const { ZIZMOR } = (await import(`${SETUP}zizmor.mjs`)) as { ZIZMOR: Program };
const ACTIONLINT = WORKFLOW_PROGRAMS.find(({ name }) => name === 'actionlint')!;

/** That of set-up, in the version that it pins: whatever lies on the PATH finds other things. */
function program({ name, version }: Program): string {
  const found = pinnedProgram(name, version);
  if (found === null) throw new Error(`${name} ${version} is not here: npm run setup brings it.`);
  return found;
}

const files = ['.github/workflows', 'workflows'].flatMap((folder) =>
  readdirSync(folder).map((name) => path.join(folder, name)),
);

/** A repository with these files, each changed so, and with the action. */
function repositoryOf(changed: (text: string) => string): string {
  const folder = temporaryFolder();
  execFileSync('git', ['init', '--quiet', folder]);
  for (const file of ['action.yml', 'dist/action.cjs', 'dist/post.cjs']) cpSync(file, path.join(folder, file));
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), changed(readFileSync(file, 'utf8')));
  }
  return folder;
}

/**
 * actionlint 1.7.12 takes `$/` for an action without a ref. `./` is the same folder here, and has it hold inputs and outputs
 * against action.yml and the called workflow as well.
 */
const forActionlint = (text: string) => text.replaceAll('uses: $/', 'uses: ./');

/** The starters as a release makes them: zizmor would rightly say of `@main` that it can be moved. */
const asReleased = (text: string) =>
  text.replaceAll(/(uses: wrkbench\/wrkbench\/\S+)@main$/gm, `$1@${'0'.repeat(40)} # v0.0.0`);

/** Kind and file of each finding, once. */
function foundBy(...options: string[]): string[] {
  const asked = ['--offline', '--no-progress', '--persona=regular', '--strict-collection', '--format=json'];
  const { ZIZMOR_CONFIG: _, ...env } = process.env;
  const { stdout } = spawnSync(program(ZIZMOR), [...asked, ...options, ...files], {
    cwd: repositoryOf(asReleased),
    encoding: 'utf8',
    env,
  });
  const named = (JSON.parse(stdout) as Finding[]).map(({ ident, locations }) => {
    const [{ symbolic }] = locations as [Finding['locations'][0]];
    return `${ident} ${path.basename(symbolic.key.Local.verbatim_path)}`;
  });
  return [...new Set(named)].sort();
}

/** What actionlint says of our workflows, each changed so. */
function saidOf(changed: (text: string) => string): string {
  const asked = ['-no-color', '-oneline', '-shellcheck=', '-pyflakes=', ...files];
  const { stdout, stderr } = spawnSync(program(ACTIONLINT), asked, { cwd: repositoryOf(changed), encoding: 'utf8' });
  return stdout + stderr;
}

describe('the workflows and starters', () => {
  it('are what actionlint takes without a word, and without being told to keep quiet', () => {
    expect(saidOf(forActionlint)).toBe('');
    expect(saidOf((text) => forActionlint(text).replace('task: plan', 'tasks: plan'))).toMatch(
      /^\.github\/workflows\/benchmark\.yml:\d+:\d+: input "tasks" is not defined in action "wrkbench"/,
    );
    expect(['.yaml', '.yml'].filter((ending) => existsSync(`.github/actionlint${ending}`))).toEqual([]);
  });

  it('differ from what actionlint gets in nothing else', () => {
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      expect(forActionlint(text).replaceAll('uses: ./', 'uses: $/')).toBe(text);
    }
  });

  it('hold nothing dangerous but the two triggers that the threat model argues, and hide nothing', () => {
    const found = ['dangerous-triggers accept.yml', 'dangerous-triggers report.yml'];
    expect(foundBy()).toEqual(found);
    expect(foundBy('--no-ignores')).toEqual(found);
    expect(
      ['.github/', ''].flatMap((folder) => [`${folder}zizmor.yml`, `${folder}zizmor.yaml`]).filter(existsSync),
    ).toEqual([]);
  });
});

describe('the threat model', () => {
  it('argues each of them', () => {
    const model = readFileSync('docs/threat-model.md', 'utf8');
    const argued = model.slice(model.indexOf('## Privileged triggers'));
    for (const name of ['`workflow_run` (report.yml)', '`pull_request_target` (accept.yml)'])
      expect(argued).toContain(name);
  });
});
