// needs: actionlint, zizmor
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

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

/** Kind and file of each finding, once. */
function foundBy(...options: string[]): string[] {
  const asked = ['--offline', '--no-progress', '--persona=regular', '--strict-collection', '--format=json'];
  const { ZIZMOR_CONFIG: _, ...env } = process.env;
  const { stdout } = spawnSync(program(ZIZMOR), [...asked, ...options, ...files], { encoding: 'utf8', env });
  const named = (JSON.parse(stdout) as Finding[]).map(({ ident, locations }) => {
    const [{ symbolic }] = locations as [Finding['locations'][0]];
    return `${ident} ${path.basename(symbolic.key.Local.verbatim_path)}`;
  });
  return [...new Set(named)].sort();
}

describe('the workflows and starters', () => {
  it('are what actionlint takes without a word, and without being told to keep quiet', () => {
    const asked = ['-no-color', '-shellcheck=', '-pyflakes=', ...files];
    expect(execFileSync(program(ACTIONLINT), asked, { encoding: 'utf8' })).toBe('');
    expect(['.yaml', '.yml'].filter((ending) => existsSync(`.github/actionlint${ending}`))).toEqual([]);
  });

  it('hold nothing dangerous but the two triggers that the threat model argues', () => {
    expect(foundBy()).toEqual(['dangerous-triggers accept.yml', 'dangerous-triggers report.yml']);
  });

  it('hide nothing else: what is switched off is one rule, which the threat model argues too', () => {
    expect(parse(readFileSync('.github/zizmor.yml', 'utf8'))).toEqual({
      rules: { 'self-repository': { disable: true } },
    });
    expect(foundBy('--no-config', '--no-ignores')).toEqual([
      'dangerous-triggers accept.yml',
      'dangerous-triggers report.yml',
      'self-repository smoke.yml',
    ]);
  });
});

describe('the threat model', () => {
  it('argues each of them', () => {
    const model = readFileSync('docs/threat-model.md', 'utf8');
    const argued = model.slice(model.indexOf('## Privileged triggers'));
    for (const name of ['`workflow_run` (report.yml)', '`pull_request_target` (accept.yml)', '`self-repository`'])
      expect(argued).toContain(name);
  });
});
