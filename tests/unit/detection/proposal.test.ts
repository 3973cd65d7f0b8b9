import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AlreadyThere, initialFiles } from '../../../src/app/init.ts';
import { validateSpec } from '../../../src/app/validate.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { isTelling, proposal, type RepositoryFile } from '../../../src/core/detection/proposal.ts';

const GO_SHOP: RepositoryFile[] = [
  { path: 'go.mod', content: 'module github.com/acme/shop-api/v2\n\nrequire github.com/jackc/pgx/v5 v5.1\n' },
  {
    path: 'Dockerfile',
    content:
      'FROM golang:1.26\nARG PORT=9000\nEXPOSE ${PORT}/tcp\nHEALTHCHECK CMD curl -f http://localhost:9000/healthz || exit 1\n',
  },
  {
    path: 'compose.yaml',
    content: `services:
  api:
    build: .
    ports: ["8080:9000"]
    environment:
      - DATABASE_URL=postgres://app:app@db:5432/app
      - API_TOKEN=a-secret
  db:
    image: postgres:17-alpine
    environment: {POSTGRES_DB: app, POSTGRES_USER: app, POSTGRES_PASSWORD: app}
    volumes: ["./db/schema.sql:/docker-entrypoint-initdb.d/1.sql", "data:/var/lib/postgresql"]
`,
  },
  {
    path: 'api/openapi.yaml',
    content: `openapi: 3.0.0
servers: [{url: "https://api.acme.test/api/v4"}]
paths:
  /ping: {get: {responses: {"200": {content: {application/json: {}}}}}}
  /users/{id}: {get: {}}
  /search: {get: {parameters: [{name: q, in: query, required: true}]}}
  /things: {post: {}}
  /db/ping: {get: {responses: {default: {}}}}
`,
  },
];

const written = (files: RepositoryFile[], name = 'My Folder') => proposal(files, name)[0]!.content;

