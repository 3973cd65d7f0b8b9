import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { all, calleeOf, jobsOf, OWN_ACTION, starters, stepsOf, type Workflow } from './given.ts';

/** Whose versions are whose: others' actions stay what they were when somebody looked at them, and our own go together. */

const usedBy = (workflow: Workflow): string[] =>
  [...jobsOf(workflow).map(([, { uses }]) => uses), ...stepsOf(workflow).map(({ uses }) => uses)].filter(
    (uses) => uses !== undefined,
  );
const isOwn = (uses: string) => uses === OWN_ACTION || calleeOf({ uses }) !== null;

/** With the comment behind it, which no parser of YAML gives. */
const writtenIn = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/^ *(?:- )?uses: (.+)$/gm)].map(([, written]) => written!);
const uncommented = (written: string) => written.replace(/ #.*/, '');

describe.each(all)('%s', (path, workflow) => {
  it('names every action of others by commit, with its version beside it', () => {
    const written = writtenIn(path);
    expect(written.map(uncommented).sort()).toEqual(usedBy(workflow).sort());
    for (const each of written)
      if (!isOwn(uncommented(each))) expect(each).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});

describe.each(all.filter((each) => !starters.includes(each)))('what is our own in %s', (_, workflow) => {
  it('is of the same commit', () => {
    for (const uses of usedBy(workflow).filter(isOwn)) expect(uses).toMatch(/^\$\//);
  });

  it('is a file that is there', () => {
    for (const uses of usedBy(workflow).filter(isOwn))
      expect([uses, uses === OWN_ACTION || calleeOf({ uses })?.[1] !== undefined]).toEqual([uses, true]);
  });
});

describe('the starters', () => {
  const written = starters.flatMap(([path]) => writtenIn(path));
  const refs = new Set(written.map((each) => each.slice(each.indexOf('@') + 1)));

  it('call nothing but our own workflows', () => {
    for (const each of written) expect(calleeOf({ uses: each })?.[1]).toBeDefined();
  });

  it('name one and the same commit of a release, or the main branch before the first one', () => {
    expect([...refs]).toEqual([expect.stringMatching(/^(?:main|[0-9a-f]{40} # v\d+\.\d+\.\d+)$/)]);
  });
});
