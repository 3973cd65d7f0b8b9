// needs: actionlint
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const files = ['.github/workflows', 'workflows'].flatMap((folder) =>
  readdirSync(folder).map((name) => path.join(folder, name)),
);

function program(name: string): string {
  const places = [path.join(homedir(), '.cache/wrkbench/bin', name), path.join(homedir(), 'go/bin', name)];
  return places.find((place) => existsSync(place)) ?? name;
}

describe('the workflows and starters', () => {
  it('are what actionlint takes without a word', () => {
    const said = execFileSync(program('actionlint'), ['-no-color', '-shellcheck=', '-pyflakes=', ...files], { encoding: 'utf8' });
    expect(said).toBe('');
  });
});
