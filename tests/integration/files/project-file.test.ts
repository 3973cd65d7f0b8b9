// needs: linux
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/adapters/docker/engine.ts';
import { buildImage } from '../../../src/adapters/docker/images.ts';
import { baselineFiles } from '../../../src/adapters/files/baseline-files.ts';
import { templateFolder } from '../../../src/adapters/files/template-folder.ts';
import { readTextDocument, writeTextDocument } from '../../../src/adapters/files/text-document.ts';
import { gatewayConfiguration } from '../../../src/adapters/network/gateway-configuration.ts';
import { writeNewProjectFile } from '../../../src/adapters/project/new-project-file.ts';
import { projectProblem, readProjectFile } from '../../../src/adapters/project/project-file.ts';
import { readSpec } from '../../../src/core/config/read.ts';

/** A checkout with a spec in `bench/`, and what lies beside it on the machine. */
let folder: string;
let top: string;
let bench: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'wrkbench-project-')));
  top = join(folder, 'repo');
  bench = join(top, 'bench');
  for (const each of ['repo/.git', 'repo/bench', 'repo/shared', 'outside/folder']) {
    mkdirSync(join(folder, each), { recursive: true });
  }
  writeFileSync(join(folder, 'outside/secret'), 's3cret');
  writeFileSync(join(top, 'shared/own.sql'), 'select 1');
});

const textOf = async (directory: string, name: string, mostBytes = 100) => {
  const read = await readProjectFile(directory, name, mostBytes);
  return 'content' in read ? read.content.toString() : read.problem;
};

