import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../src/core/config/read.ts';
import { groupedLeftOut } from '../../../src/core/detection/left-out.ts';
import { proposal, type RepositoryFile } from '../../../src/core/detection/proposal.ts';
import { isSecretVariable } from '../../../src/core/record/secret-names.ts';

const proposed = (files: Record<string, string>) =>
  proposal(
    Object.entries(files).map(([path, content]): RepositoryFile => ({ path, content })),
    { folderName: 'shop', isSecret: isSecretVariable },
  );
const specOf = (files: Record<string, string>) => readSpec(proposed(files).specs[0]!.content, 'wrkbench.yml');
const leftOutOf = (files: Record<string, string>) =>
  groupedLeftOut(proposed(files).leftOut).map(({ what, why }) => `${what}: ${why}`);

/** A compose service with its environment, beside Postgres and a cache. */
const composeOf = (service: string) => ({
  'compose.yml': `services:
  api:
    build: .
    ports: ["8000:8000"]
${service.replaceAll(/^/gm, '    ')}
  db: {image: "postgres:17"}
  cache: {image: "redis:8"}
`,
});
const environmentOf = (line: string) => specOf(composeOf(`environment:\n  ${line}`)).services[0]!.env;

describe('what a service is told', () => {
  it.each([
    ['DATABASE_URL: postgres://u:p@db:5432/shop', '${database.url}'],
    ['DATABASE_URL: postgres://u:p@db/shop?sslmode=require', '${database.url}?sslmode=disable'],
    [
      'DATABASE_URL: postgresql+asyncpg://u:p@db:5432/shop',
      'postgresql+asyncpg://${database.user}:${database.password}@${database.host}:${database.port}/${database.name}',
    ],
    [
      'SPRING_DATASOURCE_URL: jdbc:postgresql://db:5432/shop',
      'jdbc:postgresql://${database.host}:${database.port}/${database.name}',
    ],
    [
      'DATABASE_URL: "${DATABASE_URL:-postgresql://u:p@db/shop?schema=public}"',
      'postgresql://${database.user}:${database.password}@${database.host}:${database.port}/${database.name}?schema=public',
    ],
    [
      'DSN: host=db user=u password=p dbname=shop port=5432 sslmode=disable',
      'host=${database.host} port=${database.port} dbname=${database.name} user=${database.user} password=${database.password} sslmode=disable',
    ],
    [
      'ConnectionStrings__Shop: "Host=db;Username=u;Password=p;Database=shop"',
      'Host=${database.host};Port=${database.port};Database=${database.name};Username=${database.user};Password=${database.password}',
    ],
    ['SHOP_DB_HOSTNAME: db', '${database.host}'],
    ['WORKERS: 4', '4'],
    ['TEMPLATE: "$${name}"', '$${name}'],
    ['API_TOKEN: s3cr3t', 'made-up-value-for-measuring-only'],
    ['SECRET_KEY: ""', 'made-up-value-for-measuring-only'],
    ['PORT: 8000', '${port}'],
    ['CACHE: "redis://cache:6379/1"', 'redis://${cache.host}:${cache.port}/1'],
    ['CACHE_HOST: cache', '${cache.host}'],
    ['CACHE_DRIVER: cache', 'cache'],
    ['PASSWORD_RESET_DISABLED: 1', '1'],
    ['JWT_TOKEN_EXPIRES_IN: 15m', '15m'],
    ['JWT_KEY_FILE: ./keys/jwt.pem', './keys/jwt.pem'],
    ['TOKEN_COOKIE_SECURE: "false"', 'false'],
    ['DB_TARGET_SESSION_ATTRS: read-write', 'read-write'],
    ['FORCE_HTTPS: "True"', 'False'],
    ['SECURE_SSL_REDIRECT: 1', '0'],
    ['ALLOWED_HOSTS: localhost', '*'],
    ['APP_PASSWORD: changeme', 'made-up-value-for-measuring-only'],
  ])('is %s as %s', (line, value) => {
    expect(Object.values(environmentOf(line))[0]).toBe(value);
  });

  it.each([
    ['QUEUE: "amqp://elsewhere"', 'it points to amqp, which is not started'],
    ['SENTRY_DSN: "https://key@sentry.example.org/1"', 'it looks like a secret, and points to something outside'],
    ['REGION: "${REGION}"', 'no file has a value'],
    ['MAPS_API_KEY: ""', 'no file has a value'],
    ['BUCKET: bucket_name_here', 'only holds a place: write your own value'],
    ['ANALYTICS_ID: xx-xxxx-x', 'only holds a place: write your own value'],
  ])('is not %s, and the reason is named', (line, why) => {
    const name = line.split(':')[0]!;
    expect(Object.keys(environmentOf(line))).not.toContain(name);
    expect(leftOutOf(composeOf(`environment:\n  ${line}`))).toContain(`${name} of api (compose.yml): ${why}`);
    expect(proposed(composeOf(`environment:\n  ${line}`)).specs[0]!.content).toContain(
      `# - ${name} of api (compose.yml): ${why}\n`,
    );
  });

  it('is the variables that its code reads about its database, where no file has a value', () => {
    const manifest = JSON.stringify({ scripts: { start: 'node a.js' }, dependencies: { pg: '8' } });
    const codeWith = (code: string) => ({ 'package.json': manifest, 'a.js': `require('http').createServer();${code}` });
    expect(specOf(codeWith('connect(process.env.SHOP_DATABASE_URL, process.env.REGION)')).services[0]!.env).toEqual({
      SHOP_DATABASE_URL: '${database.url}',
    });
    expect(specOf(codeWith('connect(process.env.PGHOST, process.env.PGPASSWORD)')).services[0]!.env).toEqual({
      PGHOST: '${database.host}',
      PGPASSWORD: '${database.password}',
    });
    expect(proposed(codeWith('')).specs[0]!.content).toContain(
      'DATABASE_URL: "${database.url}"   # a guess: no file names the variable that holds the address of its database\n',
    );
  });
});

