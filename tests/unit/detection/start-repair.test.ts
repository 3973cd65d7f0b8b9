import { describe, expect, it } from 'vitest';
import { validateSpec } from '../../../src/app/validate.ts';
import { proposal } from '../../../src/core/detection/proposal.ts';
import { specText } from '../../../src/core/detection/spec-text.ts';
import { partsWithTables, repairedParts } from '../../../src/core/detection/start-repair.ts';

const FILES = {
  'compose.yml': `services:
  web: {build: ., ports: ["3000:3000"], depends_on: [store, cache], environment: {DB_PASSWORD: qwerty, CACHE: "cache:6379"}}
  store: {image: "postgres:17", environment: {POSTGRES_PASSWORD: qwerty}}
  cache: {image: "redis:8"}
`,
  Dockerfile: 'FROM node:22\nCOPY . .\nCMD ["node", "server.js"]\n',
  'package.json': '{"name": "shop", "dependencies": {"express": "4", "pg": "8"}}',
  'server.js': "app.get('/a', f);\napp.listen(3000);\n",
};

const draft = proposal(
  Object.entries(FILES).map(([path, content]) => ({ path, content })),
  { folderName: 'shop', isSecret: () => false },
).specs[0]!;

/** What becomes of the spec, by its changed lines, with the sentence first. */
function repaired(printed: string[], { inContainers = true, parts = draft.parts } = {}): string[] | null {
  const repair = repairedParts(parts, new Map([['web', printed]]), inContainers);
  if (repair === null) return null;
  const text = specText(repair.parts);
  expect(validateSpec(text, 'wrkbench.yml').ok).toBe(true);
  const before = draft.content.split('\n');
  return [repair.sentence, ...text.split('\n').filter((line) => !before.includes(line))];
}

function withVariables(values: Record<string, string>) {
  const env = Object.entries(values).map(([name, value]) => ({ name, value, from: '', note: '' }));
  return { parts: { ...draft.parts, services: draft.parts.services.map((service) => ({ ...service, env })) } };
}

