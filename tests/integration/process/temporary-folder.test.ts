// needs: linux
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownIdentity } from '../../../src/adapters/process/owner.ts';
import {
  checkTemporaryFolder,
  makeTemporaryFolder,
  sweepTemporaryFolders,
} from '../../../src/adapters/process/temporary-folder.ts';
import { makeTestbedFolder } from '../../../src/adapters/process/testbed-folder.ts';
import { TemporaryFolderFailure } from '../../../src/app/ports/machine.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';

/** Its number and start time fit nobody. */
const DEAD = ownIdentity().replace(/:\d+:\d+$/, ':4194303:1');

function folderOf(parent: string, name: string, owner: string | null): string {
  const path = join(parent, name);
  mkdirSync(path);
  writeFileSync(join(path, 'script.lua'), '');
  if (owner !== null) writeFileSync(join(path, 'owner'), owner);
  return path;
}

describe('the temporary folders of killed runs', () => {
  it('are removed, and told', async () => {
    const parent = temporaryFolder();
    const left = folderOf(parent, 'wrkbench-load-Ab12cD', `${DEAD}\n`);
    expect(await sweepTemporaryFolders(parent)).toEqual([
      `Removed the folder ${left}, left behind by a run that has ended.`,
    ]);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('go with the generators that still work in them, and with nobody who looks into another one', async () => {
    const parent = temporaryFolder();
    const working = (name: string) => {
      const child = spawn('sleep', ['60'], { cwd: folderOf(parent, name, DEAD), stdio: 'ignore' });
      onTestFinished(() => void child.kill());
      return child;
    };
    const [generator, reader] = [working('wrkbench-load-Ab12cD'), working('wrkbench-worktree-Ab12cD')];
    const sentence = `Ended process ${generator.pid} (sleep), left behind by a run that has ended.`;
    expect(await sweepTemporaryFolders(parent)).toContain(sentence);
    await expect.poll(() => generator.signalCode).toBe('SIGKILL');
    expect(reader.signalCode).toBeNull();
    expect(readdirSync(parent)).toEqual([]);
  });

  it('are left where their owner lives or cannot be told, and where they are not ours', async () => {
    const parent = temporaryFolder();
    const own = await makeTemporaryFolder('load', parent);
    folderOf(parent, 'wrkbench-load-nobodys', null);
    folderOf(parent, 'wrkbench-build-unread', 'somebody');
    folderOf(parent, 'wrkbench-test-other', DEAD);
    const names = readdirSync(parent).sort();
    expect(names).toContain(basename(own));
    expect(await sweepTemporaryFolders(parent)).toEqual([]);
    expect(readdirSync(parent).sort()).toEqual(names);
  });

  it('are not followed to where a link of that name leads', async () => {
    const [parent, elsewhere] = [temporaryFolder(), temporaryFolder()];
    const target = folderOf(elsewhere, 'precious', DEAD);
    symlinkSync(target, join(parent, 'wrkbench-load-link'));
    await sweepTemporaryFolders(parent);
    expect(existsSync(join(target, 'script.lua'))).toBe(true);
  });

  it('are told from what has a pipe or a link in place of the owner, which nobody waits for', async () => {
    const parent = temporaryFolder();
    const [pipe, link] = ['wrkbench-load-pipe', 'wrkbench-load-link'].map((name) => folderOf(parent, name, null));
    execFileSync('mkfifo', [join(pipe!, 'owner')]);
    writeFileSync(join(link!, 'dead'), DEAD);
    symlinkSync('dead', join(link!, 'owner'));
    expect(await sweepTemporaryFolders(parent)).toEqual([]);
    expect(readdirSync(parent)).toHaveLength(2);
  });

  it('are none where the folder cannot be read', async () => {
    expect(await sweepTemporaryFolders(join(dirname(temporaryFolder()), 'wrkbench-none'))).toEqual([]);
  });
});

describe('a temporary folder that nothing can be written to', () => {
  const ADVICE =
    '. wrkbench and the programs that it starts need one: set TMPDIR to a folder that this user may write to, for example: export TMPDIR=/var/tmp';

  it('is told with what is wrong with it, and what to do', async () => {
    const parent = temporaryFolder();
    const [missing, file] = [join(parent, 'missing'), join(parent, 'file')];
    writeFileSync(file, '');
    const said = (path: string) => checkTemporaryFolder(path).catch((error) => error);
    expect(await said(missing)).toEqual(
      new TemporaryFolderFailure('ENOENT', `The temporary folder ${missing} does not exist${ADVICE}`),
    );
    expect(await said(file)).toEqual(
      new TemporaryFolderFailure('ENOTDIR', `The temporary folder ${file} is a file, or lies below one${ADVICE}`),
    );
  });

  it('is told of a testbed as well', () => {
    const missing = join(temporaryFolder(), 'missing');
    const before = process.env.TMPDIR;
    process.env.TMPDIR = missing;
    try {
      expect(() => makeTestbedFolder(false, null)).toThrow(
        new TemporaryFolderFailure('ENOENT', `The temporary folder ${missing} does not exist${ADVICE}`),
      );
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });

  it('is no matter where it can be written, and is left as it was', async () => {
    const parent = temporaryFolder();
    await checkTemporaryFolder(parent);
    expect(readdirSync(parent)).toEqual([]);
  });
});
