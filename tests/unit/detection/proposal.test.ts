import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InitRequest, initialFiles, initText, NothingFound, withAnswers } from '../../../src/app/init.ts';
import { validateSpec } from '../../../src/app/validate.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { AlreadyThere, isTelling, proposal, type RepositoryFile } from '../../../src/core/detection/proposal.ts';
import { isSecretVariable } from '../../../src/core/record/secret-names.ts';

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

const proposed = (files: RepositoryFile[], folderName = 'My Folder') =>
  proposal(files, { folderName, isSecret: isSecretVariable });
const written = (files: RepositoryFile[], name?: string) => proposed(files, name).specs[0]!.content;

describe('the proposal', () => {
  it('is made of Dockerfile, compose file, manifest and OpenAPI file', () => {
    expect(
      written(GO_SHOP),
    ).toBe(`# yaml-language-server: $schema=https://raw.githubusercontent.com/wrkbench/wrkbench/main/schema/spec.schema.json
# Not tried: only files were read; \`wrkbench init\` again with Docker, or \`wrkbench validate\` and \`wrkbench plan\`.
name: shop-api

services:
  api:
    build: {context: ., dockerfile: Dockerfile}   # compose.yaml
    port: 9000   # compose.yaml
    env:
      DATABASE_URL: "\${database.url}"   # compose.yaml
      API_TOKEN: made-up-value-for-measuring-only   # compose.yaml: a secret by its name: the value in the spec is made up
    ready: {path: /healthz, timeout: 30s}
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
  db-ping:   # api/openapi.yaml
    path: /db/ping
    expect: {status: 200}

# Left out:
# - API_TOKEN of api (compose.yaml): a secret by its name: the value in the spec is made up
# - 2 routes have parameters that no file has a value for: GET /users/{id}, GET /search
# - POST /things (api/openapi.yaml): has no example of its body

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
    [
      { 'package.json': '{"name": "@acme/api", "scripts": {"start": "node a.js"}, "dependencies": {"express": "5"}}' },
      'my-folder',
    ],
    [
      {
        'go.mod': 'module shop.app/v2\n',
        'main.go': 'package main\nfunc main() { http.ListenAndServe(":80", nil) }\n',
      },
      'shop',
    ],
  ])('is called by what tells it apart, of %j: %s', (files, name) => {
    const all = Object.entries(files).map(([path, content]) => ({ path, content: content! }));
    expect(readSpec(written(all), 'x').name).toBe(name);
  });

  it.each([
    ['node server.js', ['node', 'server.js']],
    ['NODE_ENV=production node server.js', ['npm', 'start']],
    ['node a.js && node b.js', ['npm', 'start']],
    ['nest start', ['npm', 'start']],
  ])('starts what package.json starts: %s', (start, command) => {
    const manifest = { name: '@acme/shop', scripts: { start }, dependencies: { pg: '8' } };
    const spec = readSpec(written([{ path: 'package.json', content: JSON.stringify(manifest) }]), 'x');
    expect(spec.name).toBe('shop');
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
    const text = written([{ path: 'Dockerfile', content: 'FROM scratch\n' }]);
    expect(text).toContain('    port: 8080   # a guess: no file names it\n');
    expect(text).toContain('  root:   # a guess: name the paths that matter\n');
    expect(validateSpec(text, 'wrkbench.yml').ok).toBe(true);
  });

  it('proposes nothing where nothing shows a server', () => {
    expect(() => proposed([{ path: 'README.md', content: '# A library' }])).toThrow(NothingFound);
  });

  it('tells a service about its database part by part, and copies no secret', () => {
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
    expect(api!.env.SECRET).toBe('made-up-value-for-measuring-only');
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
    ['a context outside', 'services: {api: {build: ../other}}', 'its build context "../other" is not a folder'],
    [
      'a context from a variable',
      'services: {api: {build: "${DIR}"}}',
      'its build context is a variable that no file has',
    ],
    [
      'a Dockerfile outside',
      'services: {api: {build: {context: ., dockerfile: ../Dockerfile}}}',
      'its Dockerfile "../Dockerfile" is not inside its build context',
    ],
    ['no YAML', 'services: [}', 'and nothing is written'],
  ])('takes nothing from %s, and says why', (_, content, why) => {
    expect(() => written([{ path: 'compose.yml', content }])).toThrow(why);
  });

  it('reads Swagger 2, and eight endpoints at most', () => {
    const paths = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`/p${index}`, { get: {} }]));
    const content = JSON.stringify({ swagger: '2.0', basePath: '/v1/', paths: { '/': { get: {} }, ...paths } });
    const text = written([
      { path: 'swagger.json', content },
      { path: 'Dockerfile', content: 'EXPOSE 80' },
    ]);
    const spec = readSpec(text, 'x');
    expect(text).toContain('# - GET /p7, GET /p8, GET /p9, GET /p10, GET /p11 (swagger.json): 8 endpoints are enough');
    expect(spec.services[0]!.basePath).toBe('/v1');
    expect(spec.endpoints.map(({ name }) => name)).toEqual(['root', 'p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6']);
  });

  it('overwrites nothing', () => {
    expect(() => proposed([...GO_SHOP, { path: 'wrkbench.yml', content: '' }])).toThrow(
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
        try {
          for (const { path, content } of proposed(found, name).specs) {
            expect(validateSpec(content, path).text).toMatch(/^wrkbench[\w.-]*\.yml is valid: /);
          }
        } catch (error) {
          if (!(error instanceof NothingFound)) throw error;
        }
      }),
      { seed: 20_261_120, numRuns: 600 },
    );
  }, 60_000);
});

describe('the questions of init', () => {
  const files: RepositoryFile[] = [
    { path: 'a/Dockerfile', content: 'FROM scratch\n' },
    { path: 'b/Dockerfile', content: 'FROM scratch\nEXPOSE 81\n' },
  ];
  const initialOf = (answers: Record<string, string>) =>
    initialFiles({
      files,
      folderName: 'x',
      answers,
      starters: [],
      isWorkflowThere: false,
      branch: null,
      passedOver: [],
    });

  it('are asked one after the other, an answer deciding which come after it', async () => {
    const told: Record<string, string> = { services: 'a', 'port a': '9000' };
    const texts: string[] = [];
    const { specs } = await withAnswers(initialOf, async ({ key, text, proposed: taken }) => {
      texts.push(`${text} [${taken}]`);
      return told[key]!;
    });
    expect(texts).toEqual([
      'Several services were found: a, b. Which are to be measured? [a b]',
      'No file names the port of a. Which one does it listen on? [8080]',
    ]);
    const spec = readSpec(specs[0]!.content, 'x');
    expect(spec.services).toMatchObject([{ name: 'a', port: 9000 }]);
    expect(specs[0]!.content.match(/# a guess.*/g)).toEqual(['# a guess: name the paths that matter']);
  });

  it('are not asked where nobody can answer: the guesses are marked', async () => {
    const { specs } = await withAnswers(initialOf, null);
    expect(specs[0]!.content.match(/# a guess/g)).toHaveLength(2);
  });

  it.each([
    ['services', 'a c', 'There is no service c: take some of a, b.'],
    ['services', ' ,', 'At least one of them is expected.'],
    ['port a', '99999', 'A TCP port is expected, 1 to 65535.'],
    ['port a', '80', null],
  ])('take no answer to %s like %j without a reason', (key, answer, why) => {
    const question = initialOf({}).questions.find((each) => each.key === key)!;
    expect(question.mistake(answer)).toBe(why);
  });
});

describe('init', () => {
  const request = (files: RepositoryFile[]): InitRequest => ({
    files,
    folderName: 'shop',
    answers: {},
    starters: [],
    isWorkflowThere: false,
    branch: null,
    passedOver: [{ what: 'api/Dockerfile', why: 'it is a link, and links are not followed' }],
  });

  it('says what it has written, and all that it left out', () => {
    const initial = initialFiles(request(GO_SHOP));
    expect(initial.specs.map(({ path }) => path)).toEqual(['wrkbench.yml']);
    expect(initText(initial, true)).toBe(`wrkbench.yml is written: api on port 9000, 2 endpoints, postgres:17-alpine.
  A pull request waits about 7 min 10 s in all, without building images.
Left out:
  API_TOKEN of api (compose.yaml): a secret by its name: the value in the spec is made up.
  api/Dockerfile: it is a link, and links are not followed.
  2 routes have parameters that no file has a value for: GET /users/{id}, GET /search.
  POST /things (api/openapi.yaml): has no example of its body.
Read it, then: wrkbench validate
`);
  });

  it.each([
    ['Dockerfile', true],
    ['servers/go/Dockerfile', true],
    ['docker-compose.yml', true],
    ['wrkbench.yml', true],
    ['a/b/c/d/Dockerfile', true],
    ['src/routes/products.js', true],
    ['src/routes/products.test.js', false],
    ['.env.example', true],
    ['.env', true],
    ['.env.local', false],
    ['docker/entrypoint.sh', true],
    ['contrib/docker-compose/basic.yml', true],
    ['node_modules/x/package.json', false],
    ['README.md', true],
    ['.gitpod.Dockerfile', false],
    ['web.Dockerfile', true],
    ['docs/guide.md', false],
    ['config/examples/server/main.go', false],
    ['src/main/java/com/example/shop/Shop.java', true],
    ['api/shop.http', true],
    ['postman/Shop.postman_collection.json', true],
  ])('asks for %s: %s', (path, telling) => {
    expect(isTelling(path)).toBe(telling);
  });
});
