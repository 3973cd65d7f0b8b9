import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateSpec } from '../../../src/app/validate.ts';
import { groupedLeftOut } from '../../../src/core/detection/left-out.ts';
import { proposal } from '../../../src/core/detection/proposal.ts';
import { isSecretVariable } from '../../../src/core/record/secret-names.ts';

interface Told {
  /** Lines of the spec without their comments and endpoints. */
  spec: string[];
  leftOut: string[];
}

const NODE = {
  Dockerfile: 'FROM node:22\nCOPY . .\nEXPOSE 3000\nCMD ["node", "server.js"]\n',
  'package.json': '{"name": "shop", "dependencies": {"express": "4"}}',
  'server.js': "const app = express();\napp.get('/a', f);\napp.listen(3000);\n",
};

/** `checkedIn`: what a checkout has besides the files that are read. */
function told(files: Record<string, string>, checkedIn: readonly string[] | null = []): Told {
  const all = Object.entries(files).map(([path, content]) => ({ path, content }));
  const checkout = checkedIn === null ? null : [...Object.keys(files), ...checkedIn];
  const { specs, leftOut } = proposal(all, { folderName: 'shop', isSecret: isSecretVariable, checkout });
  for (const { path, content } of specs) expect(validateSpec(content, path).text).toMatch(/ is valid: /);
  const lines = specs[0]!.content.split('\n').map((line) => line.replace(/(?<=\S) {2,}#.*$/, ''));
  return {
    spec: lines.slice(lines.indexOf('services:') + 1, lines.indexOf('endpoints:')).filter((line) => line.trim() !== ''),
    leftOut: groupedLeftOut(leftOut).map(({ what, why }) => `${what}: ${why}`),
  };
}

const compose = (text: string, more: Record<string, string> = {}, checkedIn: readonly string[] | null = []) =>
  told({ ...NODE, 'compose.yml': text, ...more }, checkedIn);
/** A section of a spec, without its name. */
const section = ({ spec }: Told, name: string) => {
  const start = spec.indexOf(`${name}:`);
  const rest = spec.slice(start + 1);
  const end = rest.findIndex((line) => /^\S/.test(line));
  return start < 0 ? [] : rest.slice(0, end < 0 ? rest.length : end);
};

describe('what stands beside a service in a compose file', () => {
  it('is a dependency where the service waits for it or is told of it, with all that its spec can hold', () => {
    const own = compose(
      `services:
  web:
    build: .
    ports: ["80:3000"]
    depends_on: [cache]
    environment:
      CACHE_URL: redis://:pw@cache:6379/0
      QUEUE: amqp://app:s3cret@queue:5672/
      QUEUE_PASSWORD: s3cret
      SMTP_HOST: mail
      SMTP_PORT: 1025
  cache: {image: "redis:8", command: redis-server --requirepass pw, volumes: ["data:/data"]}
  queue:
    image: rabbitmq:4-management
    environment: {RABBITMQ_DEFAULT_USER: app, RABBITMQ_DEFAULT_PASS: s3cret}
    volumes: ["./rabbit.conf:/etc/rabbitmq/rabbitmq.conf:ro"]
    healthcheck: {test: rabbitmq-diagnostics -q ping}
    mem_limit: 1g
  mail: {image: axllent/mailpit, ports: ["8025:8025"]}
  e2e: {image: acme/e2e, environment: {MAIL: "http://mail:8025"}, depends_on: [web]}
  adminer: {image: adminer}
  proxy: {image: "traefik:3"}
`,
      {},
      ['rabbit.conf'],
    );
    expect(own.spec).toEqual([
      '  web:',
      '    build: {context: ., dockerfile: Dockerfile}',
      '    port: 3000',
      '    env:',
      '      CACHE_URL: "redis://:pw@${cache.host}:${cache.port}/0"',
      '      QUEUE: "amqp://app:s3cret@${queue.host}:${queue.port}/"',
      '      QUEUE_PASSWORD: s3cret',
      '      SMTP_HOST: "${mail.host}"',
      '      SMTP_PORT: "${mail.port}"',
      '    # memory: 512m',
      'dependencies:',
      '  cache:',
      '    image: "redis:8"',
      '    command: [redis-server, "--requirepass", pw]',
      '    port: 6379',
      '    volumes: [/data]',
      '  queue:',
      '    image: "rabbitmq:4-management"',
      '    port: 5672',
      '    env:',
      '      RABBITMQ_DEFAULT_USER: app',
      '      RABBITMQ_DEFAULT_PASS: s3cret',
      '    files:',
      '      rabbit.conf: /etc/rabbitmq/rabbitmq.conf',
      '    ready: {command: [sh, "-c", "rabbitmq-diagnostics -q ping"], timeout: 2m}',
      '    memory: 1024m',
      '  mail:',
      '    image: axllent/mailpit',
      '    port: 1025',
    ]);
    expect(own.leftOut).toEqual([
      'e2e (compose.yml): taken for tests',
      'adminer (compose.yml): not needed by what is measured',
      'proxy (compose.yml): taken for a gateway: `gateway: nginx` measures every case once more through one',
    ]);
  });

  it('is not what takes traces and logs, of which the service is told nothing then', () => {
    const own = compose(
      `services:
  web:
    build: .
    ports: ["80:3000"]
    depends_on: [otel-collector]
    environment: {SHOP_TRACE_ENABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel-collector:4317", LEVEL: warn}
  otel-collector: {image: "otel/opentelemetry-collector:0.130.0"}
`,
    );
    expect(section(own, 'dependencies')).toEqual([]);
    expect(own.spec.filter((line) => /^ {6}/.test(line))).toEqual(['      LEVEL: warn']);
    expect(own.leftOut.join('\n')).toContain('SHOP_TRACE_ENABLED');
  });

  it('is MySQL too, with its data and without a word of Postgres', () => {
    const own = compose(`services:
  web:
    build: .
    ports: ["3000:3000"]
    environment: {DATABASE_HOST: database, DATABASE_PORT: 3306, DATABASE_NAME: shop, DATABASE_PASSWORD: pw}
    depends_on: {database: {condition: service_healthy}}
  database:
    image: mysql:8.4
    environment: {MYSQL_DATABASE: shop, MYSQL_ROOT_PASSWORD: pw}
`);
    expect(section(own, 'database')).toEqual([]);
    expect(own.spec.slice(3)).toEqual([
      '    env:',
      '      DATABASE_HOST: "${mysql.host}"',
      '      DATABASE_PORT: "${mysql.port}"',
      '      DATABASE_NAME: shop',
      '      DATABASE_PASSWORD: pw',
      '    # memory: 512m',
      'dependencies:',
      '  mysql:',
      '    image: "mysql:8.4"',
      '    port: 3306',
      '    alias: database',
      '    env:',
      '      MYSQL_DATABASE: shop',
      '      MYSQL_ROOT_PASSWORD: pw',
      '    volumes: [/var/lib/mysql]',
      '    ready: {timeout: 2m}',
    ]);
  });

  it('is found at its port of this machine by a program that no compose file starts', () => {
    const own = told({
      ...NODE,
      'compose.yml': 'services:\n  store: {image: "redis:8", ports: ["6380:6379"]}\n',
      '.env.example': 'REDIS_URL=redis://localhost:6380/1\n',
      'redis.js': 'connect(process.env.REDIS_URL);',
    });
    expect(section(own, 'dependencies')).toEqual(['  store:', '    image: "redis:8"', '    port: 6379']);
    expect(own.spec).toContain('      REDIS_URL: "redis://${store.host}:${store.port}/1"');
  });

  it('is guessed where variables alone speak of it', () => {
    const own = told({
      ...NODE,
      '.env.example': 'DATABASE_HOST=localhost\nDATABASE_PORT=3306\nDATABASE_USER=app\nDATABASE_PASSWORD=pw\n',
      'db.js':
        'read(process.env.DATABASE_HOST, process.env.DATABASE_PORT, process.env.DATABASE_USER, process.env.DATABASE_PASSWORD);',
    });
    expect(own.spec).toContain('      DATABASE_HOST: "${mysql.host}"');
    expect(section(own, 'dependencies').slice(0, 3)).toEqual(['  mysql:', '    image: "mysql:8.4"', '    port: 3306']);
    expect(own.leftOut[0]).toBe('mysql (.env.example): a guess: no compose file starts it, and mysql:8.4 is taken');
  });

  it('is another server of the repository, built here', () => {
    const own = compose(
      `services:
  web: {build: ., ports: ["3000:3000"], environment: {API: "http://api:8000"}}
  api: {build: ./api, expose: [8000], restart: always}
`,
      { 'api/Dockerfile': 'FROM python\nCOPY . .\n', 'api/requirements.txt': 'flask' },
    );
    expect(own.spec).toContain('      API: "http://${api.host}:${api.port}"');
    expect(section(own, 'dependencies')).toEqual([
      '  api:',
      '    build: {context: api, dockerfile: Dockerfile}',
      '    port: 8000',
      '    ready: {timeout: 2m}',
    ]);
  });

  it('is known by its name where a setting cannot be changed', () => {
    const own = compose(
      'services:\n  web: {build: ., ports: ["3000:3000"], depends_on: [db]}\n  db: {image: "postgres:18"}\n',
      {
        'config/application.yml': 'datasource: {url: "jdbc:postgresql://db:5432/shop"}',
      },
    );
    expect(section(own, 'database')).toEqual(['  image: "postgres:18"', '  alias: db']);
  });

  it.each([
    ['settings.py', 'host = os.getenv("POSTGRES_HOST", "db")'],
    ['config.js', "const host = process.env.DB_HOST || 'db';"],
    ['database.rb', "host: ENV.fetch('DATABASE_HOST', 'db')"],
    ['config.php', "'host' => $_ENV['DB_HOST'] ?? 'db',"],
  ])('is known by the name that code takes where nobody tells it: %s', (file, code) => {
    const own = compose(
      'services:\n  web: {build: ., ports: ["3000:3000"], depends_on: [db]}\n  db: {image: "postgres:18"}\n',
      { [file]: code },
    );
    expect(section(own, 'database')).toEqual(['  image: "postgres:18"', '  alias: db']);
  });

  it('is told as its code has it, where that has the whole address', () => {
    const own = compose(
      'services:\n  web: {build: ., ports: ["3000:3000"], depends_on: [db]}\n  db: {image: "postgres:18"}\n',
      {
        'db.js': "const pool = new Pool({connectionString: 'postgres://app:pw@db/shop'});",
      },
    );
    expect(own.spec).not.toContain('    env:');
    expect(section(own, 'database')).toEqual([
      '  image: "postgres:18"',
      '  alias: db',
      '  name: shop',
      '  user: app',
      '  password: pw',
    ]);
  });

  it('is told as the settings of its migrations have it', () => {
    const own = compose(
      `services:
  web: {build: ., ports: ["80:80"], depends_on: [db], environment: {DATABASE_URL: "postgresql+asyncpg://app:pw@db:5432/shop"}}
  db: {image: "postgres:18"}
`,
      { 'alembic.ini': '[alembic]\nsqlalchemy.url = postgresql+asyncpg://app:pw@db:5432/shop\n' },
    );
    expect(section(own, 'database')).toEqual([
      '  image: "postgres:18"',
      '  alias: db',
      '  name: shop',
      '  user: app',
      '  password: pw',
    ]);
  });

  it('is told by a file that both have, where that is checked in', () => {
    const secret = `services:
  web: {build: ., ports: ["3000:3000"], secrets: [password], depends_on: [db]}
  db: {image: "postgres:18", secrets: [password], environment: {POSTGRES_PASSWORD_FILE: /run/secrets/password}}
secrets: {password: {file: db/password.txt}}
`;
    const own = compose(secret, { 'db/password.txt': 'pw-of-all\n' });
    expect(section(own, 'database')).toEqual(['  image: "postgres:18"', '  user: postgres', '  password: pw-of-all']);
    expect(own.spec).toContain('      db/password.txt: /run/secrets/password');
    const unknown = compose(secret, { 'db/password.txt': 'pw-of-mine\n' }, null);
    expect(unknown.spec.join('\n')).not.toContain('pw-of-mine');
    const absent = compose(secret);
    expect(section(absent, 'database')).toEqual(['  image: "postgres:18"']);
    expect(absent.leftOut[0]).toBe(
      'secret password of web (compose.yml): it is read from /run/secrets/password, and no checkout has its file: name one in `files`',
    );
  });

  describe('in settings that the image holds', () => {
    const files = (env: string, dockerfile: string, path = 'env-example') => ({
      'compose.yml': `services:
  web: {build: ., ports: ["3000:3000"], depends_on: [postgres]}
  postgres:
    image: "postgres:18"
    environment: {POSTGRES_USER: "\${DB_USER}", POSTGRES_PASSWORD: "\${DB_PASSWORD}", POSTGRES_DB: shop}
`,
      ...NODE,
      Dockerfile: `FROM node:22\nCOPY . .\n${dockerfile}\nCMD node server.js\n`,
      [path]: env,
    });
    const ENV = 'DB_HOST=postgres\nDB_USER=ann\nDB_PASSWORD=secret\n';
    const access = ['  alias: postgres', '  name: shop', '  user: ann', '  password: secret'];

    it.each([
      ['made of an example', ENV, 'RUN if [ ! -f .env ]; then cp env-example .env; fi', 'env-example'],
      ['copied from one', ENV, 'COPY env-example ./.env', 'env-example'],
      ['checked in', ENV, '', '.env'],
      [
        'an address in it',
        `${ENV}DATABASE_URL=postgres://ann:secret@postgres/shop\n`,
        'ADD env-example .env',
        'env-example',
      ],
    ])('is the same as there, since they may go before what a container is told: %s', (_, env, line, path) => {
      expect(section(told(files(env, line, path)), 'database')).toEqual(['  image: "postgres:18"', ...access]);
    });

    it('is made for each run where the image holds none', () => {
      expect(section(told(files(ENV, '')), 'database')).toEqual([
        '  image: "postgres:18"',
        '  name: shop',
        '  user: ann',
      ]);
    });
  });

  it('is a Postgres that is built here', () => {
    const own = compose('services:\n  web: {build: ., ports: ["3000:3000"], depends_on: [db]}\n  db: {build: ./db}\n', {
      'db/Dockerfile': 'FROM postgres:17\nCOPY init.sql /docker-entrypoint-initdb.d/\n',
    });
    expect(section(own, 'database')).toEqual(['  build: {context: db, dockerfile: Dockerfile}']);
  });
});

describe('what runs before a service in a compose file', () => {
  const migrated = (job: string, more = '') => `services:
  web:
    build: .
    ports: ["3000:3000"]
    environment: {DATABASE_URL: "postgres://a:b@db/a"}
    depends_on: {job: {condition: service_completed_successfully}}
  job: ${job}
  db: {image: "postgres:18"}
${more}`;

  it('is a job in its image, without the waiting', () => {
    const own = compose(
      migrated(
        '{build: ., command: ./wait-for-it.sh db:5432 -- node migrate.js, environment: {LEVEL: debug, DATABASE_URL: x}}',
      ),
    );
    expect(section(own, 'prepare')).toEqual(['  - job: [node, migrate.js]', '    env:', '      LEVEL: debug']);
    expect(own.leftOut).toEqual([]);
  });

  it('is a job in an image of its own', () => {
    expect(section(compose(migrated('{image: "migrate/migrate:4", entrypoint: [migrate, up]}')), 'prepare')).toEqual([
      '  - job: [migrate, up]',
      '    image: "migrate/migrate:4"',
      '    entrypoint: []',
    ]);
  });

  it.each([
    ['{image: "migrate/migrate:4"}', 'only its image says how: write its command as a job of `prepare`'],
    ['{build: ./job, command: up}', 'is built for itself: build its image before, and write it as a job of `prepare`'],
  ])('is named first where no spec can hold it: %s', (job, why) => {
    const own = compose(migrated(job), { 'job/Dockerfile': 'FROM node\nCOPY . .\n' });
    expect(section(own, 'prepare')).toEqual([]);
    expect(own.leftOut[0]).toMatch(/^job \(compose\.yml\): /);
    expect(own.leftOut[0]).toContain(why);
  });

  it('is no worker, and no seed that goes on', () => {
    const own = compose(
      migrated('{build: ., command: node migrate.js}', '  worker: {build: ., command: node worker.js}\n'),
    );
    expect(own.leftOut).toEqual([
      'worker (compose.yml): no port, and built from the same files as another service: taken for a worker',
    ]);
  });
});

describe('what makes the tables of a service, and no compose file names', () => {
  const DJANGO = {
    'requirements.txt': 'django\npsycopg\n',
    'manage.py': 'import django',
    'app/settings.py': "import os\nDATABASES = os.environ['DATABASE_URL']\n",
  };
  const image = (line: string) => ({ Dockerfile: `FROM python\nCOPY . .\n${line}\n` });
  const GUNICORN = 'CMD ["gunicorn", "app.wsgi", "--bind", "0.0.0.0:8000"]';

  it('is a guess, where a tool for it is there and nothing runs it', () => {
    expect(section(told({ ...DJANGO, ...image(GUNICORN) }), 'prepare')).toEqual([
      '  - job: [python, manage.py, migrate, "--noinput"]',
    ]);
    const fastApi = {
      'requirements.txt': 'fastapi\nasyncpg\n',
      'main.py': 'app = FastAPI()',
      ...image('CMD fastapi run'),
    };
    const alembic = { 'alembic.ini': '' };
    const job = (files: Record<string, string>) => section(told({ ...fastApi, ...files }), 'prepare');
    expect(job(alembic)).toEqual(['  - job: [alembic, upgrade, heads]']);
    expect(job({ ...alembic, 'scripts/prestart.sh': 'alembic upgrade head' })).toEqual([
      '  - job: [bash, scripts/prestart.sh]',
    ]);
    expect(job({ 'scripts/migrate.sh': 'docker run postgres' })).toEqual([]);
    const aerich = {
      'migrations/models/0_2024_init.py': 'async def upgrade(db) -> str:\n    return "CREATE TABLE a"\n',
    };
    expect(job(aerich)).toEqual(['  - job: [aerich, upgrade]']);
    expect(job({ ...aerich, 'db.py': 'register_tortoise(app, generate_schemas=True)' })).toEqual([]);
    expect(job({ 'manage.py': 'from flask.cli import FlaskGroup' })).toEqual([]);
  });

  it.each([
    { ...DJANGO, ...image('CMD python manage.py migrate && gunicorn app.wsgi') },
    { ...DJANGO, ...image(GUNICORN), 'docker-entrypoint.sh': 'python manage.py migrate\nexec "$@"\n' },
    { ...DJANGO, ...image(GUNICORN), 'uwsgi.ini': 'hook-pre-app = exec:./manage.py migrate\n' },
    { ...DJANGO },
  ])('is nothing where something runs it, or where no image holds it', (files) => {
    expect(section(told(files), 'prepare')).toEqual([]);
  });
});

describe('migrations that are plain SQL', () => {
  const image = (line: string) => ({ Dockerfile: `FROM node\nCOPY . .\n${line}\n` });
  const init = (files: Record<string, string>) => section(told(files), 'database').filter((line) => /init/.test(line));
  const express = (scripts: Record<string, string> = {}) => ({
    'package.json': JSON.stringify({ dependencies: { express: '5', '@prisma/client': '6' }, scripts }),
    'server.js': 'express().listen(process.env.PORT || 3000); pg(process.env.DATABASE_URL);',
  });
  const PRISMA = {
    'src/prisma/schema.prisma': 'datasource db { provider = "postgresql" }',
    'src/prisma/migrations/2021_first/migration.sql': 'CREATE TABLE a (b int);',
    'src/prisma/migrations/2022_more/migration.sql': 'CREATE TABLE b (b int);',
  };
  const go = {
    'go.mod': 'module example.org/todo\nrequire github.com/lib/pq v1.10.9\n',
    'main.go': 'package main\nfunc main() { os.Getenv("DATABASE_URL"); http.ListenAndServe("0.0.0.0:8000", nil) }\n',
  };
  const rust = {
    'Cargo.toml': '[package]\nname = "mail"\n[dependencies]\naxum = "0.8"\nsqlx = { features = ["postgres"] }\n',
    'src/main.rs': 'fn main() { env::var("DATABASE_URL"); "0.0.0.0:8000" }',
    'migrations/20200823_users.sql': 'CREATE TABLE users (id int);',
  };
  const UP = { 'schema/000001_init.up.sql': 'CREATE TABLE a (b int);', 'schema/000001_init.down.sql': 'DROP TABLE a;' };

  it.each([
    ['src/prisma/migrations/*/migration.sql', { ...express(), ...PRISMA, ...image('CMD node server.js') }],
    ['schema/*.up.sql', { ...go, ...UP }],
    ['migrations/*.sql', { ...rust, 'scripts/init_db.sh': 'docker run postgres\nsqlx migrate run\n' }],
  ])('make the database, by a glob that those to come fit too: %s', (glob, files) => {
    expect(init(files)).toEqual([`  init: ["${glob}"]`]);
  });

  it.each([
    ['scripts for people', { migrate: 'prisma migrate deploy', dev: 'npm run migrate && node server.js' }, true],
    ['the start', { start: 'prisma migrate deploy && node server.js' }, false],
    ['what the start runs', { start: 'npm run migrate && node server.js', migrate: 'prisma migrate deploy' }, false],
    ['what runs before the start', { prestart: 'prisma migrate deploy', start: 'node server.js' }, false],
  ])('are left to the service where its package.json runs them: %s', (_, scripts, isInit) => {
    const files = { ...express(scripts), ...PRISMA, ...image('CMD npm start') };
    expect(init(files)).toHaveLength(isInit ? 1 : 0);
  });

  it.each([
    ['the image', { ...express(), ...PRISMA, ...image('CMD npx prisma migrate deploy && node server.js') }],
    ['a script of the image', { ...express(), ...PRISMA, ...image('CMD ./run.sh'), 'run.sh': 'npx prisma db push' }],
    ['the code', { ...express(), ...PRISMA, 'db.js': "execSync('npx prisma migrate deploy')" }],
    ['a library', { ...go, ...UP, 'db.go': 'import "github.com/golang-migrate/migrate/v4"' }],
    ['a macro', { ...rust, 'src/db.rs': 'sqlx::migrate!("./migrations").run(&pool)' }],
  ])('are left to the service where something else runs them: %s', (_, files) => {
    expect(init(files)).toEqual([]);
  });

  it('are left to their tool where one file holds the way back too', () => {
    const steps = '-- +goose Up\nCREATE TABLE a (b int);\n-- +goose Down\nDROP TABLE a;\n';
    expect(init({ ...rust, 'migrations/20200823_users.sql': steps })).toEqual([]);
  });
});

describe('what is for development alone', () => {
  it('is no service that catches mail, no reloading, and no way to run', () => {
    const own = compose(
      `services:
  maildev: {build: {context: ., dockerfile: maildev.Dockerfile}, ports: ["1080:1080"]}
  web:
    build: {context: ., target: none}
    command: sh -c "serve --reload --port 3000"
    ports: ["80:3000"]
    environment: {NODE_ENV: development, LEVEL: warn}
`,
      { Dockerfile: 'FROM node:22 AS none\nCOPY . .\n', 'maildev.Dockerfile': 'FROM node:22\nCMD ["maildev"]\n' },
    );
    expect(own.spec.filter((line) => /^ {2}\w/.test(line))).toEqual(['  web:']);
    expect(own.spec).toContain('    command: [sh, "-c", "serve --port 3000"]');
    expect(own.spec.filter((line) => /^ {6}/.test(line))).toEqual(['      LEVEL: warn']);
    expect(own.leftOut.join('\n')).toMatch(/NODE_ENV of web \(compose\.yml\): for development/);
  });
});

describe('a service that is called as what watches others', () => {
  it('is measured where it is all that is built, and its examples are no part of it', () => {
    const own = compose(
      'services:\n  pgweb: {build: ., ports: ["8081:8081"]}\n  mailhog: {image: mailhog/mailhog, ports: ["1025:1025"]}\n',
      {
        Dockerfile: 'FROM golang:1.26\nCOPY . .\nEXPOSE 8081\nCMD ["pgweb"]\n',
        'go.mod': 'module github.com/acme/pgweb\n\nrequire github.com/gin-gonic/gin v1.10.0\n',
        'main.go':
          'package main\n\nfunc main() {\n\tr := gin.New()\n\tr.GET("/api/tables", tables)\n\tr.Run(":8081")\n}\n',
        'config/examples/backend/main.go':
          'package main\n\nfunc main() {\n\tr := gin.New()\n\tr.GET("/backend", b)\n\tr.Run(":4567")\n}\n',
      },
    );
    expect(own.spec.filter((line) => /^ {2}\w/.test(line))).toEqual(['  pgweb:']);
    expect(own.spec).toContain('    port: 8081');
  });
});

describe('servers that an example of variables speaks of', () => {
  const names = (example: string) => {
    const read = ['DB_CONNECTION', 'DB_HOST', 'DB_PORT', 'REDIS_HOST', 'CACHE_DRIVER', 'QUEUE_CONNECTION'];
    const code = read.map((name) => `use(process.env.${name});\n`).join('');
    const server = { ...NODE, 'server.js': `${NODE['server.js']}${code}` };
    return section(told({ ...server, '.env.example': example }), 'dependencies').filter((line) => /^ {2}\w/.test(line));
  };

  it('are none that another line has something else for', () => {
    expect(names('DB_CONNECTION=mysql\nDB_HOST=127.0.0.1\nDB_PORT=3306\nREDIS_HOST=127.0.0.1\n')).toEqual([
      '  mysql:',
      '  redis:',
    ]);
    expect(names('DB_CONNECTION=sqlite\nDB_HOST=127.0.0.1\nDB_PORT=3306\n')).toEqual([]);
    expect(names('CACHE_DRIVER=file\nQUEUE_CONNECTION=sync\nREDIS_HOST=127.0.0.1\n')).toEqual([]);
    expect(names('CACHE_DRIVER=file\nQUEUE_CONNECTION=redis\nREDIS_HOST=127.0.0.1\n')).toEqual(['  redis:']);
  });
});

describe('variables that a compose file leaves to a file beside it', () => {
  const text = 'services: {web: {build: ., ports: ["80:${APP_PORT}"], environment: {LEVEL: warn}}}\n';
  const server = 'const app = express();\napp.use(jwt(process.env.JWT_SECRET));\napp.listen(process.env.APP_PORT);\n';

  it('are the secrets that its code reads, made up', () => {
    const own = compose(text, {
      'server.js': server,
      '.env.example': 'APP_PORT=3000\nJWT_SECRET=x\nOTHER_SECRET=y\nTITLE=Shop\n',
    });
    expect(own.spec).toContain('      JWT_SECRET: made-up-value-for-measuring-only');
    expect(own.spec.join('\n')).not.toMatch(/OTHER_SECRET|TITLE/);
  });

  it('are of the example for Postgres, where each way to run has its own', () => {
    const own = compose(text, {
      'server.js': server,
      'env-example-document': 'APP_PORT=4000\nDATABASE_URL=mongodb://db\n',
      'env-example-relational': 'APP_PORT=3000\nDATABASE_URL=postgres://db\n',
    });
    expect(own.spec).toContain('    port: 3000');
  });
});

describe('an image for development', () => {
  const dev = (dockerfile: string, build: string) =>
    compose(`services:\n  web: {build: ${build}, ports: ["3000:3000"], volumes: [".:/app"], command: npm run dev}\n`, {
      Dockerfile: dockerfile,
    });

  it('without the program is named first', () => {
    const own = dev('FROM node\nCOPY package.json .\nCMD npm run dev\n', '.');
    expect(own.leftOut[0]).toBe(
      'web (Dockerfile): its image holds no program, which the compose file mounts into it: it starts only where its Dockerfile copies it',
    );
  });

  it('is the last stage where that holds the program, and what it starts is measured', () => {
    const own = dev(
      'FROM node AS dev\nCOPY package.json .\nFROM dev\nCOPY . .\nCMD ["node", "server.js"]\n',
      '{context: ., target: dev}',
    );
    expect(own.spec).toEqual([
      '  web:',
      '    build: {context: ., dockerfile: Dockerfile}',
      '    port: 3000',
      '    # memory: 512m',
    ]);
    expect(own.leftOut).toEqual([
      'stage dev of web (Dockerfile): it holds no program, which is mounted into it: the last stage is built, which does',
      '.:/app of web (compose.yml): no folder is mounted: it runs with what its image holds',
      'the command of web (compose.yml): for development: what the Dockerfile starts is measured',
    ]);
  });
});

describe('what is mounted into a service', () => {
  it('is a file of the repository and a folder of settings, and no code', () => {
    const mounts = [
      './a.conf:/etc/a.conf',
      './settings:/etc/app:ro',
      './server.js:/app/server.js',
      './src:/app/src:ro',
    ];
    const own = compose(
      `services:\n  web: {build: ., ports: ["3000:3000"], volumes: ${JSON.stringify(mounts)}}\n`,
      {},
      ['a.conf', 'settings/b.conf', 'settings/c/d.conf', 'src/a.js'],
    );
    expect(own.spec.slice(3, 7)).toEqual([
      '    files:',
      '      a.conf: /etc/a.conf',
      '      settings/b.conf: /etc/app/b.conf',
      '      settings/c/d.conf: /etc/app/c/d.conf',
    ]);
    expect(own.leftOut).toEqual([
      'src:/app/src of web (compose.yml): no folder is mounted: it runs with what its image holds',
    ]);
  });

  it('is an empty folder where it is a volume or no checkout has it, unless the image fills it', () => {
    const mounts = ['data:/data', '/cache', './uploads:/srv/uploads', 'static:/app/static', '/app/node_modules'];
    const own = compose(`services:\n  web: {build: ., ports: ["3000:3000"], volumes: ${JSON.stringify(mounts)}}\n`);
    expect(own.spec).toContain('    volumes: [/data, /cache, /srv/uploads]');
    expect(own.leftOut).toEqual([]);
  });
});

describe('what a clean checkout lacks', () => {
  it('is named where an image is built of it', () => {
    const own = told({ ...NODE, Dockerfile: 'FROM node\nCOPY dist/api api\nCOPY package.json .\n' });
    expect(own.leftOut[0]).toBe(
      'the image of shop (Dockerfile): its build fails in a clean checkout, which lacks dist/api: make that in the Dockerfile',
    );
  });

  it('is not said of what is there, is a pattern or comes from a stage', () => {
    const lines = ['COPY src/ .', 'COPY *.json .', 'COPY --from=build dist .', 'ADD https://a.test/x /x'];
    const own = told({ ...NODE, Dockerfile: `FROM node AS build\nFROM node\n${lines.join('\n')}\n` }, ['src/a.js']);
    expect(own.leftOut).toEqual([]);
  });

  it('cannot be built at all, and the rest is', () => {
    const own = compose(
      'services:\n  web: {build: ., ports: ["3000:3000"]}\n  php: {build: ./vendor/sail/runtimes/8.4, ports: ["80:80"]}\n',
    );
    expect(own.spec[0]).toBe('  web:');
    expect(own.leftOut).toEqual(['php (compose.yml): no checkout has its build context vendor/sail/runtimes/8.4']);
  });

  it('is nothing that is said where nobody knows', () => {
    expect(told({ ...NODE, Dockerfile: 'FROM node\nCOPY dist/api api\nEXPOSE 3000\n' }, null).leftOut).toEqual([]);
  });
});

describe('files of variables', () => {
  it('that are absent have an example, beside the compose file or beside themselves', () => {
    const own = told(
      {
        ...NODE,
        'docker/compose.yml': 'services:\n  web: {build: .., ports: ["3000:3000"], env_file: [.env, ../app.env]}\n',
        'docker/.env.example': 'LEVEL=warn\nDB_SSLMODE=prefer\n',
        'app.env.example': 'MODE=fast\n',
      },
      [],
    );
    expect(own.spec).toEqual(expect.arrayContaining(['      LEVEL: warn', '      MODE: fast']));
    expect(own.leftOut).toEqual([]);
  });

  it('of one machine are read where they are checked in', () => {
    const files = {
      ...NODE,
      'compose.yml': 'services:\n  web: {build: ., ports: ["3000:3000"], environment: {LEVEL: "${LEVEL}"}}\n',
      '.env': 'LEVEL=warn\n',
    };
    expect(told(files).spec).toContain('      LEVEL: warn');
    const unknown = told(files, null);
    expect(unknown.spec).not.toContain('    env:');
    expect(unknown.leftOut).toEqual(['LEVEL of web (compose.yml): no file has a value']);
  });
});

describe('which Dockerfile is a server', () => {
  it.each(['packaging/debian', 'packaging/rpm', 'ci', 'debian'])('none of %s', (folder) => {
    const own = told({ ...NODE, [`${folder}/Dockerfile`]: 'FROM debian\nCOPY . .\n' });
    expect(own.spec.filter((line) => /^ {2}\w/.test(line))).toEqual(['  shop:']);
  });

  it('is the one of two that build the same', () => {
    const { Dockerfile, ...rest } = NODE;
    const own = told({
      ...rest,
      'packaging/docker/alpine/Dockerfile': Dockerfile,
      'packaging/docker/distroless/Dockerfile': Dockerfile,
    });
    expect(own.spec.slice(0, 2)).toEqual([
      '  shop:',
      '    build: {context: ., dockerfile: packaging/docker/alpine/Dockerfile}',
    ]);
  });

  it('is that of a compose service without ports that exposes one', () => {
    const own = compose('services:\n  web: {build: .}\n');
    expect(own.spec.slice(0, 3)).toEqual([
      '  web:',
      '    build: {context: ., dockerfile: Dockerfile}',
      '    port: 3000',
    ]);
  });

  it('listens where its code says, whatever it exposes, unless it is told otherwise', () => {
    const exposed = (line: string) => told({ ...NODE, Dockerfile: `FROM node\nCOPY . .\n${line}EXPOSE 80\n` }).spec[2];
    expect(exposed('')).toBe('    port: 3000');
    expect(exposed('ENV PORT=80\n')).toBe('    port: 80');
    expect(exposed('ENV LISTEN_ADDR=0.0.0.0:80\n')).toBe('    port: 80');
  });
});

describe('SQL that a database is made with', () => {
  const withSql = (path: string, content: string) =>
    compose('services:\n  web: {build: ., ports: ["3000:3000"], depends_on: [db]}\n  db: {image: "postgres:18"}\n', {
      [path]: content,
    }).leftOut;

  it('is offered where it makes tables or rows', () => {
    expect(withSql('db/schema.sql', 'CREATE TABLE a (b int);')).toEqual([
      'db/schema.sql: name it in database.init where the service does not run it itself',
    ]);
  });

  it.each([
    ['db/queries/items.sql', '-- name: Items :many\nSELECT * FROM a;'],
    ['db/1_a.sql', '-- +goose Up\nCREATE TABLE a (b int);\n-- +goose Down\nDROP TABLE a;'],
    ['db/1_a.up.sql', 'CREATE TABLE a (b int);'],
    ['db/mysql/schema.sql', 'CREATE TABLE a (b int);'],
    ['db/schema.sql', 'CREATE TABLE `a` (`b` int) ENGINE=InnoDB;'],
    ['db/report.sql', 'SELECT 1;'],
    ['src/main/resources/db/migration/V1__init.sql', 'CREATE TABLE a (b int);'],
  ])('is not %s', (path, content) => {
    expect(withSql(path, content)).toEqual([]);
  });
});

describe('Spring', () => {
  const spring = (more: Record<string, string>) =>
    told({
      'pom.xml':
        '<project><artifactId>shop</artifactId><version>1</version><dependencies>spring-boot-starter-web org.postgresql</dependencies></project>',
      'src/main/resources/application.properties': 'spring.profiles.active=h2,jpa\nserver.port=9966\n',
      ...more,
    });
  const profile = { 'src/main/resources/application-postgres.properties': 'spring.datasource.url=x' };
  const started = { 'compose.yml': 'services:\n  postgres: {image: "postgres:16"}\n' };
  const FILE = 'src/main/resources/application.properties';

  it('is told of Postgres where it has a profile for it that a compose file starts', () => {
    const own = spring({ ...profile, ...started, mvnw: '' });
    expect(own.spec).toContain('    # run before: ./mvnw -DskipTests package');
    expect(own.spec).toContain('      SPRING_PROFILES_ACTIVE: "postgres,jpa"');
    expect(section(own, 'database')).toEqual(['  image: "postgres:16"']);
    expect(own.leftOut).toEqual([
      `profile h2 (${FILE}): its settings have h2,jpa: the profile for Postgres is active in the spec, with what the compose file starts`,
    ]);
  });

  it('runs the SQL of its class path itself where its settings say so', () => {
    const sql = { 'src/main/resources/db/schema.sql': 'CREATE TABLE a (b int);' };
    const leftOut = (more: Record<string, string>) =>
      spring({ ...profile, ...started, ...sql, ...more }).leftOut.filter((line) => line.includes('.sql'));
    expect(leftOut({})).toEqual([
      'src/main/resources/db/schema.sql: name it in database.init where the service does not run it itself',
    ]);
    const always = 'spring:\n  sql:\n    init:\n      mode: always\n';
    expect(leftOut({ 'src/main/resources/application-postgres.yml': always })).toEqual([]);
  });

  it.each([
    [profile, 'for Postgres set SPRING_PROFILES_ACTIVE with postgres and add a database'],
    [{}, 'no Postgres is started, and its data are in h2'],
  ])('keeps its other database where nothing says more', (more, why) => {
    const own = spring(more);
    expect(own.spec).toContain('    # run before: mvn -DskipTests package');
    expect(own.spec.join('\n')).not.toMatch(/SPRING_|database/);
    expect(own.leftOut).toEqual([`profile h2 (${FILE}): its settings have h2,jpa: ${why}`]);
  });
});

it('a stack is a right spec, whatever a compose file says of it', () => {
  const text = fc.constantFrom(
    'a',
    'b',
    'c.d',
    'on',
    '1',
    '${X}',
    '${X:-y}',
    '$$',
    '"',
    ':',
    '/',
    '~',
    '//',
    'x y',
    '-',
    '\u0000',
    '\ud800',
    '{}',
  );
  const scalarOf = fc.array(text, { maxLength: 3 }).map((parts) => parts.join(''));
  const listOf = fc.array(scalarOf, { maxLength: 3 });
  const value = fc.oneof(
    scalarOf,
    listOf,
    fc.constant(null),
    fc.integer(),
    fc.dictionary(scalarOf, scalarOf, { maxKeys: 2 }),
  );
  const mount = fc.constantFrom(
    './server.js:/a',
    '.:/app',
    'x:/data',
    '/x',
    './x y:/z',
    '../x:/y',
    'a:b',
    './Dockerfile:/x:ro',
    ':',
    '/a/../b',
  );
  const names = ['a', 'b', 'c.d', 'on', 'database', 'x_y', '1'];
  const service = fc.record(
    {
      build: fc.oneof(fc.constant('.'), value),
      image: fc.oneof(fc.constantFrom('redis:8', 'mysql', 'postgres:18', 'acme/x', 'nginx'), scalarOf),
      command: value,
      entrypoint: value,
      environment: fc.oneof(
        fc.dictionary(
          fc.constantFrom('A', 'A_HOST', 'A_PORT', 'PGHOST', 'X_URL'),
          fc.oneof(scalarOf, fc.constantFrom(...names.map((name) => `http://${name}:80/`), ...names)),
        ),
        value,
      ),
      ports: fc.oneof(fc.array(fc.constantFrom('80:3000', '5432', 'x', '${P}:80')), value),
      depends_on: fc.oneof(
        fc.array(fc.constantFrom(...names)),
        fc.dictionary(fc.constantFrom(...names), fc.constant({ condition: 'service_completed_successfully' })),
      ),
      volumes: fc.oneof(fc.array(mount), value),
      healthcheck: fc.oneof(fc.record({ test: value }), value),
      user: value,
      hostname: value,
      mem_limit: value,
      restart: value,
      profiles: value,
      secrets: value,
      extends: value,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...names), service),
      value,
      fc.boolean(),
      (services, secrets, isKnown) => {
        const files = { ...NODE, 'compose.yml': JSON.stringify({ services, secrets }) };
        const all = Object.entries(files).map(([path, content]) => ({ path, content }));
        const checkout = isKnown ? Object.keys(files) : null;
        const { specs } = proposal(all, { folderName: 'shop', isSecret: isSecretVariable, checkout });
        for (const { path, content } of specs)
          expect(validateSpec(content, path).text).toMatch(/^wrkbench[\w.-]*\.yml is valid: /);
      },
    ),
    { seed: 20_261_129, numRuns: 500 },
  );
}, 60_000);
