import { describe, expect, it } from 'vitest';
import { validateSpec } from '../../../src/app/validate.ts';
import { proposal } from '../../../src/core/detection/proposal.ts';
import { specText } from '../../../src/core/detection/spec-text.ts';
import { repairedParts } from '../../../src/core/detection/start-repair.ts';

const FILES = {
  'compose.yml': `services:
  web: {build: ., ports: ["3000:3000"], depends_on: [db, cache], environment: {DB_PASSWORD: qwerty, CACHE: "cache:6379"}}
  db: {image: "postgres:17", environment: {POSTGRES_PASSWORD: qwerty}}
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
  const repair = repairedParts(parts, printed, inContainers);
  if (repair === null) return null;
  const text = specText(repair.parts);
  expect(validateSpec(text, 'wrkbench.yml').ok).toBe(true);
  const before = draft.content.split('\n');
  return [repair.sentence, ...text.split('\n').filter((line) => !before.includes(line))];
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
    ['dial tcp: lookup redis on 127.0.0.11:53: no such host', ['It looks for the host redis.', '    alias: redis']],
  ])('has what it says: %s', (line, expected) => {
    expect(repaired(['starting', line, 'bye'])).toEqual(expected);
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
    let { parts } = draft;
    const sentences: string[] = [];
    for (let repair = repairedParts(parts, lines, true); repair !== null; repair = repairedParts(parts, lines, true)) {
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
