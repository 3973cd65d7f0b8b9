import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Sysctls } from '../../core/topology/port-settings.ts';
import { kernelText } from './kernel-files.ts';

/** What was there before; here it outlives a run that is killed, and goes with the next boot as the settings do. */
const KEPT = '/run/wrkbench/sysctls.json';

/**
 * Sets kernel settings for the time of a run, where this process may; the machine lock is held. What an earlier run left
 * set, because it was killed, is put back first. Resolves to what was changed, and how to undo it; never rejects.
 */
export function setForRun(wanted: Sysctls): { changed: { name: string; from: string; to: string }[]; restore(): void } {
  restoreKept();
  const changed = Object.entries(wanted).flatMap(([name, to]) => {
    const from = kernelText(fileOf(name));
    return from === null || from === to || !wouldWrite(name, from) ? [] : [{ name, from, to }];
  });
  if (changed.length === 0) return { changed, restore: () => undefined };
  mkdirSync(path.dirname(KEPT), { recursive: true });
  writeFileSync(KEPT, JSON.stringify(Object.fromEntries(changed.map(({ name, from }) => [name, from]))));
  for (const { name, to } of changed) write(name, to);
  return { changed, restore: restoreKept };
}

function restoreKept(): void {
  let kept: Sysctls;
  try {
    kept = JSON.parse(readFileSync(KEPT, 'utf8'));
  } catch {
    return;
  }
  for (const [name, value] of Object.entries(kept)) write(name, value);
  rmSync(KEPT, { force: true });
}

/** Writing the value that is there changes nothing, and tells whether another may be written. */
function wouldWrite(name: string, value: string): boolean {
  return process.getuid?.() === 0 && write(name, value);
}

function write(name: string, value: string): boolean {
  try {
    writeFileSync(fileOf(name), value);
    return true;
  } catch {
    return false;
  }
}

const fileOf = (name: string) => `/proc/sys/${name.replaceAll('.', '/')}`;
