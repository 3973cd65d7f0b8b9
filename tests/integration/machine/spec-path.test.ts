// needs: nothing
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSource } from '../../../src/adapters/machine/source.ts';
import { runCommand } from '../../../src/adapters/process/command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wrkbench-spec-path-'));
});
afterEach(() => rm(folder, { recursive: true }));

const repository = () => runCommand('git', ['-c', 'init.defaultBranch=main', '-C', folder, 'init', '-q']);
const pathOf = async (inside: string, name: string) => (await readSource(join(folder, inside), {}, name)).specPath;

describe("a spec's path in its repository", () => {
  it('is its name at the top, and stands behind its folders below', async () => {
    await repository();
    await mkdir(join(folder, 'my bench/é'), { recursive: true });
    expect(await pathOf('.', 'wrkbench.yml')).toBe('wrkbench.yml');
    expect(await pathOf('my bench/é', 'true')).toBe('my bench/é/true');
  });

  it('is that of the folder which a link leads to', async () => {
    await repository();
    await mkdir(join(folder, 'bench'));
    await symlink('bench', join(folder, 'link'));
    expect(await pathOf('link', 'a.yml')).toBe('bench/a.yml');
  });

  it('is unknown outside of a repository, and where nobody asks for it', async () => {
    expect(await readSource(folder, {}, 'wrkbench.yml')).not.toHaveProperty('specPath');
    await repository();
    expect(await pathOf('.git', 'wrkbench.yml')).toBeUndefined();
    expect(await readSource(folder, {})).toEqual({
      repository: null,
      sha: null,
      ref: 'refs/heads/main',
      pullRequest: null,
    });
  });
});
