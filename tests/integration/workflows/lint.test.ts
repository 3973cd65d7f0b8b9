// needs: actionlint, zizmor
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

interface Finding {
  ident: string;
  locations: { symbolic: { key: { Local: { verbatim_path: string } } } }[];
}

const files = ['.github/workflows', 'workflows'].flatMap((folder) =>
  readdirSync(folder).map((name) => path.join(folder, name)),
);

function program(name: string): string {
  const places = [path.join(homedir(), '.cache/wrkbench/bin', name), path.join(homedir(), 'go/bin', name)];
  return places.find((place) => existsSync(place)) ?? name;
}

describe('the workflows and starters', () => {
  it('are what actionlint takes without a word', () => {
    const said = execFileSync(program('actionlint'), ['-no-color', '-shellcheck=', '-pyflakes=', ...files], {
      encoding: 'utf8',
    });
    expect(said).toBe('');
  });

  it('hold nothing dangerous but the two triggers that the threat model argues', () => {
    const asked = ['--offline', '--no-progress', '--format', 'json', '--min-severity', 'low', ...files];
    const { stdout } = spawnSync(program('zizmor'), asked, { encoding: 'utf8' });
    const found = JSON.parse(stdout) as Finding[];
    const named = found.map(({ ident, locations }) => {
      const [{ symbolic }] = locations as [Finding['locations'][0]];
      return `${ident} ${path.basename(symbolic.key.Local.verbatim_path)}`;
    });
    expect([...new Set(named)].sort()).toEqual(['dangerous-triggers accept.yml', 'dangerous-triggers tell.yml']);
  });
});
