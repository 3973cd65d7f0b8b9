import { describe, expect, it } from 'vitest';
import type { Forge } from '../../../src/app/ports/forge.ts';
import { specsAt } from '../../../src/app/posting/base-specs.ts';
import { leastWith } from '../config/specs.ts';

describe('what a run is measured with', () => {
  it('includes what goes with the scripts, as the base has it', async () => {
    const files: Record<string, string> = {
      'bench/wrkbench.yml': leastWith('load: {k6: {script: load.js}, wrk: {script: paths.lua}}\n'),
      'bench/load.js': "import './lib/a.js'; const users = open('./users.json');",
      'bench/lib/a.js': "const more = open('more.txt');",
      'bench/lib/more.txt': '',
      'bench/users.json': '[]',
      'bench/paths.lua': 'io.open("paths.txt")',
      'bench/paths.txt': '',
      'src/main.js': '',
    };
    const forge = {
      filesAt: async () => Object.keys(files),
      textAt: async (path: string) => files[path] ?? null,
    } as unknown as Forge;
    const { scripts, unread } = await specsAt('a'.repeat(40), ['bench/wrkbench.yml'], forge, () => undefined);
    expect(unread).toBeNull();
    expect(scripts.sort()).toEqual([
      'bench/lib/a.js',
      'bench/lib/more.txt',
      'bench/load.js',
      'bench/paths.lua',
      'bench/paths.txt',
      'bench/users.json',
    ]);
  });
});
