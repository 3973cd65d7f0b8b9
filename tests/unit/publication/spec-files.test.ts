import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newestRun, specFiles, specFilesAfter, specNames } from '../../../src/core/publication/spec-files.ts';

const SHA = 'ab'.repeat(20);
const id = (number: number) => `202611${String(10 + number)}-092802-00000${number}`;
const run = (number: number, spec = 'api', by = '') => `wrkbench/${spec}/runs/2026-11/${id(number)}${by}.${SHA}.json`;
const hidden = (number: number, spec = 'api') => `wrkbench/${spec}/hidden/${id(number)}`;
const aside = (number: number) => `wrkbench/api/set-aside/${id(number)}.run-7.${SHA}.json`;
const others = [
  'index.html',
  'wrkbench/index.html',
  'wrkbench/api/manifest.json',
  'wrkbench/api/runs/2026-11/notes.json',
];

describe('what the branch holds of a spec', () => {
  it('is read from its paths, in order', () => {
    const paths = [...others, run(2), run(1, 'api', '.run-7'), run(3, 'web'), hidden(2), hidden(3, 'web'), aside(4)];
    const series = ['wrkbench/api/series/2026-11-2.json', 'wrkbench/api/series/2026-11.json'];
    expect(specFiles([...paths, ...series], 'api')).toEqual({
      runs: [
        { path: run(1, 'api', '.run-7'), specName: 'api', id: id(1), sha: SHA, workflowRun: 7 },
        { path: run(2), specName: 'api', id: id(2), sha: SHA, workflowRun: null },
      ],
      pieces: [
        { path: series[1], month: '2026-11', number: 1 },
        { path: series[0], month: '2026-11', number: 2 },
      ],
      hidden: [id(2)],
      setAside: [id(4)],
    });
  });

  it('is the same after a change, whether it is worked out or read anew', () => {
    const numbers = [1, 2, 3, 4, 5];
    const all = [...numbers.flatMap((each) => [run(each), hidden(each), aside(each), run(each, 'web')]), ...others];
    const some = fc.subarray(all);
    fc.assert(
      fc.property(some, some, some, fc.subarray(numbers), (there, write, remove, moved) => {
        const move = moved
          .filter((each) => there.includes(run(each)))
          .map((each) => ({ from: run(each), to: aside(each), blob: '' }));
        const taken = remove.filter((path) => !write.includes(path) && move.every(({ to }) => to !== path));
        const gone = new Set([...taken, ...move.map(({ from }) => from)]);
        const written = write.filter((path) => !gone.has(path));
        const change = { write: written.map((path) => ({ path, content: '' })), move, remove: taken };
        const after = new Set([...there.filter((path) => !gone.has(path)), ...move.map(({ to }) => to), ...written]);
        const [worked, read] = [specFilesAfter(specFiles(there, 'api'), 'api', change), specFiles([...after], 'api')];
        // What hides a run, and what was set aside, has no order.
        for (const files of [worked, read]) for (const ids of [files.hidden, files.setAside]) ids.sort();
        expect(worked).toEqual(read);
      }),
      { seed: 20261123 },
    );
  });
});

describe('the newest run', () => {
  it('is the newest that nobody has hidden', () => {
    const newest = (paths: string[]) => newestRun(specFiles(paths, 'api'))?.id ?? null;
    expect(newest([run(3), run(1), run(2), hidden(3)])).toBe(id(2));
    expect(newest([run(3), hidden(3), run(5, 'web')])).toBeNull();
  });
});

describe('the specs of a branch', () => {
  it('are those that it holds runs of, by name', () => {
    expect(specNames([...others, run(1, 'web'), run(1), run(2), hidden(1, 'gone'), run(2, 'web')])).toEqual([
      'api',
      'web',
    ]);
  });

  it('are those of which it holds a manifest alone, too', () => {
    const foreign = [
      'manifest.json',
      'wrkbench/manifest.json',
      'wrkbench/a/b/manifest.json',
      'wrkbench/A/manifest.json',
    ];
    expect(specNames([...foreign, 'wrkbench/web/manifest.json', ...others])).toEqual(['api', 'web']);
  });
});
