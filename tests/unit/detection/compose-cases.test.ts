import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { walkRepository } from '../../../src/adapters/files/repository-walk.ts';
import { isTelling, isTellingFolder } from '../../../src/app/init.ts';
import { groupedLeftOut } from '../../../src/core/detection/left-out.ts';
import { type LeftOut, proposal, type RepositoryFile } from '../../../src/core/detection/proposal.ts';

const isSecret = (name: string) => /SECRET|PASSWORD/.test(name);

/** The service and its database as the spec has them, without the words on where they are from, and what is left out. */
function proposed(
  files: readonly RepositoryFile[],
  checkout: readonly string[] | null = null,
): { lines: string[]; leftOut: string[] } {
  const { specs, leftOut } = proposal(files, { folderName: 'x', isSecret, checkout });
  const lines = specs[0]!.content.split('\n').map((line) => line.replace(/ {2,}#.*$/, ''));
  return {
    lines: lines.slice(lines.indexOf('services:'), lines.indexOf('endpoints:')).filter((line) => line.trim() !== ''),
    leftOut: groupedLeftOut(leftOut).map(({ what, why }: LeftOut) => `${what}: ${why}`),
  };
}

async function proposedOf(name: string) {
  const folder = path.resolve('fixtures/cases/compose', name);
  return proposed((await walkRepository(folder, { isTelling, isTellingFolder })).files);
}

const NOT_RUN = 'only SQL files of this repository are run: write what it does as SQL and name it in database.init';
const NOT_MOUNTED = 'no folder is mounted: it runs with what its image holds';

/** A small application with a Postgres called `db`; `service` is what its compose file says of it. */
function application(
  service: string,
  changes: { files?: Record<string, string>; rest?: string; notCheckedIn?: string[] } = {},
) {
  const { files = {}, rest = '', notCheckedIn } = changes;
  const all: Record<string, string> = {
    Dockerfile: 'FROM node:22\nEXPOSE 3000\nCMD ["node", "server.js"]\n',
    'package.json': '{"name":"api","dependencies":{"express":"4","pg":"8"}}',
    'server.js': "const app = require('express')();\napp.get('/a', (q, r) => r.send('a'));\napp.listen(3000);\n",
    'compose.yml': `services:\n  api:\n    ports: ["3000:3000"]\n${service}\n  db: {image: "postgres:16"}\n${rest}`,
    ...files,
  };
  return proposed(
    Object.entries(all).map(([file, content]) => ({ path: file, content })),
    notCheckedIn === undefined ? null : Object.keys(all).filter((file) => !notCheckedIn.includes(file)),
  );
}

const environment = (lines: Record<string, string>) =>
  `    build: .\n    environment:\n${Object.entries(lines)
    .map(([name, value]) => `      ${name}: "${value}"`)
    .join('\n')}`;
const variablesOf = ({ lines }: { lines: string[] }) =>
  lines.filter((line) => /^ {6}\w+:/.test(line)).map((line) => line.trim().replaceAll('"', ''));

describe('what a compose file says of a service and its database', () => {
  it('is used, or named with what follows', async () => {
    expect(await proposedOf('a')).toEqual({
      lines: [
        'services:',
        '  api:',
        '    build: {context: ., dockerfile: Dockerfile}',
        '    entrypoint: []',
        '    command: [node, server.js]',
        '    user: "1000:1000"',
        '    port: 3000',
        '    env:',
        '      DATABASE_URL: "${database.url}"',
        '      FEATURE_X: "on"',
        '      SESSION_KEY: made-up-value-for-measuring-only',
        '    ready: {path: /healthz, timeout: 30s}',
        '    memory: 300m',
        'database:',
        '  image: "postgres:16"',
        '  name: app',
        '  user: app',
        '  settings: {max_connections: "300"}',
        '  init: [db/init/01-schema.sql, db/init/02-seed.sql]',
      ],
      leftOut: [
        'api (Dockerfile): its image holds no program, which the compose file mounts into it: it starts only where its Dockerfile copies it',
        'SESSION_KEY of api (config/app.env): a secret by its name: the value in the spec is made up',
        `db/init/00-roles.sh, db/init/03-more.sql.gz: ${NOT_RUN}`,
        'POSTGRES_INITDB_ARGS of db (docker-compose.yml): the database is made as its image makes it without',
        `.:/srv of api (docker-compose.yml): ${NOT_MOUNTED}`,
        'read_only, working_dir, extra_hosts of api (docker-compose.yml): it runs without: no spec has that',
      ],
    });
  });

  it('of an entrypoint that waits and then becomes the program is the program', async () => {
    const { lines, leftOut } = await proposedOf('e');
    expect(lines.slice(3, 5)).toEqual(['    entrypoint: [node]', '    command: [server.js]']);
    expect(leftOut).toEqual([]);
  });

  it('of an entrypoint that does not wait is its entrypoint', () => {
    const { lines, leftOut } = application(
      '    build: .\n    entrypoint: node --enable-source-maps\n    command: server.js',
    );
    expect(lines).toContain('    entrypoint: [node, "--enable-source-maps"]');
    expect(lines).toContain('    command: [server.js]');
    expect(leftOut).toEqual([]);
  });

  it('of files of variables is under what the service says itself, and a missing one is named', () => {
    const written = application(
      '    build: .\n    env_file:\n      - {path: config/base.env, required: true}\n      - /etc/other.env\n    environment: [LEVEL=warn]',
      { files: { 'config/base.env': 'LEVEL=debug\nDATABASE_URL=postgres://a:b@db:5432/a\n' } },
    );
    expect(variablesOf(written)).toEqual(['LEVEL: warn', 'DATABASE_URL: ${database.url}']);
    expect(written.leftOut).toEqual([
      'env_file /etc/other.env of api (compose.yml): no such file is read here: write the variables that the service needs into its env',
    ]);
  });

  it('of another service that it extends is its own, unless it says otherwise itself', () => {
    const written = application('    build: .\n    extends: {service: base}\n    environment: {LEVEL: warn}', {
      rest: '  base:\n    user: "1000"\n    environment: {LEVEL: debug, MODE: fast, PGHOST: db}\n',
    });
    expect(variablesOf(written)).toEqual(['LEVEL: warn', 'MODE: fast', 'PGHOST: ${database.host}']);
    expect(written.lines).toContain('    user: "1000"');
  });

  it('of one in another file is named', () => {
    const { leftOut } = application('    build: .\n    extends: {service: base, file: common.yml}');
    expect(leftOut).toEqual([
      'extends base (common.yml) of api (compose.yml): what it has from there is not read without Docker Compose: write what the service needs of it into the spec',
    ]);
  });

  it('of a volume of the engine is an empty folder, and of its source what the image holds', () => {
    const { lines, leftOut } = application(
      '    build: .\n    volumes: ["cache:/cache", "packages:/srv/node_modules", {type: bind, source: ./src, target: /srv}]',
      { files: { Dockerfile: 'FROM node:22\nCOPY . .\nEXPOSE 3000\nCMD ["node", "server.js"]\n' } },
    );
    expect(lines).toContain('    volumes: [/cache]');
    expect(leftOut).toEqual([`src:/srv of api (compose.yml): ${NOT_MOUNTED}`]);
  });
});

describe('a service of a compose file whose image is that of this repository', () => {
  it('is what its Dockerfile builds, with all that the compose file says', async () => {
    const { lines, leftOut } = await proposedOf('own-image/a');
    expect(lines).toEqual([
      'services:',
      '  shop:',
      '    build: {context: ., dockerfile: Dockerfile}',
      '    port: 3000',
      '    env:',
      '      DATABASE_URL: "postgresql://${database.user}:${database.password}@${database.host}:${database.port}/${database.name}"',
      '      APP_SECRET: made-up-value-for-measuring-only',
      '      LOG_LEVEL: warn',
      '    ready: {path: /api/heartbeat, timeout: 30s}',
      'database:',
      '  image: "postgres:16-alpine"',
      '  name: shop',
      '  user: shop',
    ]);
    expect(leftOut).toEqual([
      'APP_SECRET of shop (docker-compose.yml): a secret by its name: the value in the spec is made up',
    ]);
  });

  it.each(['registry.example.org:5000/acme/api', 'acme/api:postgresql-latest', `api@sha256:${'ab'.repeat(32)}`])(
    'is known by its name: %s',
    (image) => {
      expect(application(`    image: "${image}"\n    environment: {LEVEL: warn}`).lines).toContain('      LEVEL: warn');
    },
  );

  it('is a stranger where it is called otherwise', () => {
    const { lines, leftOut } = application('    image: acme/other\n    environment: {LEVEL: warn}');
    expect(lines).not.toContain('      LEVEL: warn');
    expect(leftOut).toContain('api (compose.yml): not needed by what is measured');
  });
});

describe('a variable whose value is the name of Postgres in the compose file', () => {
  it.each([
    ['APP__DATABASE__HOST', ['PORT', 'NAME', 'USER', 'PASSWORD']],
    ['KC_DB_URL_HOST', ['PORT', 'DATABASE', 'USERNAME', 'PASSWORD']],
    ['SPRING_DATASOURCE_HOST', ['PORT', 'DB', 'USERNAME', 'PASS']],
    ['store_server', ['port', 'dbname', 'user', 'password']],
  ])('is the host of the database, and what stands beside it is of the database: %s', (name, ends) => {
    const prefix = name.replace(/HOST$|server$/, '');
    const values = ['5432', 'shop', 'shop', 'shop'];
    const beside = Object.fromEntries(ends.map((end, index) => [`${prefix}${end}`, values[index]!]));
    const parts = ['port', 'name', 'user', 'password'];
    expect(variablesOf(application(environment({ [name]: 'db', ...beside })))).toEqual([
      `${name}: \${database.host}`,
      ...ends.map((end, index) => `${prefix}${end}: \${database.${parts[index]}}`),
    ]);
  });

  it('is the host with its port, where it has one', () => {
    expect(variablesOf(application(environment({ STORE: 'db:5432' })))).toEqual([
      'STORE: ${database.host}:${database.port}',
    ]);
  });

  it('is kept where the variable names a kind, and where the value is another', () => {
    const values = {
      STORE_TYPE: 'db',
      APP_DRIVER: 'db',
      KC_DB: 'db',
      STORE_HOST: 'db',
      OTHER_HOST: 'dbx',
      OTHER_PORT: '1',
    };
    expect(variablesOf(application(environment(values)))).toEqual([
      ...['STORE_TYPE: db', 'APP_DRIVER: db', 'KC_DB: db', 'STORE_HOST: ${database.host}'],
      ...['OTHER_HOST: dbx', 'OTHER_PORT: 1'],
    ]);
  });
});

describe('a variable that ends as that of a database does', () => {
  const reading = (...names: string[]) =>
    variablesOf(
      application('    build: .', {
        files: { 'db.js': names.map((name) => `connect(process.env.${name});`).join('\n') },
      }),
    );

  it('is another database where the plain one is read as well', () => {
    expect(reading('DATABASE_URL', 'GEO_DATABASE_URL', 'LEGACY_DB_URL')).toEqual(['DATABASE_URL: ${database.url}']);
  });

  it('is none where its name is of something else', () => {
    expect(reading('GEO_DATABASE_URL', 'MAXMIND_DB_URL')).toEqual(['DATABASE_URL: ${database.url}']);
  });

  it('is the database where it is the only one', () => {
    expect(reading('SHOP_DATABASE_URL')).toEqual(['SHOP_DATABASE_URL: ${database.url}']);
  });
});

describe('a database that is named in a URL', () => {
  it('is told with user and password where these stand behind it', () => {
    const asWritten = 'postgres://db/shop?sslmode=require&user=ann&password=b';
    const url = '?sslmode=disable&user=${database.user}&password=${database.password}';
    const jdbc = 'jdbc:postgresql://db:5432/shop?user=ann&password=b';
    expect(variablesOf(application(environment({ APP_DSN: asWritten, JDBC_URL: jdbc })))).toEqual([
      `APP_DSN: \${database.url}${url}`,
      'JDBC_URL: jdbc:postgresql://${database.host}:${database.port}/${database.name}?user=${database.user}&password=${database.password}',
    ]);
  });
});

describe('a command for development', () => {
  const reloading = '    build: .\n    command: uvicorn app.main:app --reload --workers 1';
  const linesWith = (end: string) =>
    application(reloading, { files: { Dockerfile: `FROM python:3.12\nCOPY . .\nEXPOSE 3000\n${end}\n` } }).lines;
  const command = '    command: [uvicorn, "app.main:app", "--workers", "1"]';

  it('is not taken where the image has one of its own', () => {
    expect(linesWith('CMD ["uvicorn", "app.main:app"]')).not.toContainEqual(expect.stringContaining('command:'));
    expect(linesWith('ENTRYPOINT ["./server"]')).not.toContainEqual(expect.stringContaining('command:'));
  });

  it("is the image's own without what starts it again, where that would as well", () => {
    const own = '    command: [uvicorn, "app.main:app", "--host", "0.0.0.0"]';
    expect(linesWith('CMD ["uvicorn", "app.main:app", "--host", "0.0.0.0", "--reload"]')).toContain(own);
    expect(linesWith('CMD uvicorn app.main:app --reload --host 0.0.0.0')).toContain(
      '    command: [sh, "-c", "uvicorn app.main:app --host 0.0.0.0"]',
    );
    expect(
      application('    build: .', { files: { Dockerfile: 'FROM python:3.12\nCOPY . .\nCMD ["serve", "--reload"]\n' } })
        .lines,
    ).toContain('    command: [serve]');
  });

  it('is taken without what starts it again where the image only has a script that waits to be told', () => {
    expect(linesWith('ENTRYPOINT ["/srv/entrypoint.sh"]')).toContain(command);
    expect(linesWith('ENTRYPOINT /srv/entrypoint.sh')).toContain(command);
    expect(linesWith('')).toContain(command);
  });
});

describe('several compose files in a folder', () => {
  const database = '  db: {image: "postgres:16"}\n';
  const api =
    '  api: {build: ., ports: ["3000:3000"], environment: {DATABASE_URL: "postgres://db/a"}, depends_on: [db]}\n';
  const projectOf = (files: Record<string, string>) =>
    application('    image: none', {
      files: Object.fromEntries(Object.entries(files).map(([name, services]) => [name, `services:\n${services}`])),
    }).lines;

  it('are read together where the plain one starts only what stands beside the program', () => {
    const lines = projectOf({ 'compose.yml': database, 'compose.full.yml': api });
    expect(lines).toContain('      DATABASE_URL: "${database.url}"');
    expect(lines).toContain('  image: "postgres:16"');
  });

  it('count for production before others, and never for tests', () => {
    const told = (value: string) => `  api: {build: ., ports: ["3000:3000"], environment: {KIND: ${value}}}\n`;
    const files = { 'compose.yml': database, 'compose.all.yml': told('all'), 'compose.ci-test.yml': told('test') };
    expect(projectOf(files)).toContain('      KIND: all');
    expect(projectOf({ ...files, 'compose.prod.yml': told('prod') })).toContain('      KIND: prod');
  });

  it('count by their plain name where that builds the program', () => {
    const plain = '  api: {build: ., ports: ["3000:3000"], environment: {KIND: plain}}\n';
    const other = '  api: {build: ., ports: ["3000:3000"], environment: {KIND: other}}\n';
    expect(projectOf({ 'compose.yml': plain, 'compose.full.yml': other })).toContain('      KIND: plain');
  });
});

describe('a program that a compose file starts several times', () => {
  const started = (rest: string) =>
    application('    build: .\n    command: ["./server", "--peer=http://other"]', { rest });

  it('is one service, whatever its options', () => {
    const { leftOut } = started('  other: {build: ., command: ["./server", "--port=3001"], ports: ["3001:3001"]}\n');
    expect(leftOut).toContain('other (compose.yml): the same program as api, which is measured');
  });

  it('is another one with other words, or other variables', () => {
    expect(started('  other: {build: ., command: ["./admin"], ports: ["3001:3001"]}\n').leftOut).toEqual([]);
    const told = '  other: {build: ., command: ["./server"], ports: ["3001:3001"], environment: {ROLE: admin}}\n';
    expect(started(told).leftOut).toEqual([]);
  });
});

describe('a file of variables, whatever it is called', () => {
  const files = { '.env_docker': 'LEVEL=warn\n', '.env.production': 'TOKEN=mine\n' };
  const own = application('    build: .\n    env_file: [.env_docker, .env.production]', {
    files,
    notCheckedIn: ['.env.production'],
  });

  it('is read where it is checked in, and never from one machine alone', () => {
    expect(Object.keys(files).map(isTelling)).toEqual([true, true]);
    expect(variablesOf(own)).toEqual(['LEVEL: warn', 'DATABASE_URL: ${database.url}']);
    expect(own.leftOut).toContainEqual(expect.stringMatching(/^env_file \.env\.production of api \(compose\.yml\): /));
  });
});

describe('a file of variables that is not checked in', () => {
  it.each(['.env.dev-sample', '.env.dev.example', '.env.dev_template'])('is read from its example: %s', (name) => {
    const own = application('    build: .\n    env_file: [.env.dev]', { files: { [name]: 'LEVEL=warn\n' } });
    expect(variablesOf(own)).toContain('LEVEL: warn');
    expect(isTelling(name)).toBe(true);
  });
});

describe('secrets of a stack that no checkout has', () => {
  const service = `${environment({
    DB_HOST: 'db',
    DB_USER: 'shop',
    DB_PASSWORD_FILE: '/run/secrets/db_password',
    PASSWORD_SALT__FILE: '/run/secrets/salt',
    CERTIFICATE_FILE: '/etc/api/certificate.pem',
  })}\n    secrets: [db_password, {source: password_salt, target: salt, mode: "0400"}]`;

  it.each([
    ['of variables of whoever starts it', '{environment: DB_PASSWORD}', '{environment: SALT}'],
    ['of files that are kept out of git', '{file: ./secrets/db}', '{file: ./secrets/salt}'],
    ['of somebody else', '{external: true}', '{external: true}'],
  ])('%s are variables of the service', (_, password, salt) => {
    const { lines, leftOut } = application(service, {
      rest: `secrets:\n  db_password: ${password}\n  password_salt: ${salt}\n`,
    });
    expect(variablesOf({ lines })).toEqual([
      'DB_HOST: ${database.host}',
      'DB_USER: ${database.user}',
      'DB_PASSWORD: ${database.password}',
      'PASSWORD_SALT: made-up-value-for-measuring-only',
      'CERTIFICATE_FILE: /etc/api/certificate.pem',
    ]);
    expect(leftOut.filter((said) => said.includes('secret'))).toEqual([
      'PASSWORD_SALT of api (compose.yml): a secret by its name: the value in the spec is made up',
    ]);
  });

  it('are files where the checkout has them', () => {
    const { lines } = application(service, {
      files: { 'secrets/db': 'dev', 'secrets/salt': 'dev' },
      rest: 'secrets:\n  db_password: {file: ./secrets/db}\n  password_salt: {file: ./secrets/salt}\n',
    });
    expect(variablesOf({ lines })).toContain('PASSWORD_SALT__FILE: /run/secrets/salt');
  });
});

describe('a Dockerfile in a folder of scripts', () => {
  it('builds what the compose file has by its published name', () => {
    const { specs } = proposal(
      [
        {
          path: 'go.mod',
          content: 'module github.com/acme/notes\n\ngo 1.26\n\nrequire github.com/labstack/echo/v4 v4.1.0\n',
        },
        { path: 'main.go', content: 'package main\n\nfunc main() {\n\te := echo.New()\n\te.GET("/notes", list)\n}\n' },
        {
          path: 'scripts/Dockerfile',
          content: 'FROM golang:1.26\nCOPY go.mod go.sum ./\nCOPY . .\nEXPOSE 5230\nCMD ["./notes"]\n',
        },
        {
          path: 'scripts/compose.yaml',
          content: 'services:\n  notes:\n    image: acme/notes:stable\n    ports: ["5230:5230"]\n',
        },
      ],
      { folderName: 'notes', isSecret },
    );
    expect(specs.map(({ content }) => /services:\n(.*\n.*\n)/.exec(content)![1])).toEqual([
      '  notes:\n    build: {context: ., dockerfile: scripts/Dockerfile}   # scripts/compose.yaml\n',
    ]);
  });
});

describe('a store whose name stands in the code alone', () => {
  const server = (code: string) => ({
    'server.js': `const app = require('express')();\n${code}\napp.get('/a', (q, r) => r.send('a'));\napp.listen(3000);\n`,
  });

  it.each([
    "redis.createClient({host: 'cache', port: 6379});",
    'redis.createClient("redis://cache:6379");',
    "new Redis({\n  host: process.env.REDIS_HOST || 'cache',\n});",
  ])('stands beside the service: %s', (code) => {
    const { lines } = application('    build: .', { files: server(code), rest: '  cache: {image: "redis:8"}\n' });
    expect(lines.join('\n')).toContain('dependencies:\n  cache:\n    image: "redis:8"\n');
  });

  it('does not where it is of a profile', () => {
    const { lines } = application('    build: .', {
      files: server("redis.createClient({host: 'cache'});"),
      rest: '  cache: {image: "redis:8", profiles: [cache]}\n',
    });
    expect(lines).not.toContain('dependencies:');
  });

  it('does not where nothing names it, and no other service does because its name is a word', () => {
    const rest = '  cache: {image: "redis:8"}\n  frontend: {image: acme/frontend}\n';
    const { leftOut } = application('    build: .', { files: server("cors({origin: 'http://frontend:8080'});"), rest });
    expect(leftOut).toEqual(['cache, frontend: not needed by what is measured']);
  });
});

describe('a compose file that builds for development', () => {
  const stages = (last: string) => `FROM rust:1 AS base
COPY . /code
FROM base AS development
EXPOSE 3000
CMD ["cargo", "run"]
FROM base AS builder
RUN cargo build --release
${last}`;
  const deployed = 'FROM debian:12\nCOPY --from=builder /code/target/release/api /api\nEXPOSE 3000\nCMD ["/api"]\n';
  const builtAs = (service: string, last: string) => {
    const { lines, leftOut } = application(service, { files: { Dockerfile: stages(last) } });
    return [
      lines.find((line) => line.includes('build:'))!.trim(),
      ...leftOut.filter((said) => said.includes('target')),
    ];
  };
  const development = '    build: {context: ., target: development}';

  it('is measured as its Dockerfile builds it in the end, and that is said', () => {
    expect(builtAs(development, deployed)).toEqual([
      'build: {context: ., dockerfile: Dockerfile}',
      'target development of api (compose.yml): a development stage: the last stage of the Dockerfile is measured, which is what is deployed',
    ]);
  });

  it('is measured so where a stage before the last one is for development as well', () => {
    const [build] = builtAs(development, `FROM base AS dev-envs\nRUN apt-get install -y vim\n${deployed}`);
    expect(build).toBe('build: {context: ., dockerfile: Dockerfile}');
  });

  it('is no second service where the last stage has both', () => {
    const { lines, leftOut } = application('    build: {context: ., target: backend-dev}', {
      files: { Dockerfile: stages(deployed).replace('AS development', 'AS backend-dev') },
      rest: '  client:\n    build: {context: ., target: client-dev}\n    ports: ["5173:5173"]\n',
    });
    expect(lines.filter((line) => /^ {2}\w+:$/.test(line))).toEqual(['  api:']);
    expect(leftOut).toContain(
      'client (compose.yml): a development stage: another service is what its Dockerfile builds in the end',
    );
  });

  it.each([
    ['it starts it in a way of its own', `${development}\n    command: cargo watch -x run`, deployed],
    ['what is deployed listens elsewhere', development, deployed.replace('3000', '80')],
    [
      'what is deployed serves files',
      development,
      'FROM nginx:1\nCOPY --from=builder /code/out /usr/share/nginx/html\n',
    ],
    ['what is deployed does not start by itself', development, 'FROM debian:12\nCOPY --from=builder /code/api /api\n'],
    [
      'the last stage is for development as well',
      development,
      `FROM debian:12 AS debug\n${deployed.split('\n').slice(1).join('\n')}`,
    ],
    ['its target is another', '    build: {context: ., target: builder}', deployed],
  ])('is measured as it is where %s', (_, service, last) => {
    const target = /target: (\w+)/.exec(service)![1];
    expect(builtAs(service, last)).toEqual([`build: {context: ., dockerfile: Dockerfile, target: ${target}}`]);
  });
});
