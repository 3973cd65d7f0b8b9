import { artifactName, readArtifactName } from '../../src/core/posting/artifact-name.ts';
import { isBranchName } from '../../src/core/publication/branch-name.ts';
import { assertOwn, hidingChange, keepAll, publicationChange } from '../../src/core/publication/change.ts';
import { countedRuns, nearestRuns, placeOf, readPlace } from '../../src/core/publication/place.ts';
import { UserError } from '../../src/core/user-error.ts';
import type { Kind } from './kind.ts';
import { mutated, oneOf } from './mutation.ts';

const SHA = '3f2c1ab90e6d4b7785c1d2e3f4a5b6c7d8e9f001';
const NAMES = [
  `wrkbench/api/runs/2026-11/20261120-092802-0a1b2c.run-7301.${SHA}.json`,
  `wrkbench/api/runs/2026-11/20261120-092802-0a1b2c.${SHA}.json`,
  'wrkbench/a.b_c-d/runs/2026-11/20261120-092802-0a1b2c.no-commit.json',
  'wrkbench/api/hidden/20261120-092802-0a1b2c',
  `wrkbench/api/set-aside/20261120-092802-0a1b2c.run-7301.${SHA}.json`,
  'wrkbench-api+shard-2-of-4+attempt-2',
  'wrkbench/api/index.html',
];
const WORDS = [
  'wrkbench/',
  'api',
  '/runs/',
  '/hidden/',
  '..',
  '/',
  '.json',
  '.run-',
  '.no-commit',
  SHA,
  '\n',
  '-',
  '0',
];
const [published] = countedRuns([`wrkbench/api/runs/2026-11/20261121-000000-0a1b2c.run-1.${SHA}.json`], 'api');

/** Files of the data branch, and artifacts: whoever may push to the one or run a workflow names them. */
export function nameKind(): Kind {
  return {
    name: 'file-name',
    share: 20,
    input: (random) =>
      Array.from({ length: 1 + random.below(4) }, () => mutated(oneOf(NAMES, random), WORDS, random)).join('\0'),
    read: (input) => {
      const names = input.split('\0');
      const entries = names.map((path) => ({ path, blob: SHA }));
      let isOurs = false;
      for (const name of names) {
        const place = readPlace(name);
        isOurs ||= place !== null;
        if (place !== null && placeOf(place) === null) throw new Error('A place that is read cannot be written.');
        const own = place === null ? null : placeOf(place);
        if (own !== null && JSON.stringify(readPlace(own.path)) !== JSON.stringify(own)) {
          throw new Error('A place that is read is not written so.');
        }
        const artifact = readArtifactName(name);
        if (artifact !== null && artifactName(artifact) !== name && artifact.attempt > 1)
          throw new Error('An artifact is named otherwise.');
        isBranchName(name);
      }
      nearestRuns(countedRuns(names, 'api'), [SHA]);
      for (const retention of [keepAll, { count: 1, days: 1 }]) {
        const unreadable = names.flatMap((name) => readPlace(name) ?? []);
        const publication = {
          place: published!,
          content: '{}',
          unreadable,
          retention,
          squash: false,
          now: new Date('2026-11-22'),
        };
        const change = publicationChange(entries, publication);
        if (change !== null) assertOwn(change);
      }
      try {
        const hidden = hidingChange(entries, { specName: 'api', id: '20261120-092802-0a1b2c', reason: 'x' });
        if (hidden !== null) assertOwn(hidden);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
      }
      return isOurs;
    },
  };
}
