// needs: compose
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { composeReader } from '../../src/adapters/docker/compose-config.ts';
import { repositoryFacts } from '../../src/app/repository-facts.ts';
import { composeProjects } from '../../src/core/detection/compose.ts';
import type { RepositoryFile } from '../../src/core/detection/files.ts';
import { composeProgram } from '../support/brought-programs.ts';
import { composeContract } from './compose-contract.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function read(files: readonly RepositoryFile[]) {
  const folder = await mkdtemp(join(tmpdir(), 'wrkbench-repository-'));
  folders.push(folder);
  for (const { path, content } of files) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const checkout = files.map(({ path }) => path);
  const { compose } = await repositoryFacts(files, checkout, composeReader(folder, composeProgram()));
  expect(compose.length).toBeGreaterThan(0);
  return [...compose];
}

composeContract('Docker Compose', { read });

describe('what Docker Compose alone reads', () => {
  it('is a service of another file', async () => {
    const files = [
      { path: 'compose.yml', content: 'services: {web: {extends: {file: base.yml, service: base}, command: run}}\n' },
      { path: 'base.yml', content: 'services: {base: {image: acme/web, environment: {A: 1}}}\n' },
    ];
    const [[web] = []] = composeProjects(files, await read(files));
    expect(web).toMatchObject({ image: 'acme/web', command: ['run'], missing: [] });
    expect(web!.environment).toEqual([{ name: 'A', value: '1', from: 'compose.yml' }]);
  });

  it('is nothing of whoever starts it, nor what it would fetch', async () => {
    const content =
      'services: {web: {image: x, environment: {HOME: "${HOME}", USER: "${USER}", TOKEN: "${WRKBENCH_TOKEN}"}}}\n';
    process.env.WRKBENCH_TOKEN = 'of-the-caller';
    const files = [{ path: 'compose.yml', content }];
    const [project] = await read(files);
    delete process.env.WRKBENCH_TOKEN;
    expect(project!.json).not.toContain('of-the-caller');
    expect(project!.json).not.toContain(process.env.HOME!);
  });
});
