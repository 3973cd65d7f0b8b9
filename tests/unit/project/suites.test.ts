import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingFiles } from '../../../src/app/missing-files.ts';
import { planReport } from '../../../src/app/plan.ts';
import { numberOfCases } from '../../../src/core/config/case.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { Service } from '../../../src/core/config/resolved.ts';
import { isRemoteContext } from '../../../src/core/values/remote-context.ts';
import { CONTRACTS } from '../../integration/suites/contracts.ts';

const SUITES = 'fixtures/suites';
/** Those that the documents are, with a server in this repository for each service. */
const REPRODUCED = ['abstract-rest', 'apostol-rest', 'event-pong', 'hardware-tax', 'users-1000'];
const SPECS = REPRODUCED.flatMap((suite) =>
  readdirSync(join(SUITES, suite))
    .filter((file) => file.endsWith('.yml'))
    .map((file) => `${suite}/${file}`),
);

/** What may be pulled: official images, that of PgBouncer that is wrkbench's default, and .NET's from its maker. */
const OFFICIAL =
  /^(?:debian|eclipse-temurin|golang|maven|nginx|node|postgres|python|rust|mcr\.microsoft\.com\/dotnet\/(?:aspnet|sdk)|edoburu\/pgbouncer):/;

const spec = (file: string) => readSpec(readFileSync(join(SUITES, file), 'utf8'), file);
const suite = (name: string) => spec(`${name}/wrkbench.yml`);
const textOf = (file: string) => readFileSync(file, 'utf8');

function kindOf(file: string): 'file' | 'folder' | null {
  if (!existsSync(file)) return null;
  return statSync(file).isDirectory() ? 'folder' : 'file';
}

/** Folder that a service is built from, below the project. */
function contextOf(file: string, { image }: Service): string {
  if (image?.kind !== 'build') throw new Error(`${file} has a service that is not built from this repository`);
  return join(SUITES, dirname(file), image.context);
}

/** Files of the repository that a command names: a program in the service's own folder, or what an interpreter runs. */
function filesOfCommand({ command }: Service): string[] {
  const words = (command ?? []).flatMap((word) => word.split(/\s+/));
  const named = words.filter((word) => /^[\w-]+\.(?:c?js|py|sh)$/.test(word));
  const modules = words.filter((word) => /^\w+:app$/.test(word)).map((word) => `${word.split(':')[0]}.py`);
  return [...named, ...modules];
}

/** All but those that are built from a repository elsewhere. */
const servicesHere = (file: string) =>
  spec(file).services.filter(({ image }) => image?.kind !== 'build' || !isRemoteContext(image.context));

