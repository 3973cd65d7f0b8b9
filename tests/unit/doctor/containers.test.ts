import { describe, expect, it } from 'vitest';
import { containerFindings, usualContainerFindings } from '../../../src/app/doctor-containers.ts';
import type { ContainerFacts } from '../../../src/app/ports/containers.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { machine } from './machines.ts';

const NO_SUCH_HOST = 'Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: no such host';

/** An engine that holds `here`, and whose registries offer `offered`. */
function engineWith({
  here = [],
  offered = [],
  plugins = {},
}: {
  here?: string[];
  offered?: string[];
  plugins?: Partial<Record<'buildx' | 'compose', string>>;
}): ContainerFacts & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async images(references) {
      asked.push(...references);
      return references.map((reference) => {
        if (here.includes(reference)) return { reference, state: 'here' };
        if (offered.includes(reference)) return { reference, state: 'offered' };
        return { reference, state: 'refused', said: NO_SUCH_HOST };
      });
    },
    plugin: async (name) => plugins[name] ?? null,
  };
}

const SPEC = `
name: shop
services:
  web: {build: {context: app, dockerfile: web.Dockerfile}, port: 8080}
  tool: {build: {context: .}, port: 8081, optional: true}
  old: {build: "https://example.com/old.git#${'a'.repeat(40)}", port: 8082}
  edge: {image: "acme/edge:2", port: 80}
database: {image: "postgres:18", pooler: {kind: pgbouncer, image: "acme/pgbouncer:1"}}
dependencies:
  redis: {image: "redis:8", port: 6379}
gateway: {kind: nginx, image: "nginx:1.29"}
prepare:
  - {job: [migrate], image: "acme/migrate:1"}
endpoints: {ping: /ping}
`;
const DOCKERFILES: Record<string, string> = {
  'app/web.Dockerfile': '# syntax=docker/dockerfile:1\nFROM node:24\nRUN --mount=type=cache,target=/root/.npm npm ci\n',
  Dockerfile: '# syntax=docker/dockerfile:1\nFROM golang:1.26\n',
};

async function findings(engine: ContainerFacts, text = SPEC, files = DOCKERFILES) {
  const spec = readSpec(text, 'wrkbench.yml');
  const plan = planOf(spec, { seed: 1 });
  return await containerFindings(spec, plan, machine(), {
    engine,
    files: { text: async (path) => files[path] ?? null },
  });
}

describe('what containers of a spec are made from', () => {
  it('is looked for on the machine, then at its registry, each image once', async () => {
    const engine = engineWith({
      here: ['acme/edge:2', 'postgres:18', 'acme/pgbouncer:1', 'nginx:1.29', 'acme/migrate:1', 'golang:1.26'],
      offered: ['redis:8', 'node:24'],
      plugins: { buildx: '0.23.0' },
    });
    expect(await findings(engine)).toEqual([
      {
        code: 'images',
        severity: 'ok',
        message:
          'acme/edge:2, postgres:18, acme/pgbouncer:1, redis:8 (to be pulled), nginx:1.29, acme/migrate:1, node:24 (to be pulled), golang:1.26',
        command: null,
      },
      { code: 'buildkit', severity: 'ok', message: 'docker buildx 0.23.0', command: null },
    ]);
    expect(engine.asked).toHaveLength(8);
  });

  it('is a problem where an image can be had nowhere, and a warning where the run goes on without it', async () => {
    const here = ['acme/edge:2', 'acme/pgbouncer:1', 'nginx:1.29', 'acme/migrate:1', 'node:24', 'redis:8'];
    const [database, base] = await findings(engineWith({ here, plugins: { buildx: '0.23.0' } }));
    expect(database).toEqual({
      code: 'image',
      severity: 'problem',
      message: `The image postgres:18 is not on this machine, and cannot be pulled (${NO_SUCH_HOST}): the database takes it. Pull it where its registry is reached and load it here (docker save, docker load), build one of that name, or correct the name in the spec.`,
      command: 'docker pull postgres:18',
    });
    expect(base).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('golang:1.26 is not on this machine, and cannot be pulled'),
    });
    expect(base!.message).toContain('the build of service tool takes it.');
  });

  it('is a problem where a Dockerfile asks for BuildKit and there is none', async () => {
    const engine = engineWith({ here: ['postgres:18'] });
    const builder = (await findings(engine)).find(({ code }) => code === 'buildkit');
    expect(builder).toEqual({
      code: 'buildkit',
      severity: 'problem',
      message:
        'This docker command has no buildx, so that images are built by the older builder, which cannot build: service web (RUN --mount in app/web.Dockerfile).',
      command:
        "sudo sh -c 'apt-get install -y --no-install-recommends docker-buildx-plugin || apt-get install -y --no-install-recommends docker-buildx'",
    });
  });

  it('is a warning where a Dockerfile only names its syntax, which the older builder passes over', async () => {
    const files = { ...DOCKERFILES, 'app/web.Dockerfile': DOCKERFILES.Dockerfile! };
    const builder = (await findings(engineWith({}), SPEC, files)).find(({ code }) => code === 'buildkit');
    expect(builder).toMatchObject({
      severity: 'warning',
      message:
        'This docker command has no buildx, so that images are built by the older builder, which passes over what is asked for by: service web (# syntax in app/web.Dockerfile), service tool (# syntax in Dockerfile).',
    });
  });

  it('asks for no builder where no build needs one', async () => {
    const text = 'name: api\nservices: {api: {build: ., port: 80}}\nendpoints: {ping: /ping}\n';
    const engine = engineWith({ here: ['node:24'] });
    expect(await findings(engine, text, { Dockerfile: 'FROM node:24\n' })).toEqual([
      { code: 'images', severity: 'ok', message: 'node:24', command: null },
    ]);
    const secret = text.replace('build: .', 'build: {secrets: {npm: "${env.NPM}"}}');
    const builder = (await findings(engine, secret, {})).find(({ code }) => code === 'buildkit');
    expect(builder?.message).toMatch(/which cannot build: service api \(`secrets` of its build\)\.$/);
  });
});

describe('a machine without a spec', () => {
  it('is asked for the image that most specs take, and for what init reads compose files with', async () => {
    const engine = engineWith({ here: ['postgres:18'], plugins: { compose: '2.40.3' } });
    expect(await usualContainerFindings(machine(), engine)).toEqual([
      { code: 'images', severity: 'ok', message: 'postgres:18', command: null },
      { code: 'compose', severity: 'ok', message: 'docker compose 2.40.3', command: null },
    ]);
  });

  it('lacks nothing that stops a run where it has neither', async () => {
    const found = await usualContainerFindings(machine(), engineWith({}));
    expect(found.map(({ severity }) => severity)).toEqual(['warning', 'warning']);
    expect(found[0]!.message).toBe(
      `The image postgres:18 is not on this machine, and cannot be pulled (${NO_SUCH_HOST}): a spec with \`database\` takes it. Pull it where its registry is reached and load it here (docker save, docker load), build one of that name, or correct the name in the spec.`,
    );
    expect(found[1]!.message).toBe(
      'This docker command has no compose plugin. `wrkbench init` then reads compose files by itself, without `extends`, overrides and the interpolation of variables; a run does not take it.',
    );
  });
});
