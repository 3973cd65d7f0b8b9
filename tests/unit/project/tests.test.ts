import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

// Plain JavaScript, because it runs before anything is installed.
const SCRIPTS = fileURLToPath(new URL('../../../scripts/tests/', import.meta.url));
const script = <T>(path: string): Promise<T> => import(`${SCRIPTS}${path}`) as Promise<T>;

interface LeftOut {
  file: string;
  lacking: string[];
}
interface FullTest {
  file: string;
  seconds: number;
}
const { KNOWN_NEEDS, needsOf, testFiles, testsThatCannotRun } = await script<{
  KNOWN_NEEDS: string[];
  needsOf(file: string, source: string): string[];
  testFiles(root: string, folder: string): string[];
  testsThatCannotRun(root: string): LeftOut[];
}>('needs.mjs');
const { FULL, parted, partOf, partOfCommit, partsOf, secondsOf } = await script<{
  FULL: string;
  parted(files: FullTest[]): string[][];
  partOf(text: string, root: string, parts: number): number | null;
  partOfCommit(sha: string, parts: number): number;
  partsOf(root: string): string[][];
  secondsOf(source: string): number;
}>('parts.mjs');

describe('what the test files here need', () => {
  it('is read of every one, and each that cannot run lacks something that set-up knows', () => {
    for (const { file, lacking } of testsThatCannotRun('.')) {
      expect(lacking.length, file).toBeGreaterThan(0);
      expect(KNOWN_NEEDS, file).toEqual(expect.arrayContaining(lacking));
    }
  });

  it('stands in one of its first lines, for every file that starts something', () => {
    expect(needsOf('tests/e2e/run.test.ts', '// needs: engine, wrk\nimport x')).toEqual(['engine', 'wrk']);
    expect(needsOf('tests/e2e/parse.test.ts', '// needs: nothing\n')).toEqual([]);
  });

  it('is what its folder needs where it says nothing', () => {
    expect(needsOf('tests/integration/postgres/session.test.ts', 'import x')).toEqual(['postgres']);
  });

  it('is everything where nobody says anything, so that nothing runs without its tools', () => {
    expect(needsOf('tests/e2e/run.test.ts', '')).toEqual(
      expect.arrayContaining(['engine', 'wrk', 'k6', 'ab', 'chromium']),
    );
  });

  it('is refused when it names no tool', () => {
    expect(() => needsOf('tests/e2e/run.test.ts', '// needs: dokcer')).toThrow(
      'tests/e2e/run.test.ts needs dokcer: expected engine, wrk,',
    );
  });
});

describe('the parts of what takes longer', () => {
  const secondsIn = (file: string) => secondsOf(readFileSync(join('.', file), 'utf8'));

  it('hold each of its files once', () => {
    const files = partsOf('.').flat();
    expect(files.toSorted()).toEqual(testFiles('.', FULL));
    expect(files.length).toBeGreaterThan(0);
  });

  it('take about as long, by what their files say, and no longer than two and a half minutes and a file', () => {
    const seconds = partsOf('.').map((files) => files.reduce((sum, file) => sum + secondsIn(file), 0));
    const longestFile = Math.max(...testFiles('.', FULL).map(secondsIn));
    expect(Math.max(...seconds) - Math.min(...seconds)).toBeLessThanOrEqual(longestFile);
    expect(seconds.reduce((sum, each) => sum + each, 0) / seconds.length).toBeLessThanOrEqual(150);
  });

  it('are shared out from the longest on, in as many as the time asks for', () => {
    const files = [7, 140, 50, 90, 20, 10].map((seconds, index) => ({ file: `${index}.test.ts`, seconds }));
    expect(parted(files)).toEqual([['1.test.ts'], ['3.test.ts'], ['0.test.ts', '2.test.ts', '4.test.ts', '5.test.ts']]);
  });

  it('are asked for by number, or by the commit that is checked out', () => {
    expect(partOf('2', '.', 3)).toBe(2);
    for (const text of ['0', '4', '2/3', '1.5', '']) expect(partOf(text, '.', 3)).toBeNull();
    expect(partOf('commit', '/', 3)).toBeNull();
  });

  it('come to each other commit in turn, as far as its number is chance', () => {
    expect(partOfCommit('00000000aaaa', 6)).toBe(1);
    expect(partOfCommit('00000005aaaa', 6)).toBe(6);
    expect(partOfCommit('ffffffffaaaa', 6)).toBe(4);
  });
});
