// needs: nothing
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { reproduceCommands } from '../../../src/core/report/comparison/reproduction.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const made = madeUpRecord({ cases: [{}] });

/** One shell for so many lines; starting one for each took twenty times as long as the rest. */
const LINES = 30;

/** What a shell hands to the command `wrkbench`, which `function` prints, in each of the lines. */
function handed(lines: readonly string[], body: string): string[] {
  const script = lines.map((line) => `(cd /; wrkbench() { ${body}; }; ${line}); printf '\\0'`).join('\n');
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

const linesOf = (changes: Partial<RunRecord>) => reproduceCommands({ ...made, ...changes }).at(-1)!;

it('gives the path of a spec to a shell as one word, whatever stands in it', () => {
  const letters = fc.constantFrom(...`a/-.'"\\$()\`;&|<>*?[]{}~#!= é`);
  const path = fc
    .array(letters, { minLength: 1, maxLength: 12 })
    .map((parts) => `x${parts.join('').replaceAll(/ +/g, ' ')}y`)
    .filter((specPath) => !specPath.split('/').includes('..'));
  const specsOfShell = (paths: readonly string[]) =>
    handed(
      paths.map((specPath) => linesOf({ source: { ...made.source, specPath } })),
      `printf '%s' "$2"`,
    );
  fc.assert(
    fc.property(fc.array(path, { minLength: LINES, maxLength: LINES }), (paths) => {
      expect(specsOfShell(paths)).toEqual(paths);
    }),
    { numRuns: 5 },
  );
  expect(specsOfShell(['-x $(id).yml'])).toEqual(['./-x $(id).yml']);
});

it('gives the glob of cases to a shell as one word, whatever stands in it', () => {
  const letters = fc.constantFrom(...`a/-.'"\\$()\`;&|<>*?[]{}~#!=é`);
  const glob = fc.array(letters, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
  const body = `for word; do case $word in --only=*) printf '%s' "\${word#--only=}";; esac; done`;
  fc.assert(
    fc.property(fc.array(glob, { minLength: LINES, maxLength: LINES }), (globs) => {
      const lines = globs.map((only) => linesOf({ selection: { quick: false, only } }));
      expect(handed(lines, body)).toEqual(globs);
    }),
    { numRuns: 5 },
  );
});
