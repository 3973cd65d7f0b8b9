// Makes one server of a suite ready to be started as a process.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { lastLine, runCommand } from '../setup/command.mjs';
import { Absent, installNamedPackages, WAYS } from './ways.mjs';

/** What preparing writes, and so what it does not depend on. */
const OUTPUTS = new Set(['.build', '.venv', 'node_modules', '__pycache__']);
const STAMP = join('.build', 'prepared');

/**
 * `left-out`: something is missing on this machine; `failed`: it is here and could not be used.
 * @typedef {{kind: 'nothing' | 'current' | 'prepared' | 'left-out' | 'failed', why: string}} Outcome
 */

/**
 * @param {string} folder of the server
 * @returns {Promise<Outcome>}
 */
export async function prepare(folder) {
  const ways = WAYS.filter(({ manifest }) => existsSync(join(folder, manifest)));
  if (ways.length === 0 && !existsSync(join(folder, 'packages.txt'))) return { kind: 'nothing', why: '' };
  try {
    await installNamedPackages(folder);
    const tools = [];
    for (const way of ways) tools.push(await way.tool());
    const wanted = await stampOf(folder, tools);
    if (isCurrent(folder, ways, wanted)) return { kind: 'current', why: '' };
    for (const [index, way] of ways.entries()) {
      const failure = await follow(way, tools[index], folder);
      if (failure !== null) return { kind: 'failed', why: failure };
    }
    mkdirSync(join(folder, '.build'), { recursive: true });
    writeFileSync(join(folder, STAMP), wanted);
    return { kind: 'prepared', why: '' };
  } catch (error) {
    if (error instanceof Absent) return { kind: 'left-out', why: error.message };
    throw error;
  }
}

/** Why it failed; null where it did not. */
async function follow(way, tool, folder) {
  rmSync(join(folder, STAMP), { force: true });
  // A tool that is not on the PATH calls its own helpers by name.
  const env = { PATH: `${dirname(tool)}${delimiter}${process.env.PATH ?? ''}`, CGO_ENABLED: '0' };
  for (const [program, ...args] of way.steps(tool)) {
    const { ok, output } = await runCommand(program.startsWith('.') ? join(folder, program) : program, args, {
      cwd: folder,
      env,
      timeoutSeconds: 1800,
    });
    if (!ok) return `${[program, ...args].join(' ')}: ${lastLine(output)}`;
  }
  const missing = way.outputs.find((output) => !existsSync(join(folder, output)));
  return missing === undefined ? null : `${way.manifest} made no ${missing}`;
}

function isCurrent(folder, ways, wanted) {
  const stamp = join(folder, STAMP);
  const outputs = ways.flatMap(({ outputs }) => outputs);
  return (
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === wanted &&
    outputs.every((output) => existsSync(join(folder, output)))
  );
}

/** A hash of the server's own files and of the versions of its tools. */
async function stampOf(folder, tools) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.version}`);
  for (const tool of tools) {
    const { ok, output } = await runCommand(tool, ['--version']);
    hash.update(ok ? output : (await runCommand(tool, ['version'])).output);
  }
  for (const file of filesIn(folder)) hash.update(`\0${file}\0`).update(readFileSync(join(folder, file)));
  return `${hash.digest('hex')}\n`;
}

function filesIn(folder, inside = '') {
  return readdirSync(join(folder, inside), { withFileTypes: true })
    .filter(({ name }) => !OUTPUTS.has(name))
    .flatMap((entry) => {
      const path = join(inside, entry.name);
      return entry.isDirectory() ? filesIn(folder, path) : [path];
    })
    .sort();
}
