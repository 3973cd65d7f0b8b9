// The one line by which an application is made slower.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InstallationError } from './installation-error.mjs';

/**
 * `file`: relative to the source or the installation. `line`: a part of one line, which must be there exactly once.
 * @typedef {{file: string, line: string, replacement: string, why: string}} OneLineChange
 */

/** @param {string} folder @param {OneLineChange} change Throws `InstallationError` where the line is not there, or not once. */
export function applyChange(folder, { file, line, replacement }) {
  const path = join(folder, file);
  if (!existsSync(path)) throw notApplied(file, 'there is no such file');
  const text = readFileSync(path, 'utf8');
  const times = text.split(line).length - 1;
  if (times !== 1) throw notApplied(file, times === 0 ? 'the line is not in it' : `the line is in it ${times} times`);
  writeFileSync(
    path,
    text.replace(line, () => replacement),
  );
}

function notApplied(file, why) {
  return new InstallationError(
    `The change of slower.json cannot be made in ${file}: ${why}. Correct slower.json for this release.`,
  );
}
