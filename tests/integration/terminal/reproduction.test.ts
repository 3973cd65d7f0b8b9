// needs: nothing
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reproduceCommands } from '../../../src/core/report/comparison/reproduction.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const made = madeUpRecord({ cases: [{}] });

/** What a shell hands to the command as its spec. */
function specOfShell(specPath: string): string {
  const line = reproduceCommands({ ...made, source: { ...made.source, specPath } }).at(-1)!;
  const script = `cd /; wrkbench() { printf '%s' "$2"; }; ${line}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' });
}

it('gives the path of a spec to a shell as one word, whatever stands in it', () => {
  const letters = fc.constantFrom(...`a/-.'"\\$()\`;&|<>*?[]{}~#!= é`);
  const path = fc
    .array(letters, { minLength: 1, maxLength: 12 })
    .map((parts) => `x${parts.join('').replaceAll(/ +/g, ' ')}y`);
  fc.assert(
    fc.property(path, (specPath) => {
      fc.pre(!specPath.split('/').includes('..'));
      expect(specOfShell(specPath)).toBe(specPath);
    }),
    { numRuns: 150 },
  );
  expect(specOfShell('-x $(id).yml')).toBe('./-x $(id).yml');
});

it('gives the glob of cases to a shell as one word, whatever stands in it', () => {
  const letters = fc.constantFrom(...`a/-.'"\\$()\`;&|<>*?[]{}~#!=é`);
  const glob = fc.array(letters, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(glob, (only) => {
      const line = reproduceCommands({ ...made, selection: { quick: false, only } }).at(-1)!;
      const script = `cd /; wrkbench() { for word; do case $word in --only=*) printf '%s' "\${word#--only=}";; esac; done; }; ${line}`;
      expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(only);
    }),
    { numRuns: 150 },
  );
});
