import { spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import { actProgram, CACHE_BIN } from '../../support/brought-programs.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** By what all of our own is named here, whatever it is named by. */
const OWN_REF = 'main';

export interface ActCall {
  /** Checkout of the caller's repository. */
  directory: string;
  event: string;
  payload: object;
  workflow: string;
  job: string;
  /** Of the job, as `GITHUB_TOKEN`. */
  token: string;
  variables: Record<string, string>;
}

export interface ActResult {
  status: number | null;
  log: string;
}

/**
 * Runs one job of a workflow on this machine, as act does: https://nektosact.com. Alone, without the jobs that it needs,
 * since each job has a token of its own on GitHub, and act has one for all.
 */
export async function act({ directory, event, payload, workflow, job, token, variables }: ActCall): Promise<ActResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-act-'));
  const file = path.join(folder, 'event.json');
  writeFileSync(file, JSON.stringify(payload));
  const own = path.join(folder, 'wrkbench');
  for (const part of ['action.yml', 'dist', '.github/workflows']) {
    cpSync(path.join(ROOT, part), path.join(own, part), { recursive: true });
  }
  for (const name of readdirSync(path.join(own, '.github/workflows'))) {
    const copy = path.join(own, '.github/workflows', name);
    writeFileSync(copy, withOwnRef(readFileSync(copy, 'utf8')));
  }
  const alone = path.join(folder, path.basename(workflow));
  writeFileSync(alone, withoutNeeds(withOwnRef(readFileSync(path.join(directory, workflow), 'utf8')), job));
  const args = [
    event,
    ...['--workflows', alone, '--job', job, '--eventpath', file, '--directory', directory],
    ...['--platform', 'ubuntu-24.04=-self-hosted', '--pull=false', '--no-cache-server'],
    ...['--local-repository', `wrkbench/wrkbench@${OWN_REF}=${own}`],
    ...[
      '--local-repository',
      `actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1=${path.join(ROOT, 'fixtures/checkout-action')}`,
    ],
    ...['--action-cache-path', path.join(folder, 'actions'), '--secret', `GITHUB_TOKEN=${token}`],
    ...Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  ];
  const child = spawn(actProgram(), args, {
    cwd: directory,
    env: {
      PATH: `${CACHE_BIN}${path.delimiter}${process.env.PATH}`,
      HOME: process.env.HOME,
      XDG_CACHE_HOME: path.join(folder, 'cache'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  const tee = process.env.WRKBENCH_TEST_LOGS;
  if (tee !== undefined) mkdirSync(tee, { recursive: true });
  child.stdout.on('data', (chunk: Buffer) => {
    log += chunk;
    if (tee !== undefined) appendFileSync(path.join(tee, `${event}-${job}-${path.basename(folder)}.log`), chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk;
    if (tee !== undefined) appendFileSync(path.join(tee, `${event}-${job}-${path.basename(folder)}.log`), chunk);
  });
  child.on('error', (error) => {
    log += error.message;
  });
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  rmSync(folder, { recursive: true, force: true });
  return { status, log };
}

/** act 0.2.89 does not know `$/`, and has to be told each ref that is to be taken from this machine. */
function withOwnRef(workflow: string): string {
  return workflow
    .replaceAll('uses: $/.\n', `uses: wrkbench/wrkbench@${OWN_REF}\n`)
    .replaceAll(/(uses: wrkbench\/wrkbench\S*@)\S+/g, `$1${OWN_REF}`);
}

function withoutNeeds(workflow: string, job: string): string {
  const document = parseDocument(workflow);
  document.deleteIn(['jobs', job, 'needs']);
  return document.toString();
}
