// One step of an installation.
import { lastLine, runCommand } from '../setup/command.mjs';
import { findProgram } from '../setup/machine.mjs';
import { InstallationError } from './installation-error.mjs';

const MINUTES_45 = 2700;

/**
 * Runs a program at low priority, since others may measure on this machine.
 * @param {string} what the sentence begins with it: `openfga 1.11.0 cannot be built`
 * @param {string[]} command
 * @param {{cwd?: string, env?: Record<string, string>}} [options]
 * @returns {Promise<string>} its output. Rejects with `InstallationError`.
 */
export async function step(what, [program, ...args], options) {
  const { ok, output } = await runCommand('nice', ['-n', '10', program, ...args], {
    timeoutSeconds: MINUTES_45,
    ...options,
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
