// needs: linux, root
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownIdentity } from '../../../src/adapters/process/owner.ts';
import { asUser, type SystemUser, unprivilegedUser } from '../../../src/adapters/process/system-user.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { runtime } from './given.ts';

/** Its number and start time fit nobody. */
const DEAD = ownIdentity().replace(/:\d+:\d+$/, ':4194303:1');

describe('the folder of a testbed whose owner is dead', () => {
  const segments = () => execFileSync('ipcs', ['-m'], { encoding: 'utf8' });

  /** A folder that names this segment as its server's, and the segment. */
  function leftBy(segmentOwner: SystemUser | null, folderOwner = 0): { path: string; segment: string } {
    vi.stubEnv('TMPDIR', temporaryFolder());
    const [program = '', ...args] = asUser(segmentOwner, ['ipcmk', '-M', '56']);
    const segment = /\d+/.exec(execFileSync(program, args, { encoding: 'utf8' }))![0];
    onTestFinished(() => {
      vi.unstubAllEnvs();
      spawnSync('ipcrm', ['-m', segment], { stdio: 'ignore' });
    });
    const path = mkdtempSync(join(tmpdir(), 'wrkbench-testbed-'));
    writeFileSync(join(path, 'owner'), DEAD);
    chownSync(join(path, 'owner'), folderOwner, folderOwner);
    mkdirSync(join(path, 'data'));
    writeFileSync(
      join(path, 'data', 'postmaster.pid'),
      `1\n/data\n1\n5432\n/tmp\n127.0.0.1\n  4711  ${segment}\nready\n`,
    );
    return { path, segment };
  }

  it('goes with the shared memory of its server', async () => {
    const { path, segment } = leftBy(unprivilegedUser());
    expect(await runtime.sweep()).toContain(`Removed the folder ${path}, left behind by a run that has ended.`);
    expect(segments()).not.toContain(` ${segment} `);
  });

  it("takes no shared memory with it that is not its server's", async () => {
    const { path, segment } = leftBy(null);
    expect(await runtime.sweep()).toContain(`Removed the folder ${path}, left behind by a run that has ended.`);
    expect(segments()).toContain(` ${segment} `);
  });

  it('is left to the user who made it', async () => {
    const { path, segment } = leftBy(unprivilegedUser(), 65534);
    expect(await runtime.sweep()).toEqual([]);
    expect(existsSync(path)).toBe(true);
    expect(segments()).toContain(` ${segment} `);
  });

  it('is not waited for where it has a pipe in place of the owner', async () => {
    vi.stubEnv('TMPDIR', temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    execFileSync('mkfifo', [join(mkdtempSync(join(tmpdir(), 'wrkbench-testbed-')), 'owner')]);
    expect(await runtime.sweep()).toEqual([]);
  });
});

describe('the folder of a generator whose owner is dead', () => {
  it('is left to the user who made it', async () => {
    vi.stubEnv('TMPDIR', temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const folders = [0, 65534].map((user) => {
      const path = mkdtempSync(join(tmpdir(), 'wrkbench-load-'));
      writeFileSync(join(path, 'owner'), DEAD);
      chownSync(join(path, 'owner'), user, user);
      return path;
    });
    await runtime.sweep();
    expect(folders.map((path) => existsSync(path))).toEqual([false, true]);
  });
});