describe('the port that a server in Node.js is told', () => {
  const portOf = (files: Record<string, string>) => specOf(files).services[0]!.env.PORT;
  const generated = { 'package.json': '{"scripts": {"start": "node ./bin/www"}, "dependencies": {"express": "4"}}' };

  it('is that of the spec where no file names the one that it has', () => {
    expect(portOf({ ...generated, 'app.js': 'const app = express();' })).toBe('${port}');
    const next = '{"scripts": {"start": "next start"}, "dependencies": {"next": "16"}}';
    expect(portOf({ 'package.json': next, 'app/page.tsx': 'export default Page' })).toBe('${port}');
  });

  it('is none where its code names one and reads no variable', () => {
    expect(portOf({ ...generated, 'app.js': 'express().listen(3000);' })).toBeUndefined();
  });
});

describe('the command of a compose service', () => {
  it.each([
    ['command: uvicorn app:app --workers 2', ['uvicorn', 'app:app', '--workers', '2']],
    ['command: ["node", "server.js"]', ['node', 'server.js']],
    ['command: migrate && serve', ['sh', '-c', 'migrate && serve']],
    [`command: serve --name "two words"`, ['serve', '--name', 'two words']],
  ])('is that of the spec: %s', (line, command) => {
    expect(specOf(composeOf(line)).services[0]!.command).toEqual(command);
  });
});

describe('the database', () => {
  const database = (lines: string) =>
    specOf({
      'compose.yml': `services:\n  api: {build: ., ports: ["80:80"]}\n  db:\n    image: postgres:17\n${lines.replaceAll(/^/gm, '    ')}\n`,
      'sql/2.sql': 'insert into a values (1);',
      'sql/1.sql': 'create table a (b int);',
      'sql/deeper/3.sql': '',
    }).database;

  it('has the settings of its command, without those that a run sets itself', () => {
    expect(database('command: postgres -c max_connections=200 --shared-buffers=1GB -c port=6000')?.settings).toEqual({
      max_connections: '200',
      shared_buffers: '1GB',
    });
  });

  it('has the SQL files of a folder that is mounted for its first start', () => {
    expect(database('volumes: ["./sql:/docker-entrypoint-initdb.d:ro"]')?.init).toEqual(['sql/1.sql', 'sql/2.sql']);
  });

  it('is not made with SQL files of which nobody says so, which are named', () => {
    const files = {
      ...composeOf('depends_on: [db]'),
      'migrations/1.sql': 'create table a (b int);',
      'migrations/2.sql': 'create table b (b int);',
      'seed.sql': 'insert into a values (1);',
    };
    expect(specOf(files).database?.init).toEqual([]);
    expect(leftOutOf(files)).toEqual(
      expect.arrayContaining([
        'migrations/*.sql (2 files), seed.sql: name it in database.init where the service does not run it itself',
      ]),
    );
  });

  it('has no role of the owner', () => {
    expect(database('environment: {POSTGRES_USER: postgres, POSTGRES_DB: shop}')).toMatchObject({
      name: 'shop',
      user: 'bench',
    });
  });
});

