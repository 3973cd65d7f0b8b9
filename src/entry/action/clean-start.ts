import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Names a folder, for the moment of the second start. */
const HANDED_OVER = 'WRKBENCH_HANDED_OVER';

/** What Node.js itself wants as it starts. All else is handed over, since what is a secret nobody can tell by its name. */
const AT_START =
  /^(?:PATH|HOME|TMPDIR|TZ|LANG|LC_\w+|NODE_(?:OPTIONS|EXTRA_CA_CERTS|ICU_DATA|USE_SYSTEM_CA)|LD_LIBRARY_PATH|SSL_CERT_\w+)$/;

/** Node.js 22.15 and later. */
type Execve = (file: string, args: readonly string[], env: Record<string, string>) => never;

/**
 * Starts this process again (the same one, by execve) without the job's variables in its environment, unless that was done. The kernel
 * keeps what a process was started with in `/proc/PID/environ`, for every process of the same user to read, also when the variable
 * is deleted long since: a service that runs as a process would have it there.
 *
 *     start with tokens ──file that this user alone may read──▶ the same process, started without ──▶ reads and removes the file
 *
 * Called before anything else runs. Afterwards `process.env` holds them again, which is memory of this process alone. False where
 * this Node.js cannot do it, or nothing can be written.
 */
export function startedClean(): boolean {
  const folder = process.env[HANDED_OVER];
  if (folder !== undefined) {
    delete process.env[HANDED_OVER];
    Object.assign(process.env, JSON.parse(readFileSync(path.join(folder, 'variables.json'), 'utf8')));
    rmSync(folder, { recursive: true });
    return true;
  }
  const variables = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const { execve } = process as { execve?: Execve };
  if (execve === undefined) return false;
  const made = handedOver(JSON.stringify(Object.fromEntries(variables)));
  if (made === null) return false;
  const kept = Object.fromEntries(variables.filter(([name]) => AT_START.test(name)));
  return execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...kept,
    [HANDED_OVER]: made,
  });
}

/** Folder of the file; null where there is no place for it, which the step says of whatever else it wants to write. */
function handedOver(text: string): string | null {
  try {
    const made = mkdtempSync(path.join(process.env.RUNNER_TEMP ?? tmpdir(), 'wrkbench-start-'));
    writeFileSync(path.join(made, 'variables.json'), text, { mode: 0o600, flag: 'wx' });
    return made;
  } catch {
    return null;
  }
}
