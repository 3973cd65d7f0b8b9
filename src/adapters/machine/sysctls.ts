import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Sysctls } from '../../core/topology/port-settings.ts';
import { childEnvironment } from '../process/child-environment.ts';
import { asRoot, isRoot } from '../process/root-command.ts';
import { kernelText } from './kernel-files.ts';

export interface ChangedSysctl {
  name: string;
  from: string;
  to: string;
}

/**
 * Sets kernel settings for the time of a run, as root or through a sudo that asks for no password; the machine lock is
 * held. What an earlier run left set, because it was killed, is put back first. Gives what was changed, and how to undo
 * it; never throws.
 */
export function setForRun(wanted: Sysctls): { changed: ChangedSysctl[]; restore(): void } {
  restoreLeft();
  const changed = Object.entries(wanted).flatMap(([name, to]) => {
    const from = kernelText(fileOf(name));
    // Writing the value that is there changes nothing, and tells whether another may be written.
    return from === null || from === to || !write(name, from) ? [] : [{ name, from, to }];
  });
  if (changed.length === 0) return { changed, restore: () => undefined };
  keep(Object.fromEntries(changed.map(({ name, from }) => [name, from])));
  for (const { name, to } of changed) write(name, to);
  return {
    changed,
    restore() {
      for (const { name, from } of changed) write(name, from);
      forget();
    },
  };
}

/** What was there before; in memory, so that it goes with the next boot as the settings do. Null: nowhere of our own. */
function keptFile(): string | null {
  const folder = isRoot() ? '/run' : process.env.XDG_RUNTIME_DIR;
  return folder ? path.join(folder, 'wrkbench', 'sysctls.json') : null;
}

function keep(values: Sysctls): void {
  const file = keptFile();
  if (file === null) return;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(values), { mode: 0o600 });
  } catch {
    // Then only a run that is killed outright leaves the settings behind.
  }
}

function forget(): void {
  const file = keptFile();
  if (file !== null) rmSync(file, { force: true });
}

/** Puts back what a killed run has left set, the machine lock being held; gives what was put back. Never throws. */
export function restoreLeft(): Sysctls {
  const file = keptFile();
  if (file === null) return {};
  const restored: Sysctls = {};
  try {
    const values: Sysctls = JSON.parse(readFileSync(file, 'utf8'));
    for (const [name, value] of Object.entries(values)) if (write(name, String(value))) restored[name] = String(value);
    forget();
  } catch {
    // There is none, or it is not ours.
  }
  return restored;
}

function write(name: string, value: string): boolean {
  if (!/^net\.ipv4\.\w+$/.test(name) || !/^[\d\s]+$/.test(value)) return false;
  if (!isRoot()) {
    const [program, ...args] = asRoot(['sysctl', '-qw', `${name}=${value}`]);
    return spawnSync(program, args, { env: childEnvironment(), stdio: 'ignore', timeout: 5000 }).status === 0;
  }
  try {
    writeFileSync(fileOf(name), value);
    return true;
  } catch {
    return false;
  }
}

const fileOf = (name: string) => `/proc/sys/${name.replaceAll('.', '/')}`;
