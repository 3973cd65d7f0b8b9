// A Docker engine: found, or started in the background.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timed } from './announcement.mjs';
import { lastLine, runAsRoot } from './command.mjs';
import { findProgram, privilegeOfUser } from './machine.mjs';

const FOLDER = join(tmpdir(), `wrkbench-engine-${userInfo().uid}`);
const LOG = join(FOLDER, 'dockerd.log');
/** Holds how the engine was started, while one runs that set-up has started. */
const MARK = join(FOLDER, 'started.json');

/** @returns {boolean} whether an engine answers this user. */
export function engineAnswers() {
  const docker = findProgram('docker');
  if (!docker) return false;
  const call = spawnSync(docker, ['version', '--format', '{{.Server.Version}}'], { timeout: 5000, encoding: 'utf8' });
  return call.status === 0 && call.stdout.trim() !== '';
}

async function answersWithin(seconds, stillRunning) {
  const endMs = performance.now() + seconds * 1000;
  while (performance.now() < endMs && stillRunning()) {
    if (engineAnswers()) return true;
    await sleep(250);
  }
  return engineAnswers();
}

async function startService() {
  const result = await runAsRoot('systemctl', ['start', 'docker'], { timeoutSeconds: 60 });
  if (!result.ok) return lastLine(result.output);
  writeFileSync(MARK, JSON.stringify({ how: 'systemd' }));
  if (await answersWithin(30, () => true)) return null;
  return 'it runs, but does not answer this user: add yourself to the group docker and log in again';
}

/** An engine that was killed leaves its number behind, and the next one refuses to start where that is somebody's now. */
async function removeStalePid() {
  const file = '/var/run/docker.pid';
  if (!existsSync(file)) return;
  const owner = `/proc/${readFileSync(file, 'utf8').trim()}/cmdline`;
  if (existsSync(owner) && readFileSync(owner, 'utf8').includes('dockerd')) return;
  await runAsRoot('rm', ['-f', file]);
}

async function startProcess(dockerd) {
  await removeStalePid();
  const log = openSync(LOG, 'w');
  // The socket belongs to the user's own group, so that no group has to be changed.
  const args = ['--group', String(userInfo().gid)];
  const command = privilegeOfUser() === 'sudo' ? ['sudo', '-n', dockerd, ...args] : [dockerd, ...args];
  const child = spawn(command[0], command.slice(1), { detached: true, stdio: ['ignore', log, log], cwd: '/' });
  let running = true;
  child.on('exit', () => {
    running = false;
  });
  child.on('error', () => {
    running = false;
  });
  writeFileSync(MARK, JSON.stringify({ how: 'process', pid: child.pid }));
  const answers = await answersWithin(60, () => running);
  child.unref();
  return answers ? null : `${lastLine(readFileSync(LOG, 'utf8'))} (${LOG})`;
}

/** @returns {Promise<string | null>} why no engine answers; null when one does. */
export async function ensureEngine() {
  if (engineAnswers()) return null;
  const dockerd = findProgram('dockerd');
  if (!dockerd) return 'dockerd is not installed';
  if (!privilegeOfUser()) return 'starting it needs root';
  mkdirSync(FOLDER, { recursive: true });
  return timed(`a Docker engine, started in the background (log: ${LOG}): the tests drive a real one`, () =>
    existsSync('/run/systemd/system') ? startService() : startProcess(dockerd),
  );
}

/** Stops the engine that set-up has started, and no other. */
export async function stopEngine() {
  if (!existsSync(MARK)) return;
  const { how, pid } = JSON.parse(readFileSync(MARK, 'utf8'));
  rmSync(MARK);
  if (how === 'systemd') {
    await runAsRoot('systemctl', ['stop', 'docker.socket', 'docker'], { timeoutSeconds: 60 });
    return;
  }
  // The number may be somebody else's by now.
  if (!existsSync(`/proc/${pid}`) || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('dockerd')) return;
  await runAsRoot('kill', ['-TERM', String(pid)]);
  for (let i = 0; i < 60 && existsSync(`/proc/${pid}`); i++) await sleep(250);
}
