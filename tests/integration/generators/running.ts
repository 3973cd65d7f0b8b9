import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the executions of one test, by which its processes are found. */
export interface Traces {
  folder: string;
  running(): number[];
  /** Id of the process of a program in it; waits until there is one. */
  started(program: string): Promise<number>;
  /** What executions have left lying there. */
  left(): string[];
  remove(): void;
}

export function traces(): Traces {
  const folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
  // As /tmp is: a script of the spec's own is run as another user.
  chmodSync(folder, 0o755);
  return {
    folder,
    running: () => runningIn(folder),
    started: (program) => startedIn(folder, program),
    left: () => readdirSync(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Ids of the processes whose working directory lies in a folder; with a program, of its own and not of a wrapper. */
export function runningIn(folder: string, program?: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const inside = readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
        return inside && (program === undefined || readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === program);
      } catch {
        return false;
      }
    });
}

export async function startedIn(folder: string, program: string): Promise<number> {
  for (;;) {
    const [pid] = runningIn(folder, program);
    if (pid !== undefined) return pid;
    await new Promise((passed) => setTimeout(passed, 10));
  }
}