describe('a spec whose service did not come up', () => {
  it.each([
    ['FATAL: database "shop" does not exist', ['It connects to the database shop.', '  name: shop']],
    [
      'error: password authentication failed for user "ann"',
      [
        'It connects to the database as ann.',
        '  user: ann',
        '  password: qwerty   # as the service has it in its code or a file',
      ],
    ],
    [
      'psycopg.OperationalError: FATAL:  role "ann" does not exist',
      [
        'It connects to the database as ann.',
        '  user: ann',
        '  password: qwerty   # as the service has it in its code or a file',
      ],
    ],
    [
      'could not translate host name "db" to address: Name or service not known',
      ['It looks for the host db.', '  alias: db   # a command, a script or a setting names it'],
    ],
    [
      'Error: getaddrinfo ENOTFOUND pg.internal',
      ['It looks for the host pg.internal.', '  alias: pg.internal   # a command, a script or a setting names it'],
    ],
    [
      'getaddrinfo EAI_AGAIN store',
      ['It looks for the host store.', '  alias: store   # a command, a script or a setting names it'],
    ],
    ['dial tcp: lookup redis on 127.0.0.11:53: no such host', ['It looks for the host redis.', '    alias: redis']],
  ])('has what it says: %s', (line, expected) => {
    expect(repaired(['starting', line, 'bye'])).toEqual(expected);
  });

  it('is asked where it listens', () => {
    const message =
      "The service did not answer within 150 s: nothing listens on port 3000; it listens on port 8000: set web's port";
    expect(repaired([message, 'ready'])).toEqual([
      'web listens on port 8000.',
      '    port: 8000   # seen when it was started',
    ]);
    expect(repaired([message.replaceAll('8000', '3000')])).toBeNull();
  });

  it('listens for those outside of its container too', () => {
    const { parts } = withVariables({ BIND: '127.0.0.1:3000', HOSTNAME: 'localhost', PEER: 'http://127.0.0.1:9000' });
    const message =
      'web was to open its port within 150 s, but nothing listens on port 3000; it listens on 127.0.0.1:3000 only, which is not reachable from outside the container: let it listen on 0.0.0.0.';
    expect(repaired([message], { parts })).toEqual([
      'It listens only inside its container.',
      '      BIND: "0.0.0.0:3000"   # written as 127.0.0.1:3000',
      '      HOSTNAME: "0.0.0.0"   # written as localhost',
      '      PEER: "http://127.0.0.1:9000"',
    ]);
    expect(repaired([message])).toBeNull();
  });

  it('is told of the driver that it has', () => {
    const parts = withVariables({ DATABASE_URL: '${database.url}' }).parts;
    expect(repaired(["ModuleNotFoundError: No module named 'psycopg'"], { parts })).toEqual([
      'It lacks the driver psycopg, so it is told to use psycopg2.',
      '      DATABASE_URL: "postgresql+psycopg2://${database.user}:${database.password}@${database.host}:${database.port}/${database.name}"   # written as ${database.url}',
    ]);
    const driven = withVariables({ DATABASE_URL: 'postgresql+psycopg://${database.host}/a' }).parts;
    expect(repaired(["No module named 'psycopg2'"], { parts: driven })).toBeNull();
  });

  it('does without a step that was a guess, where that fails', () => {
    const job = { key: '', from: 'manage.py', command: ['python', 'manage.py', 'migrate'] };
    const step = { ...job, entrypoint: null, image: null, env: {} };
    const services = draft.parts.services.map((service) => ({ ...service, jobs: [step] }));
    const parts = { ...draft.parts, services };
    const failure = 'prepare step 1 (job: python manage.py migrate) exited with status 1. Its last log lines say why.';
    const repair = repairedParts(parts, new Map([['web', [failure, 'no such command']]]), true)!;
    expect(repair.sentence).toBe('`python manage.py migrate` was a guess, and it fails.');
    const told = ['Traceback', 'ProgrammingError: relation "a" already exists', 'see docs'];
    expect(repairedParts(parts, new Map([['web', [failure, ...told]]]), true)!.sentence).toBe(
      '`python manage.py migrate` was a guess, and it fails: ProgrammingError: relation "a" already exists.',
    );
    expect(specText(repair.parts)).toBe(specText(draft.parts));
    const written = { ...parts, services: services.map((each) => ({ ...each, jobs: [{ ...step, key: 'migrate' }] })) };
    expect(repaired([failure], { parts: written })).toBeNull();
  });

  it('is left as it is where nothing of what it says is missing', () => {
    expect(repaired(['TypeError: undefined is not a function', 'getaddrinfo ENOTFOUND api.example.com'])).toBeNull();
    expect(repaired(['FATAL: database "Shop" does not exist', 'role "a-b" does not exist'])).toBeNull();
    expect(repaired(['getaddrinfo ENOTFOUND db'], { inContainers: false })).toBeNull();
  });

  it('gets nothing twice', () => {
    const lines = [
      'role "ann" does not exist',
      'database "shop" does not exist',
      'lookup db: no such host',
      'lookup redis',
    ];
    const printed = new Map([['web', lines]]);
    let { parts } = draft;
    const sentences: string[] = [];
    for (
      let repair = repairedParts(parts, printed, true);
      repair !== null;
      repair = repairedParts(parts, printed, true)
    ) {
      ({ parts } = repair);
      sentences.push(repair.sentence);
    }
    expect(sentences).toEqual([
      'It looks for the host redis.',
      'It looks for the host db.',
      'It connects to the database shop.',
      'It connects to the database as ann.',
    ]);
  });
});

describe('a spec whose service lacks tables', () => {
  const partsOf = (files: Record<string, string>) =>
    proposal(
      Object.entries({ ...FILES, ...files }).map(([path, content]) => ({ path, content })),
      { folderName: 'shop', isSecret: () => false },
    ).specs[0]!.parts;
  const init = (files: Record<string, string>, line = 'ERROR:  relation "users" does not exist at character 15') => {
    const repair = partsWithTables(partsOf(files), ['LOG:  checkpoint', line]);
    return repair === null ? null : repair.parts.services[0]!.database!.init;
  };
  const USERS = 'CREATE TABLE IF NOT EXISTS "public"."users" (id int);';

  it('has the SQL that makes them, with what lies in the same folder', () => {
    expect(init({ 'schema.sql': USERS })).toEqual(['schema.sql']);
    expect(init({ 'db/1_users.sql': USERS, 'db/2_data.sql': 'INSERT INTO users VALUES (1);' })).toEqual(['db/*.sql']);
    expect(init({ 'db/users.sql': USERS, 'db/find.sql': 'SELECT * FROM users' })).toEqual(['db/users.sql']);
    expect(init({ 'schema.sql': USERS }, 'error: relation "public.users" does not exist')).toEqual(['schema.sql']);
  });

  it('is left as it is where no SQL makes them, or some is run already', () => {
    expect(init({ 'schema.sql': 'CREATE TABLE users_old (id int);' })).toBeNull();
    expect(init({ 'schema.sql': USERS }, 'ERROR:  column "name" does not exist')).toBeNull();
    expect(init({ 'mysql/schema.sql': USERS })).toBeNull();
    const parts = partsOf({ 'schema.sql': USERS });
    const line = 'relation "users" does not exist';
    expect(partsWithTables(partsWithTables(parts, [line])!.parts, [line])).toBeNull();
  });
});
