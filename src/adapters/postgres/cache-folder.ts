import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestbedError } from '../../app/ports/testbed.ts';

/**
 * Folder for what is made once and used by later runs too: $WRKBENCH_CACHE, or where the system keeps such things. Root's
 * is one that other users can read, because Postgres runs as another one.
 * Throws `TestbedError` 'database-not-ready' where there is none that can be written to.
 */
export function cacheFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const home = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const usual = process.env.WRKBENCH_CACHE || (uid === 0 ? '/var/cache/wrkbench' : join(home, 'wrkbench'));
  for (const folder of [usual, join(tmpdir(), `wrkbench-cache-${uid}`)]) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      accessSync(folder, constants.W_OK);
      const found = lstatSync(folder);
      // In a folder that everybody writes to, somebody else may have made it first.
      if (found.isDirectory() && found.uid === uid) return folder;
    } catch {
      // A read-only system.
    }
  }
  throw new TestbedError(
    'database-not-ready',
    `Neither ${usual} nor ${tmpdir()} can be written to; Postgres needs one of them. Set WRKBENCH_CACHE to a folder of yours.`,
  );
}
