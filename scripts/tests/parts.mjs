// The tests that every change cannot wait for (`tests/full`), in parts that take about as long. `.ci/run` takes one of them, by the
// commit, so that none of them can break unseen for long; `npm run test:full` takes all.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { testFiles } from './needs.mjs';

export const FULL = 'tests/full';

/** What `.ci/run` has for a part. More tests are more parts, and not longer ones. */
const PART_SECONDS = 150;
/** What a file is taken to last that does not say it. */
const USUAL_SECONDS = 20;

/**
 * @param {string} text number of a part, from 1, or `commit`
 * @param {string} root of the checkout
 * @param {number} parts how many there are
 * @returns {number | null} null where it is none.
 */
export function partOf(text, root, parts) {
  if (text === 'commit') {
    const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
    return status === 0 ? partOfCommit(stdout, parts) : null;
  }
  const number = /^\d+$/.test(text ?? '') ? Number(text) : 0;
  return number >= 1 && number <= parts ? number : null;
}

/** @param {string} sha of a commit @param {number} parts @returns {number} the part that it is tested with, from 1 */
export function partOfCommit(sha, parts) {
  return (Number.parseInt(sha.slice(0, 8), 16) % parts) + 1;
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
  const seconds = files.reduce((sum, each) => sum + each.seconds, 0);
  const parts = Array.from({ length: Math.ceil(seconds / PART_SECONDS) }, () => ({ files: [], seconds: 0 }));
  for (const { file, seconds } of files.toSorted((a, b) => b.seconds - a.seconds || (a.file < b.file ? -1 : 1))) {
    const shortest = parts.reduce((least, each) => (each.seconds < least.seconds ? each : least));
    shortest.files.push(file);
    shortest.seconds += seconds;
  }
  return parts.map((each) => each.files.toSorted());
}

/** @returns {string[][]} paths below the root, one list a part */
export function partsOf(root) {
  const secondsIn = (path) => secondsOf(readFileSync(path, 'utf8'));
  return parted(testFiles(root, FULL).map((path) => ({ file: relative(root, path), seconds: secondsIn(path) })));
}
