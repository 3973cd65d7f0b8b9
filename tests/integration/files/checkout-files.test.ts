// needs: nothing
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkoutFiles } from '../../../src/adapters/files/checkout-files.ts';
import { specsIn } from '../../../src/app/workflow/specs.ts';

let folder: string;
let root: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'wrkbench-checkout-')));
  root = join(folder, 'repo');
  await mkdir(root);
});
afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, content = 'x'): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** `target` as the link has it: relative to its folder, or absolute. */
async function link(path: string, target: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await symlink(target, file);
}

const SPEC = `name: api
services:
  go: {build: {context: app}, port: 8080}
  rust: {command: [./rust], working-directory: bin, port: 8081}
database: {image: "postgres:18", init: [init.sql]}
endpoints: {ping: /ping}
load: {wrk: on, k6: {script: ping.js}}
gate: {baseline: "record:old"}
`;

describe('the files of a checkout', () => {
  it('are listed without links, dependencies and what git keeps for itself', async () => {
    await write('repo/wrkbench.yml');
    await write('repo/bench/deep/other.yml');
    await write('repo/.git/config');
    await write('repo/app/node_modules/x/wrkbench.yml');
    await write('outside/wrkbench.yml');
    await link('repo/linked', '../outside');
    await link('repo/linked.yml', 'wrkbench.yml');
    await link('repo/round', '.');
    expect((await checkoutFiles(root).list()).sort()).toEqual(['bench/deep/other.yml', 'wrkbench.yml']);
  });

  it('are read where links stay inside, and nowhere else', async () => {
    await write('repo/bench/real.yml', 'inside');
    await write('outside/secret.yml', 'secret');
    await write('repo-other/secret.yml', 'secret');
    await link('repo/link.yml', 'bench/real.yml');
    await link('repo/folder', 'bench');
    await link('repo/twice.yml', 'link.yml');
    await link('repo/out.yml', '../outside/secret.yml');
    await link('repo/absolute.yml', join(folder, 'outside/secret.yml'));
    await link('repo/out', '../outside');
    await link('repo/by-two.yml', 'out/secret.yml');
    await link('repo/neighbour.yml', '../repo-other/secret.yml');
    const files = checkoutFiles(root);
    for (const path of ['bench/real.yml', 'link.yml', 'folder/real.yml', 'twice.yml']) {
      expect([path, await files.text(path), await files.staysInside(path)]).toEqual([path, 'inside', true]);
    }
    const outside = [
      'out.yml',
      'absolute.yml',
      'out/secret.yml',
      'by-two.yml',
      'neighbour.yml',
      '../outside/secret.yml',
    ];
    for (const path of outside) {
      expect([path, await files.text(path), await files.staysInside(path)]).toEqual([path, null, false]);
    }
    expect([await files.text('missing.yml'), await files.staysInside('missing.yml')]).toEqual([null, true]);
    expect([await files.text('bench'), await files.staysInside('.')]).toEqual([null, true]);
  });

  it('are told from folders, from what is not there, and from what links lead to elsewhere', async () => {
    await write('repo/app/Dockerfile');
    await write('outside/init.sql');
    await link('repo/init.sql', '../outside/init.sql');
    await link('repo/sql', '../outside');
    await link('repo/gone.sql', 'nothing.sql');
    await link('repo/own', 'app');
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const files = checkoutFiles(root);
    const kinds = await Promise.all(
      ['app', 'own/Dockerfile', 'init.sql', 'sql', 'gone.sql', 'app/Other', 'pipe'].map((path) => files.kind(path)),
    );
    expect(kinds).toEqual(['folder', 'file', 'outside', 'outside', null, null, 'special']);
    expect(await files.text('pipe')).toBeNull();
  });

  it('are those behind a link, where the checkout itself is one', async () => {
    await write('repo/wrkbench.yml', 'inside');
    await write('outside/secret.yml', 'secret');
    await link('workspace', 'repo');
    await link('repo/out.yml', '../outside/secret.yml');
    const files = checkoutFiles(join(folder, 'workspace'));
    expect([await files.text('wrkbench.yml'), await files.text('out.yml')]).toEqual(['inside', null]);
  });
});

describe('the spec of a checkout', () => {
  /** All that the spec names, as files of the checkout. */
  async function whole(): Promise<void> {
    await write('repo/bench/wrkbench.yml', SPEC);
    for (const name of ['app/Dockerfile', 'bin/rust', 'init.sql', 'ping.js', 'old/run.json']) {
      await write(`repo/bench/${name}`);
    }
  }

  /** The same, with a link in the place of one of them. */
  async function withLink(path: string, target: string): Promise<string[]> {
    await whole();
    await rm(join(root, 'bench', path), { recursive: true });
    await link(`repo/bench/${path}`, target);
    const { specs, errors, diagnostics } = await specsIn(['bench/wrkbench.yml'], checkoutFiles(root));
    expect(diagnostics).toEqual([]);
    expect(specs).toHaveLength(errors.length === 0 ? 1 : 0);
    return errors;
  }

  const MOVED = 'repo/moved';
  beforeEach(async () => {
    for (const place of [MOVED, 'outside']) {
      await write(`${place}/wrkbench.yml`, SPEC);
      for (const name of ['Dockerfile', 'rust', 'init.sql', 'ping.js', 'run.json']) await write(`${place}/${name}`);
    }
  });

  it.each([
    ['wrkbench.yml', 'wrkbench.yml'],
    ['app', '.'],
    ['app/Dockerfile', 'Dockerfile'],
    ['bin', '.'],
    ['init.sql', 'init.sql'],
    ['ping.js', 'ping.js'],
    ['old', '.'],
    ['old/run.json', 'run.json'],
  ])('is taken where its %s is a link to another place of the checkout', async (path, name) => {
    expect(await withLink(path, join(folder, MOVED, name))).toEqual([]);
  });

  it.each([
    ['app', '.', 'app, app/Dockerfile'],
    ['app/Dockerfile', 'Dockerfile', 'app/Dockerfile'],
    ['bin', '.', 'bin'],
    ['init.sql', 'init.sql', 'init.sql'],
    ['ping.js', 'ping.js', 'ping.js'],
    ['old', '.', 'old, old/run.json'],
    ['old/run.json', 'run.json', 'old/run.json'],
  ])('is refused where its %s is a link out of the checkout', async (path, name, named) => {
    expect(await withLink(path, join(folder, 'outside', name))).toEqual([
      `bench/wrkbench.yml names ${named}, which leads out of the checkout by a link: not measured.`,
    ]);
  });

  it('is not read where it is itself a link out of the checkout', async () => {
    expect(await withLink('wrkbench.yml', join(folder, 'outside/wrkbench.yml'))).toEqual([
      'The checkout has no file bench/wrkbench.yml, or it is a link to elsewhere.',
    ]);
  });
});
