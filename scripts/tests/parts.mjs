// The tests that every change cannot wait for (`tests/full`), in six parts that take about as long. `.ci/run` takes one of them,
// by the commit, so that none of them can break unseen for long; `npm run test:full` takes all.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { testFiles } from './needs.mjs';

export const PARTS = 6;
export const FULL = 'tests/full';

/** What a file is taken to last that does not say it. */
const USUAL_SECONDS = 20;

/**
 * @param {string} text such as 2/6, or `commit`
 * @param {string} root of the checkout
 * @returns {number | null} number of the part, from 1; null where it is none.
 */
export function partOf(text, root) {
  if (text === 'commit') {
    const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
    return status === 0 ? partOfCommit(stdout) : null;
  }
  const [, number] = new RegExp(`^([1-${PARTS}])/${PARTS}$`).exec(text ?? '') ?? [];
  return number === undefined ? null : Number(number);
}

/** @param {string} sha of a commit @returns {number} the part that it is tested with, from 1 */
export function partOfCommit(sha) {
  return (Number.parseInt(sha.slice(0, 8), 16) % PARTS) + 1;
}

/** Of a line `// seconds: 40` in one of a file's first lines: how much longer a part takes with it, on a machine of two cores. */
export function secondsOf(source) {
  const [, seconds] = /^\/\/ seconds: (\d+)$/m.exec(source.split('\n', 5).join('\n')) ?? [];
  return seconds === undefined ? USUAL_SECONDS : Number(seconds);
}

/**
 * The longest first, each to the part that is shortest so far.
 * @param {{file: string, seconds: number}[]} files
 * @returns {string[][]} one list a part
 */
export function parted(files) {
  const parts = Array.from({ length: PARTS }, () => ({ files: [], seconds: 0 }));
  for (const { file, seconds } of files.toSorted((a, b) => b.seconds - a.seconds || (a.file < b.file ? -1 : 1))) {
    const shortest = parts.reduce((least, each) => (each.seconds < least.seconds ? each : least));
    shortest.files.push(file);
    shortest.seconds += seconds;
  }
  return parts.map((each) => each.files.toSorted());
}

/** @returns {string[]} paths below the root */
export function filesOfPart(root, part) {
  const files = testFiles(root, FULL).map((path) => ({
    file: relative(root, path),
    seconds: secondsOf(readFileSync(path, 'utf8')),
  }));
  return parted(files)[part - 1];
}
