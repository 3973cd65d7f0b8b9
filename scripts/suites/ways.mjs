// How a server is made ready to be started as a process, told by the file that pins its versions.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../setup/command.mjs';
import { fetchGo, usableGo } from '../setup/go.mjs';
import { asTyped, findProgram, hasApt, privilegeOfUser } from '../setup/machine.mjs';
import { installPackages } from '../setup/packages.mjs';

/** What a server needs is not on this machine; the message says how to get it. */
export class Absent extends Error {
  name = 'Absent';
}

/**
 * `outputs`: what is there afterwards; `tool`: the program to call, or `Absent`; `steps`: arguments of each call.
 * @typedef {{manifest: string, outputs: string[], tool: () => Promise<string>, steps: (tool: string) => string[][]}} Way
 */

/** @type {Way[]} */
export const WAYS = [
  {
    manifest: 'package-lock.json',
    outputs: ['node_modules'],
    tool: async () => required('npm', 'Install Node.js with npm: https://nodejs.org/en/download'),
    steps: (npm) => [[npm, 'ci', '--no-audit', '--no-fund']],
  },
  {
    manifest: 'go.mod',
    outputs: ['.build/server'],
    tool: goOrFetched,
    steps: (go) => [[go, 'build', '-o', '.build/server', '.']],
  },
  {
    manifest: 'requirements.txt',
    outputs: ['.venv/bin/python'],
    tool: pythonWithVenv,
    steps: (python) => [
      [python, '-m', 'venv', '--clear', '.venv'],
      ['.venv/bin/python', '-m', 'pip', 'install', '--quiet', '--require-hashes', '-r', 'requirements.txt'],
    ],
  },
  {
    manifest: 'Cargo.lock',
    outputs: ['.build/release/server'],
    tool: async () => required('cargo', 'Install Rust: https://rustup.rs'),
    steps: (cargo) => [[cargo, 'build', '--release', '--locked', '--target-dir', '.build']],
  },
  {
    manifest: 'pom.xml',
    outputs: ['.build/server.jar'],
    tool: async () => required('mvn', `Install Maven and a JDK: ${installing('maven', 'openjdk-17-jdk-headless')}`),
    steps: (maven) => [[maven, '--batch-mode', '--quiet', 'package']],
  },
  {
    manifest: 'Makefile',
    outputs: ['.build/server'],
    tool: async () => required('make', `Install make: ${installing('make')}`),
    steps: (make) => [[make, '--silent']],
  },
];

/**
 * Installs what a server's packages.txt names, a line each: a Debian package, and the program or file that it brings.
 * @param {string} folder of the server
 * @returns {Promise<void>} Rejects with `Absent`.
 */
export async function installNamedPackages(folder) {
  const file = join(folder, 'packages.txt');
  if (!existsSync(file)) return;
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const missing = lines.map((line) => line.split(' ')).filter(([, brings]) => !isHere(brings));
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name);
  if (hasApt() && privilegeOfUser() !== null) await installPackages(names.map((name) => [name]));
  const still = missing.filter(([, brings]) => !isHere(brings)).map(([name]) => name);
  if (still.length > 0) throw new Absent(`This machine has no ${still.join(', ')}. Install: ${installing(...still)}`);
}

function isHere(programOrFile) {
  return programOrFile.startsWith('/') ? existsSync(programOrFile) : findProgram(programOrFile) !== null;
}

function required(program, how) {
  const path = findProgram(program);
  if (path === null) throw new Absent(`This machine has no ${program}. ${how}`);
  return path;
}

/** Several servers may want it at once: it is fetched for the first of them. */
let go;
function goOrFetched() {
  go ??= foundOrFetchedGo();
  return go;
}

async function foundOrFetchedGo() {
  const found = await usableGo();
  if (found !== null) return found;
  return fetchGo().catch((error) => {
    throw new Absent(
      `This machine has no Go, and it could not be fetched (${error.message}). Install it: https://go.dev/dl`,
    );
  });
}

async function pythonWithVenv() {
  const how = `Install Python 3.11 or later: ${installing('python3-venv')}`;
  const python = required('python3', how);
  const probe = 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))';
  const { ok } = await runCommand(python, ['-c', probe]);
  if (!ok) throw new Absent(`The python3 of this machine is older than 3.11 or has no venv. ${how}`);
  return python;
}

function installing(...packages) {
  return asTyped(`apt-get install ${packages.join(' ')}`);
}
