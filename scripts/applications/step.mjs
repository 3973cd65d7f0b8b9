// One step of an installation.
import { existsSync } from 'node:fs';
import { lastLine, runCommand } from '../setup/command.mjs';
import { CERTIFICATES } from '../setup/download.mjs';
import { findProgram } from '../setup/machine.mjs';
import { InstallationError } from './installation-error.mjs';

const MINUTES_45 = 2700;

// npm and pip are not asked to trust what the machine trusts, such as a company's proxy, unless these say so.
const TRUST = existsSync(CERTIFICATES) ? { NODE_EXTRA_CA_CERTS: CERTIFICATES, PIP_CERT: CERTIFICATES } : {};

/**
 * Runs a program at low priority, since others may measure on this machine.
 * @param {string} what the sentence begins with it: `openfga 1.11.0 cannot be built`
 * @param {string[]} command
 * @param {{cwd?: string, env?: Record<string, string>}} [options]
 * @returns {Promise<string>} its output. Rejects with `InstallationError`.
 */
export async function step(what, [program, ...args], { cwd, env } = {}) {
  const { ok, output } = await runCommand('nice', ['-n', '10', program, ...args], {
    timeoutSeconds: MINUTES_45,
    env: { ...TRUST, ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (!ok) throw new InstallationError(`${what}: ${[program, ...args].join(' ')} ended with: ${lastLine(output)}`);
  return output;
}

/** @param {string} name @param {string} how sentence that says how to get it @returns {string} its path. Throws `InstallationError`. */
export function requiredProgram(name, how) {
  const path = findProgram(name);
  if (path === null) throw new InstallationError(`This machine has no ${name}. ${how}`);
  return path;
}
