// Compares the two releases of an application, or the newer one with itself made slower, as two commits of a repository are compared:
//
//   node scripts/applications/compare.mjs NAME [--slower] [--keep] [-- OPTIONS OF wrkbench run]
//
// `--keep` puts the run, its comparison and its report beside the application's spec, in `slower` or `releases`.
// Installs what is missing: generators and Postgres as for the demo, and the application. The repository and the result lie in the
// cache, beside what is installed; exit status as of `wrkbench run`.
import '../setup/new-enough-node.mjs';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { announce, announceFailure } from '../setup/announcement.mjs';
import { CACHE, unsupportedMachine } from '../setup/machine.mjs';
import { sentenceOf, setUpDemo } from '../setup/profile.mjs';
import { applicationNamed, releaseOf } from './catalogue.mjs';
import { fixtureFolder, install, LINK, use } from './installation.mjs';
import { InstallationError } from './installation-error.mjs';
import { step } from './step.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMMAND = join(ROOT, 'dist', 'cli.cjs');

const end = process.argv.indexOf('--');
const words = process.argv.slice(2, end === -1 ? undefined : end);
const options = end === -1 ? [] : process.argv.slice(end + 1);

const refusal = unsupportedMachine();
if (refusal !== null) {
  announce(refusal);
  process.exit(3);
}

try {
  const application = applicationNamed(words.find((word) => !word.startsWith('--')) ?? '');
  await bringTools();
  process.exitCode = await compare(application, words.includes('--slower'), words.includes('--keep'));
} catch (error) {
  if (!(error instanceof InstallationError)) throw error;
  announce(error.message);
  process.exitCode = error.status;
}

async function bringTools() {
  const { lacks, building } = await setUpDemo(ROOT, { matrix: true }).catch((error) => {
    announceFailure(error);
    process.exit(3);
  });
  if (building !== null) lacks.push(...(await building));
  for (const lack of lacks) announce(sentenceOf(lack));
}

async function compare(application, isSlower, isKept) {
  const releases = Object.keys(application.releases);
  const newer = releaseOf(application, releases.at(-1));
  const sides = isSlower
    ? [await install(application, newer, false), await install(application, newer, true)]
    : [await install(application, releases[0], false), await install(application, newer, false)];
  const folder = join(CACHE, 'applications', application.name, isSlower ? 'comparison-slower' : 'comparison');
  const repository = join(folder, 'repository');
  await makeRepository(application, repository, sides);
  const out = join(folder, 'result');
  rmSync(out, { recursive: true, force: true });
  const spec = join(repository, 'wrkbench.yml');
  const args = [COMMAND, 'run', spec, '--runtime', 'process', '--baseline', 'commit:HEAD~1', '--out', out, ...options];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status === 0 || status === 1) {
    announce(`the result is in ${out}`);
    if (isKept) keep(out, join(fixtureFolder(application.name), isSlower ? 'slower' : 'releases'));
  }
  return status ?? 4;
}

function keep(result, folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of ['comparison.json', 'report.md']) cpSync(join(result, name), join(folder, name));
  // A megabyte of JSON, of which hardly anything changes from case to case.
  writeFileSync(join(folder, 'run.json.gz'), gzipSync(readFileSync(join(result, 'run.json')), { level: 9 }));
  announce(`kept in ${folder}`);
}

/** One commit for each side: its files are the fixture's, and a link to what is installed tells the sides apart. */
async function makeRepository(application, repository, sides) {
  rmSync(repository, { recursive: true, force: true });
  mkdirSync(repository, { recursive: true });
  const fixture = fixtureFolder(application.name);
  cpSync(fixture, repository, {
    recursive: true,
    filter: (path) => ![LINK, 'slower', 'releases'].includes(basename(path)),
  });
  const author = ['-c', 'user.name=wrkbench', '-c', 'user.email=wrkbench@localhost', '-c', 'commit.gpgsign=false'];
  const git = (...args) =>
    step('The repository to compare cannot be made', ['git', ...author, ...args], { cwd: repository });
  await git('init', '--quiet', '--initial-branch=main');
  for (const side of sides) {
    use(application, side, repository);
    await git('add', '--all', '--force');
    await git('commit', '--quiet', '--message', basename(side));
  }
}