describe('a file of a project', () => {
  it('is read, also by a link inside the checkout', async () => {
    writeFileSync(join(bench, 'a.sql'), 'a');
    symlinkSync('../shared/own.sql', join(bench, 'b.sql'));
    symlinkSync('../shared', join(bench, 'folder'));
    expect(await textOf(bench, 'a.sql')).toBe('a');
    expect(await textOf(bench, 'b.sql')).toBe('select 1');
    expect(await textOf(bench, 'folder/own.sql')).toBe('select 1');
    expect(await textOf(bench, 'none.sql')).toBeNull();
    expect(await textOf(bench, 'a.sql/none')).toBeNull();
  });

  it('is not followed out of the checkout, by whichever link', async () => {
    symlinkSync(join(folder, 'outside/secret'), join(bench, 'absolute'));
    symlinkSync('../../outside/secret', join(bench, 'relative'));
    symlinkSync('../../outside', join(bench, 'folder'));
    symlinkSync('relative', join(bench, 'twice'));
    symlinkSync('/dev/zero', join(bench, 'device'));
    for (const name of ['absolute', 'relative', 'folder/secret', 'twice', 'device']) {
      expect([name, await textOf(bench, name)]).toEqual([
        name,
        `is a link that leads out of ${top}, and is not followed`,
      ]);
    }
  });

  it("belongs to the spec's folder where there is no checkout", async () => {
    const alone = join(folder, 'alone');
    mkdirSync(alone);
    symlinkSync('../outside/secret', join(alone, 'out'));
    expect(await textOf(alone, 'out')).toBe(`is a link that leads out of ${alone}, and is not followed`);
  });

  it('is a regular one of a length that can be read, or is refused at once', async () => {
    execFileSync('mkfifo', [join(bench, 'pipe')]);
    writeFileSync(join(bench, 'long'), 'x'.repeat(101));
    expect(await textOf(bench, 'pipe')).toBe('is a pipe, a device or a socket, not a file');
    expect(await textOf(bench, 'long')).toBe('has 101 bytes, where at most 100 are read');
    expect(await textOf(bench, '../shared')).toBe('is a folder, not a file');
    expect(await baselineFiles().hash(join(bench, 'pipe'))).toBeNull();
    expect(await baselineFiles().text(join(bench, 'pipe'))).toBeNull();
  });

  it('may be a folder that is handed to another program, inside as well', async () => {
    symlinkSync('../../outside/folder', join(bench, 'context'));
    symlinkSync('../shared', join(bench, 'own'));
    expect(await projectProblem(bench, 'context', 'folder')).toBe(
      `is a link that leads out of ${top}, and is not followed`,
    );
    expect(await projectProblem(bench, 'own', 'folder')).toBeNull();
    expect(await projectProblem(bench, 'none', 'folder')).toBeNull();
    expect(await projectProblem(bench, 'own/own.sql', 'folder')).toBe('is a file, not a folder');
  });

  it("as the gateway's configuration shows nothing of this machine", async () => {
    symlinkSync('../../outside/secret', join(bench, 'nginx.conf'));
    const spec = readSpec(
      'name: x\nservices: {a: {image: "a:1", port: 80}}\ngateway: {kind: nginx, config: nginx.conf}\nendpoints: {p: /p}\nload: {wrk: {}}\n',
      'wrkbench.yml',
    );
    await expect(gatewayConfiguration({ spec, specDirectory: bench })).rejects.toThrow(
      `The gateway's configuration ${bench}/nginx.conf is a link that leads out of ${top}, and is not followed. Put a file of the repository there, or correct gateway.config in the spec.`,
    );
  });

  it.each([
    ['context', { context: 'context', dockerfile: 'Dockerfile' }, 'context', 'folder'],
    ['dockerfile', { context: '.', dockerfile: 'Dockerfile' }, 'Dockerfile', 'file'],
  ])('as the %s of a build is not sent to the engine', async (key, named, path, kind) => {
    symlinkSync('../../outside/folder', join(bench, 'context'));
    symlinkSync('../../outside/secret', join(bench, 'Dockerfile'));
    const engine = { call: () => expect.unreachable('nothing is built') } as unknown as Engine;
    const build = { kind: 'build', args: {}, target: null, ...named } as const;
    const names = { tag: 'x', whose: 'service api', specDirectory: bench, cacheNamespace: null };
    await expect(buildImage(engine, build, names, () => undefined, new AbortController().signal)).rejects.toThrow(
      `The image of service api is not built: ${bench}/${path} is a link that leads out of ${top}, and is not followed. Put a ${kind} of the repository there, or correct build.${key} in the spec.`,
    );
  });

  it('as a template of the pages is one of the checkout', async () => {
    mkdirSync(join(top, '.wrkbench'));
    mkdirSync(join(folder, 'outside/templates'));
    writeFileSync(join(folder, 'outside/templates/site.yml'), 'secret: 1');
    symlinkSync('../../outside/templates', join(top, '.wrkbench/templates'));
    expect(await templateFolder(top).list()).toEqual([]);
    expect(await templateFolder(top).content('site.yml')).toBeNull();
  });

  it('as a report or its template neither shows nor overwrites what a link leads to elsewhere', async () => {
    symlinkSync('../outside/secret', join(top, 'BENCHMARK.md'));
    symlinkSync('/dev/zero', join(top, 'template.md'));
    const told = `is a link that leads out of ${top}, and is not followed`;
    await expect(readTextDocument(join(top, 'BENCHMARK.md'))).rejects.toThrow(`BENCHMARK.md ${told}.`);
    await expect(readTextDocument(join(top, 'template.md'))).rejects.toThrow(`template.md ${told}.`);
    await expect(writeTextDocument(join(top, 'BENCHMARK.md'), 'new')).rejects.toThrow(
      `BENCHMARK.md ${told}: it is as it was.`,
    );
    expect(await textOf(join(folder, 'outside'), 'secret')).toBe('s3cret');
  });
});

describe('a new file of a project', () => {
  it('is written with its folders, also behind a link inside the checkout', async () => {
    symlinkSync('shared', join(top, '.github'));
    await writeNewProjectFile(top, '.github/workflows/gate.yml', 'on: push');
    expect(await textOf(top, 'shared/workflows/gate.yml')).toBe('on: push');
  });

  it.each([
    ['.github', '.github'],
    ['.github/workflows', '.github/workflows'],
  ])('is not written where %s is a link out of the checkout', async (_, link) => {
    mkdirSync(join(top, link, '..'), { recursive: true });
    symlinkSync(join(folder, 'outside/folder'), join(top, link));
    await expect(writeNewProjectFile(top, '.github/workflows/gate.yml', 'on: push')).rejects.toThrow(
      `${join(top, link)} is a link that leads out of ${top}, and is not followed: .github/workflows/gate.yml is not written. Make a folder of the repository there.`,
    );
    expect(readdirSync(join(folder, 'outside/folder'))).toEqual([]);
  });
});
