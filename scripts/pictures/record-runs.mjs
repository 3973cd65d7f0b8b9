// node scripts/pictures/record-runs.mjs [NIGHTS]: measures the runs that the pictures of the published pages show, and keeps
// them in fixtures/nightly/ as they lie on a data branch. Eight nights are half an hour of load. Wants what
// `npm run demo -- --matrix` wants, and `npm run suites:prepare apostol-rest`. `--lock FILE` holds that lock during each run.
//
// A night measures a commit of the bundled server: all its cases, as nightly.yml does, and one endpoint beside the commit before, as
// gate.yml does. The last night compares frameworks as well. The third commit adds a query, which is accepted; the fifth is
// released; the sixth takes the query out again.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { writeDemoSuite } from '../demo-suite.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const KEPT = path.join(ROOT, 'fixtures/nightly');
const COMMAND = path.join(ROOT, 'dist/cli.cjs');
const SERVER = 'demo-server.cjs';
const ADDED = { from: 3, until: 6, accepted: 'users=a page of users says how many there are' };
const RELEASED = { night: 5, tag: 'v1.0' };
const FRAMEWORKS = [
  path.join(ROOT, 'fixtures/suites/apostol-rest/wrkbench.yml'),
  '--quick',
  '--only',
  '*ping/direct/*',
];

const { values, positionals } = parseArgs({ options: { lock: { type: 'string' } }, allowPositionals: true });
const nights = Number(positionals[0] ?? 8);
const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-nights-'));
const server = path.join(folder, 'server');
const remote = path.join(folder, 'remote.git');
try {
  const versions = await begun();
  for (let night = 1; night <= nights; night += 1) {
    commit(night, versions);
    publish(night, 'demo', ['wrkbench.yml']);
    const accepted = night === ADDED.from ? ['--accept', ADDED.accepted] : [];
    if (night > 1) publish(night, 'users', ['users.yml', '--baseline', 'commit:HEAD~1', '--no-skip', ...accepted]);
    if (night === nights) publish(night, 'frameworks', FRAMEWORKS);
  }
  keep();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A repository with the bundled server and specs, a data branch beside it, and both versions of the server. */
async function begun() {
  await writeDemoSuite(server);
  const spec = readFileSync(path.join(server, 'comparison.yml'), 'utf8');
  writeFileSync(path.join(server, 'users.yml'), spec.replace(/^name: demo$/m, 'name: users'));
  git(server, 'init', '--quiet', '--initial-branch', 'main');
  git(folder, 'init', '--quiet', '--bare', remote);
  const outfile = path.join(folder, 'demo.mjs');
  await build({ entryPoints: ['src/app/demo.ts'], outfile, format: 'esm', absWorkingDir: ROOT, logLevel: 'error' });
  const { withAddedQuery } = await import(pathToFileURL(outfile).href);
  const usual = readFileSync(path.join(server, SERVER), 'utf8');
  return { usual, added: withAddedQuery(usual) };
}

function commit(night, { usual, added }) {
  const version = night >= ADDED.from && night < ADDED.until ? added : usual;
  writeFileSync(path.join(server, SERVER), `${version}// Night ${night}.\n`);
  git(server, 'add', '.');
  git(server, 'commit', '--quiet', '--message', `Night ${night}`);
  if (night === RELEASED.night) git(server, 'tag', RELEASED.tag);
}

/** A regression ends with status 1, and is published as any other run. */
function publish(night, name, args) {
  const out = path.join(folder, `${name}-${night}`);
  const call = [process.execPath, COMMAND, 'run', ...args, '--runtime', 'process', '--out', out];
  const [program, ...rest] = values.lock === undefined ? call : ['flock', values.lock, ...call];
  const { status } = spawnSync(program, rest, { cwd: server, stdio: ['ignore', 'ignore', 'inherit'] });
  // Raw texts of one night are enough to be looked at.
  if (night !== nights) rmSync(path.join(out, 'raw'), { recursive: true });
  if (status !== 0 && status !== 1) throw new Error(`the run of ${name} in night ${night} ended with ${status}`);
  const publishing = [COMMAND, 'publish', out, '--remote', remote];
  execFileSync(process.execPath, publishing, { cwd: server, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** As they lie on the branch: what is made of them is made anew for the pictures. */
function keep() {
  rmSync(KEPT, { recursive: true, force: true });
  const paths = git(remote, 'ls-tree', '-r', '--name-only', 'gh-pages').split('\n');
  for (const each of paths.filter((name) => /^wrkbench\/[^/]+\/runs\//.test(name))) {
    mkdirSync(path.dirname(path.join(KEPT, each)), { recursive: true });
    writeFileSync(path.join(KEPT, each), shown(each));
  }
}

function shown(file) {
  return git(remote, 'show', `gh-pages:${file}`);
}

function git(cwd, ...args) {
  const own = ['-c', 'user.name=wrkbench', '-c', 'user.email=wrkbench@users.noreply.github.com'];
  return execFileSync('git', [...own, ...args], { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
}