describe('the proposal', () => {
  it('is made of Dockerfile, compose file, manifest and OpenAPI file', () => {
    expect(
      written(GO_SHOP),
    ).toBe(`# What wrkbench measures here. \`wrkbench validate\` checks this file, \`wrkbench plan\` shows what it comes to.
name: shop-api

services:
  api:
    build: {context: ., dockerfile: Dockerfile}   # compose.yaml
    port: 9000
    env:
      DATABASE_URL: "\${database.url}"
    base-path: /api/v4   # api/openapi.yaml
    # memory: 512m

database:
  image: "postgres:17-alpine"   # compose.yaml
  name: app
  user: app
  init: [db/schema.sql]

endpoints:
  ping:   # api/openapi.yaml
    path: /ping
    expect: {status: 200, content-type: application/json}
  db-ping:
    path: /db/ping
    expect: {status: 200}

load:
  preset: standard   # wrk: 4 threads, 100 and 1000 connections, keep-alive on and off, 10 s; \`quick\` for a first look
  k6: {rate: 60%}    # latency at 60 % of what the service can do

gate:                # a pull request fails where it is worse than this
  cpu-per-request: {max-increase: 3%}
  throughput: {max-decrease: 5%}
  latency-p50: {max-increase: 5%}
  memory-peak: {max-increase: 10%}
  queries-per-request: {max-increase: 0}
`);
  });

  it('takes a Dockerfile alone, with its health check', () => {
    const spec = readSpec(written([GO_SHOP[1]!]), 'wrkbench.yml');
    expect(spec.services).toMatchObject([
      { name: 'my-folder', port: 9000, ready: { path: '/healthz', timeoutSeconds: 30 }, env: {} },
    ]);
    expect(spec.endpoints).toMatchObject([{ name: 'health', path: '/healthz' }]);
    expect(spec.database).toBeNull();
  });

  it('takes one service for each folder with a Dockerfile', () => {
    const files = ['servers/go', 'servers/node'].map((folder) => ({
      path: `${folder}/Dockerfile`,
      content: 'EXPOSE 3000',
    }));
    expect(readSpec(written(files), 'x').services.map(({ name, image, port }) => ({ name, image, port }))).toEqual([
      {
        name: 'go',
        image: { kind: 'build', context: 'servers/go', dockerfile: 'Dockerfile', target: null, args: {} },
        port: 3000,
      },
      {
        name: 'node',
        image: { kind: 'build', context: 'servers/node', dockerfile: 'Dockerfile', target: null, args: {} },
        port: 3000,
      },
    ]);
  });

  it.each([
    ['node server.js', ['node', 'server.js']],
    ['NODE_ENV=production node server.js', ['npm', 'start']],
    ['node a.js && node b.js', ['npm', 'start']],
    ['nest start', ['npm', 'start']],
  ])('starts what package.json starts: %s', (start, command) => {
    const manifest = { name: '@acme/web', scripts: { start }, dependencies: { pg: '8' } };
    const spec = readSpec(written([{ path: 'package.json', content: JSON.stringify(manifest) }]), 'x');
    expect(spec.name).toBe('web');
    expect(spec.services[0]).toMatchObject({
      command,
      image: null,
      env: { PORT: '${port}', DATABASE_URL: '${database.url}' },
    });
    expect(spec.database?.image).toBe('postgres:18');
  });

  it('starts a Go module without a Dockerfile', () => {
    expect(
      readSpec(written([{ path: 'go.mod', content: 'module example.com/tiny\n' }]), 'x').services[0],
    ).toMatchObject({
      name: 'tiny',
      command: ['go', 'run', '.'],
    });
  });

  it('marks what it had to guess', () => {
    const text = written([]);
    expect(text).toContain('  my-folder:   # nothing shows how it is started: correct build, image or command\n');
    expect(text).toContain('    port: 8080   # a guess: no file names it\n');
    expect(text).toContain('  root:   # a guess: name the paths that matter\n');
    expect(validateSpec(text, 'wrkbench.yml').ok).toBe(true);
  });

  it('tells a service about its database part by part, and nothing else of its environment', () => {
    const compose = `services:
  api:
    build: {context: ./api, dockerfile: Dockerfile.prod}
    expose: [4000]
    environment: {PGHOST: db, DB_NAME: x, POSTGRES_PASSWORD: y, DB_PORT: 5432, SECRET: z}
  cache: {image: "redis:8"}
`;
    const [api] = readSpec(written([{ path: 'docker-compose.yml', content: compose }]), 'x').services;
    expect(api).toMatchObject({
      image: { context: 'api', dockerfile: 'Dockerfile.prod' },
      port: 4000,
      env: {
        PGHOST: '${database.host}',
        DB_NAME: '${database.name}',
        POSTGRES_PASSWORD: '${database.password}',
        DB_PORT: '${database.port}',
      },
    });
    expect(Object.keys(api!.env)).not.toContain('SECRET');
  });

  it.each([
    ['ports: [{target: 5000, published: 80}]', 5000],
    ['ports: ["127.0.0.1:80:5001/tcp"]', 5001],
    ['ports: ["not a port"]', 8080],
  ])('reads the port of a compose service: %s', (ports, port) => {
    const compose = `services:\n  api:\n    build: .\n    ${ports}\n`;
    expect(readSpec(written([{ path: 'compose.yml', content: compose }]), 'x').services[0]!.port).toBe(port);
  });

  it.each([
    ['a context outside', 'services: {api: {build: ../other}}'],
    ['a context from a variable', 'services: {api: {build: "${DIR}"}}'],
    ['a Dockerfile outside', 'services: {api: {build: {context: ., dockerfile: ../Dockerfile}}}'],
    ['no YAML', 'services: [}'],
  ])('passes over %s', (_, content) => {
    expect(written([{ path: 'compose.yml', content }])).toContain('nothing shows how it is started');
  });

  it('reads Swagger 2, and eight endpoints at most', () => {
    const paths = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`/p${index}`, { get: {} }]));
    const content = JSON.stringify({ swagger: '2.0', basePath: '/v1/', paths: { '/': { get: {} }, ...paths } });
    const spec = readSpec(written([{ path: 'swagger.json', content }]), 'x');
    expect(spec.services[0]!.basePath).toBe('/v1');
    expect(spec.endpoints.map(({ name }) => name)).toEqual(['root', 'p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6']);
  });

  it('overwrites nothing', () => {
    expect(() => proposal([{ path: 'wrkbench.yml', content: '' }])).toThrow(
      new AlreadyThere(
        'wrkbench.yml is there already and stays as it is. Remove or rename it to have a new one written.',
      ),
    );
  });

  it('is a right spec whatever the files hold', () => {
    const paths = fc.constantFrom(
      'Dockerfile',
      'a b/Dockerfile',
      '-x/Dockerfile',
      'compose.yaml',
      'deploy/compose.yaml',
      'package.json',
      'go.mod',
      'openapi.json',
      'docs/swagger.yaml',
    );
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'EXPOSE 80',
        'EXPOSE $X',
        'ENV X=99999',
        'HEALTHCHECK CMD curl http://localhost/a b',
        'module on',
        'module ../x',
        'services: {on: {build: ".", ports: ["x"], environment: {A: "postgres://x"}}, db: {image: "postgres:x y"}}',
        'services: {null: {build: {context: "a: b", dockerfile: "# c"}}, "1": {build: "./@x"}}',
        '{"name": "null", "scripts": {"start": "node \\"x"}}',
        '{"name": "1e3", "scripts": {"start": "node true"}}',
        'paths: {/on: {get: {}}, "/a#b": {get: {}}, /Null: {get: {responses: {"299": {content: {"a/b: c": {}}}}}}}',
        'servers: [{url: "/v1 x"}]',
      ),
    );
    const files = fc.array(
      fc.record({ path: paths, content: fc.array(line, { maxLength: 4 }).map((lines) => lines.join('\n')) }),
      {
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(files, fc.string(), (found, name) => {
        const [{ content }] = proposal(found, name) as [RepositoryFile];
        expect(validateSpec(content, 'wrkbench.yml').text).toMatch(/^wrkbench\.yml is valid: /);
      }),
      { seed: 20_261_120, numRuns: 600 },
    );
  }, 60_000);
});

describe('init', () => {
  it('says what it has written, and from what', () => {
    const { files, text } = initialFiles(GO_SHOP, 'shop');
    expect(files.map(({ path }) => path)).toEqual(['wrkbench.yml']);
    expect(text).toBe(
      'wrkbench.yml is written (from go.mod, Dockerfile, compose.yaml, api/openapi.yaml).\nA pull request waits about 6 min 50 s in all, without building images.\nRead it, then: wrkbench validate\n',
    );
    expect(initialFiles([], 'x').text).toBe(
      'wrkbench.yml is written (nothing in this folder says how to start a server).\nA pull request waits about 5 min 40 s in all, without building images.\nRead it, then: wrkbench validate\n',
    );
  });

  it.each([
    ['Dockerfile', true],
    ['servers/go/Dockerfile', true],
    ['docker-compose.yml', true],
    ['wrkbench.yml', true],
    ['a/b/c/d/Dockerfile', false],
    ['node_modules/x/package.json', false],
    ['README.md', false],
  ])('asks for %s: %s', (path, telling) => {
    expect(isTelling(path)).toBe(telling);
  });
});