describe('what is built and is no server', () => {
  const server = '  api: {build: ./api, ports: ["80:80"]}\n';
  const compose = (lines: string, files: Record<string, string> = {}) =>
    leftOutOf({ 'compose.yml': `services:\n${server}${lines}`, 'api/Dockerfile': 'FROM node', ...files });

  it.each([
    ['  bench: {build: ./bench}\n', {}, 'bench (compose.yml): taken for what loads the servers'],
    ['  x: {build: ./x}\n', { 'x/Dockerfile': 'FROM grafana/k6:1' }, 'x (compose.yml): taken for what loads'],
    ['  x: {build: ./x}\n', { 'x/Dockerfile': 'FROM nginx:1' }, 'x (compose.yml): it serves files or passes'],
    ['  x: {build: ./x}\n', { 'x/Dockerfile': 'FROM node' }, 'x (compose.yml): no port and no route'],
    ['  x: {build: ./api, command: work}\n', {}, 'x (compose.yml): no port, and built from the same files'],
    [
      '  css: {build: {context: ./api, target: assets}, command: yarn build}\n',
      {},
      'css (compose.yml): no port, and built from the same files',
    ],
    ['', { 'other/Dockerfile': 'FROM node' }, 'other/Dockerfile: no service of compose.yml is built from it'],
  ])('is left out with its reason: %s%j', (lines, files, sentence) => {
    expect(compose(lines, files).join('\n')).toContain(sentence);
  });

  it('is what starts from a stage that starts from such an image', () => {
    const dockerfile =
      'FROM node AS build\nFROM nginx:1 AS web\nFROM web\nCOPY --from=build /dist /usr/share/nginx/html';
    expect(compose('  site: {build: ./site}\n', { 'site/Dockerfile': dockerfile })[0]).toContain('(nginx:1)');
  });
});

describe('when a service is ready', () => {
  const file = (path: string) => readFileSync(`fixtures/repositories/nestjs/${path}`, 'utf8');
  const nest = (prefix: string) => ({
    'package.json': file('package.json'),
    'src/main.ts': file('src/main.ts').replace("setGlobalPrefix('api')", `setGlobalPrefix('${prefix}')`),
    'src/health.controller.ts': file('src/health.controller.ts'),
  });

  it('is asked at its health path', () => {
    expect(specOf(nest('api')).services[0]!.ready.path).toBe('/api/health');
  });

  it('is not asked at a path that no request can have', () => {
    expect(specOf(nest('a b')).services[0]!.ready.path).toBe('/');
  });
});

