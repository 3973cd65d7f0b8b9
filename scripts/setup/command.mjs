// Runs one program for set-up.
import { spawn } from 'node:child_process';
import { privilegeOfUser } from './machine.mjs';

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{cwd?: string, env?: Record<string, string>, timeoutSeconds?: number}} [options]
 * @returns {Promise<{ok: boolean, output: string}>} output: both streams, as they came. Never rejects.
 */
export function runCommand(program, args, { cwd, env, timeoutSeconds = 900 } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutSeconds * 1000,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

/** The same as root: directly, or through a sudo that asks for no password. */
export function runAsRoot(program, args, options) {
  if (privilegeOfUser() === 'sudo') return runCommand('sudo', ['-n', program, ...args], options);
  return runCommand(program, args, options);
}

/** The line of an output that says most about a failure. */
export function lastLine(output) {
  // Where npm's own log lies says nothing of what is wrong.
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => !line.includes('A complete log of this run'));
  return (lines.findLast((line) => /^E: |error|fail|cannot|unable/i.test(line)) ?? lines.at(-1) ?? '').trim();
}

/**
 * Runs a program that speaks for itself; what it says goes to standard error.
 * @returns {Promise<boolean>} whether it ended well.
 */
export function runInherited(program, args, { cwd, env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 2, 2] });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}
