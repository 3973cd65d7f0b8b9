import { describe, expect, it } from 'vitest';
import { all, FOLDERS, jobsOf, stepsOf, type Workflow } from './given.ts';

/** What our own action and workflows are named by before the first release: CONTRIBUTING.md, A release. */
const NO_COMMIT = '0'.repeat(40);

const usedBy = (workflow: Workflow): string[] =>
  [...jobsOf(workflow).map(([, { uses }]) => uses), ...stepsOf(workflow).map(({ uses }) => uses)].filter(
    (uses) => uses !== undefined,
  );
const isOwn = (uses: string) => /^wrkbench\/wrkbench[/@]/.test(uses);
const pinOf = (uses: string) => /@(.*)$/.exec(uses)?.[1];

describe.each(all)('%s', (_, workflow) => {
  it('pins every action and workflow of others by commit', () => {
    for (const uses of usedBy(workflow)) {
      expect(uses).toMatch(/^(?:\.\/.*|[^@]+@[0-9a-f]{40})$/);
      if (!isOwn(uses)) expect(pinOf(uses)).not.toBe(NO_COMMIT);
    }
  });
});

describe.each(FOLDERS)('what is our own in %s', (folder) => {
  const pins = new Set(
    all
      .filter(([path]) => path.startsWith(`${folder}/`))
      .flatMap(([, workflow]) => usedBy(workflow).filter(isOwn).map(pinOf)),
  );
  it('is named by one commit, or by none before the first release', () => {
    expect(pins.size).toBe(1);
  });
});
