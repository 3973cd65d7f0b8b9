import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from '../../../src/core/format/shell-word.ts';

it.each(['out', '/home/someone/my projects/wrkbench', "it's", '$HOME `id` "x" \\', '', '*.yml', 'a\nb'])(
  'a shell reads %j as one word',
  (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
  },
);

it('leaves alone what needs no quotes', () => {
  expect(shellWord('/srv/api-2/wrkbench.yml')).toBe('/srv/api-2/wrkbench.yml');
});