describe('the suites that the project comes from', () => {
  it.each([
    // Services x endpoints x (connections x keep-alive); the gateway doubles it.
    ['apostol-rest/wrkbench.yml', 4 * 4 * 4 * 2],
    // One of them has three endpoints.
    ['apostol-rest/wrkbench-all.yml', (5 * 4 + 3) * 4 * 2],
    ['apostol-rest/wrkbench-pooled.yml', 3 * 2 * 4],
    ['users-1000/wrkbench.yml', 6],
    ['hardware-tax/wrkbench.yml', 4],
    ['hardware-tax/wrkbench-all.yml', 6],
    ['abstract-rest/wrkbench.yml', 10],
    ['abstract-rest/wrkbench-all.yml', 13],
    ['event-pong/wrkbench.yml', 3 * 3],
    ['event-pong/wrkbench-all.yml', 5 * 3],
    // Five endpoints, wrk 2 x 2 and k6 once.
    ['demo/wrkbench.yml', 5 * 4 + 5],
    ['demo-comparison/wrkbench.yml', 1],
  ])('%s has %i cases', (file, cases) => {
    expect(numberOfCases(spec(file))).toBe(cases);
  });

  it.each(SPECS)('%s plans', (file) => {
    const { text } = planReport(spec(file), { seed: 1 });
    for (const { name } of spec(file).services)
      expect(text).toMatch(new RegExp(`^${name}(?: \\(reference\\))?, about`, 'm'));
  });

  it.each(SPECS)('%s names no file that is not there', async (file) => {
    const files = { kind: async (path: string) => kindOf(join(SUITES, dirname(file), path)), list: async () => [] };
    expect(await missingFiles(textOf(join(SUITES, file)), file, files)).toEqual([]);
  });

  it.each(SPECS)(
    '%s starts only what this repository builds, each from a file that is there, and others from a commit',
    (file) => {
      for (const service of servicesHere(file)) {
        const folder = contextOf(file, service);
        expect(existsSync(join(folder, '.dockerignore')), folder).toBe(true);
        expect(filesOfCommand(service).filter((name) => !existsSync(join(folder, name)))).toEqual([]);
      }
    },
  );

  it.each(SPECS)('%s starts a process where it starts the image', (file) => {
    for (const service of servicesHere(file).filter(({ command }) => command !== null)) {
      expect(join(SUITES, dirname(file), service.workingDirectory)).toBe(contextOf(file, service));
      expect(textOf(join(contextOf(file, service), 'Dockerfile')), service.name).toMatch(/^WORKDIR \/srv$/m);
    }
  });

  it('pulls official images alone, each with a tag that says its version', () => {
    const folders = [
      ...new Set(SPECS.flatMap((file) => servicesHere(file).map((service) => contextOf(file, service)))),
    ];
    const images = folders.flatMap((folder) =>
      [...textOf(join(folder, 'Dockerfile')).matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!),
    );
    expect(images.length).toBeGreaterThan(folders.length);
    expect(images.filter((image) => !OFFICIAL.test(image) || !/:\d[\w.-]*\d/.test(image))).toEqual([]);
    const databases = SPECS.flatMap((file) => {
      const { database, gateway } = spec(file);
      return [database?.image, database?.pooler?.image, gateway?.image].filter((image) => image !== undefined);
    });
    expect(databases.filter((image) => !OFFICIAL.test(image))).toEqual([]);
  });

  it.each(REPRODUCED.filter((name) => existsSync(join(SUITES, name, 'wrkbench-all.yml'))))(
    '%s: what the machine decides between is only which services there are',
    (name) => {
      const all = spec(`${name}/wrkbench-all.yml`);
      const own = suite(name);
      expect(all.services.slice(0, own.services.length)).toEqual(own.services);
      expect(all.services.slice(own.services.length).every(({ command }) => command === null)).toBe(true);
      expect({ ...all, services: [] }).toEqual({ ...own, services: [] });
    },
  );

  it.each(REPRODUCED)('%s: every service that is a process has a contract, and no other', (name) => {
    expect(CONTRACTS[name]!.map(({ service }) => service)).toEqual(suite(name).services.map((service) => service.name));
    expect(suite(name).services.every(({ command }) => command !== null)).toBe(true);
  });

  it.each(REPRODUCED)('%s: its README has a row for each service', (name) => {
    const all = existsSync(join(SUITES, name, 'wrkbench-all.yml')) ? spec(`${name}/wrkbench-all.yml`) : suite(name);
    const readme = textOf(join(SUITES, name, 'README.md'));
    expect(all.services.filter((service) => !readme.includes(`| \`${service.name}\` |`))).toEqual([]);
  });

  it('apostol-rest drives nginx as a reference, never ranked', () => {
    const roles = suite('apostol-rest').services.map(({ name, role }) => `${name}: ${role}`);
    expect(roles).toContain('nginx: reference');
    expect(roles.filter((role) => role.endsWith('reference'))).toHaveLength(1);
  });

  it.each(['demo', 'demo-comparison'])('%s can be started in containers and as a process', (name) => {
    const [service] = suite(name).services;
    expect(service!.image).toMatchObject({ kind: 'build', dockerfile: 'Dockerfile' });
    expect(service!.command).toEqual(['node', 'demo-server.cjs']);
  });
});