describe('the port of a service in Python', () => {
  const fastApi = {
    'requirements.txt': 'fastapi[standard]\n',
    'app/main.py': `from fastapi import FastAPI\napp = FastAPI()\n@app.get('/ping')\ndef ping(): ...\n`,
  };
  const flask = (run: string) => ({
    'requirements.txt': 'flask\n',
    'app.py': `from flask import Flask\napp = Flask(__name__)\n@app.get('/ping')\ndef ping(): ...\n${run}\n`,
  });
  const image = { Dockerfile: 'FROM python\nCOPY . .\nCMD ["./start.sh"]\n' };
  const portLine = (files: Record<string, string>) => /^ {4}port: .*/m.exec(proposed(files).specs[0]!.content)?.[0];

  it('is that of the command in its Dockerfile', () => {
    const command = 'FROM python\nCMD ["fastapi", "run", "app/main.py", "--port", "80"]\n';
    expect(portLine({ ...fastApi, Dockerfile: command })).toBe('    port: 80   # Dockerfile');
  });

  it('is a guess where no file names it: the usual one of its framework, which is asked for', () => {
    expect(portLine({ ...fastApi, ...image })).toBe('    port: 8000   # a guess: no file names it');
    expect(portLine({ ...flask(''), ...image })).toBe('    port: 5000   # a guess: no file names it');
    expect(proposed({ ...flask(''), ...image }).questions).toMatchObject([{ key: 'port shop', proposed: '5000' }]);
  });

  it('is 5000 where Flask is run and told no other', () => {
    expect(portLine({ ...flask("app.run(host='0.0.0.0')"), ...image })).toBe('    port: 5000   # app.py');
    expect(portLine({ ...flask("app.run(host='0.0.0.0', port=5001)"), ...image })).toBe('    port: 5001   # app.py');
  });

  it.each([
    "app.run(host=os.getenv('HOST'), port=int(os.getenv('PORT')))",
    "# app.run(host='0.0.0.0')",
    'subprocess.run(words)',
  ])('is a guess beside %s', (run) => {
    expect(portLine({ ...flask(run), ...image })).toBe('    port: 5000   # a guess: no file names it');
  });

  it('is no guess where the command of the spec says it', () => {
    expect(portLine(fastApi)).toBe('    port: 8000');
    expect(portLine(flask(''))).toBe('    port: 5000');
    expect(proposed(fastApi).questions).toEqual([]);
  });
});

describe('several services', () => {
  const service = (name: string, paths: string[]) => ({
    [`${name}/Dockerfile`]: 'FROM node\nEXPOSE 80',
    [`${name}/package.json`]: '{"scripts": {"start": "node a.js"}}',
    [`${name}/a.js`]: `const app = express(); ${paths.map((path) => `app.get('${path}', f);`).join(' ')}`,
  });

  it('stand in one spec where they answer the same, which is what they are asked', () => {
    const { specs } = proposed({
      ...service('go', ['/ping', '/users', '/own']),
      ...service('node', ['/ping', '/users', '/health']),
    });
    expect(specs.map(({ path }) => path)).toEqual(['wrkbench.yml']);
    const { services, endpoints } = readSpec(specs[0]!.content, 'x');
    expect([services.map(({ name }) => name), endpoints.map(({ path }) => path)]).toEqual([
      ['go', 'node'],
      ['/ping', '/users'],
    ]);
  });

  it('stand in specs of their own where all that they share is a start page and a health path', () => {
    const { specs } = proposed({
      ...service('shop', ['/', '/health', '/orders']),
      ...service('mail', ['/', '/health', '/letters']),
    });
    expect(specs.map(({ path }) => path)).toEqual(['wrkbench.mail.yml', 'wrkbench.shop.yml']);
  });
});

describe('settings that are classes within classes', () => {
  it('are told each field by the names of both, as the example has them', () => {
    const settings = `from pydantic import BaseModel
from pydantic_settings import BaseSettings

class Database(BaseModel):
    hostname: str = "postgres"
    username: str = "postgres"

class Security(BaseModel):
    allowed_hosts: list[str] = []

class Settings(BaseSettings):
    database: Database
    security: Security
    model_config = SettingsConfigDict(env_nested_delimiter="__")
`;
    const spec = specOf({
      Dockerfile: 'FROM python:3.13\nCOPY app app\nEXPOSE 8000\nCMD ["uvicorn", "app.main:app", "--host", "0.0.0.0"]\n',
      'requirements.txt': 'fastapi\nasyncpg\npydantic-settings\n',
      'app/main.py': 'from fastapi import FastAPI\napp = FastAPI()\n\n@app.get("/a")\ndef a():\n    return 1\n',
      'app/config.py': settings,
      '.env.example':
        'DATABASE__HOSTNAME=localhost\nDATABASE__USERNAME=u\nSECURITY__ALLOWED_HOSTS=["localhost"]\nPROMETHEUS__ENABLED=true\n',
      'compose.yml': 'services:\n  postgres_db: {image: "postgres:17"}\n',
    });
    expect(spec.services[0]!.env).toEqual({
      DATABASE__HOSTNAME: '${database.host}',
      DATABASE__USERNAME: '${database.user}',
      SECURITY__ALLOWED_HOSTS: '["*"]',
    });
  });
});
