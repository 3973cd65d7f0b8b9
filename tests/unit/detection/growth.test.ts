import { describe, expect, it } from 'vitest';
import { mapOf } from '../../../src/core/detection/file-map.ts';
import { matchesOf, withoutComments, withShortSpace } from '../../../src/core/detection/files.ts';
import { NothingFound, proposal } from '../../../src/core/detection/proposal.ts';
import { routesIn } from '../../../src/core/detection/routes/routes.ts';
import { toldAccounts } from '../../../src/core/detection/told-accounts.ts';
import { writtenApis } from '../../../src/core/detection/written-requests/written-apis.ts';

const LENGTH = 200_000;
const long = (unit: string) => unit.repeat(Math.ceil(LENGTH / unit.length));
const routesOf = (path: string, content: string) =>
  routesIn(withShortSpace([{ path, content }])).map(({ method, path: route }) => `${method} ${route}`);

// Each took from seconds to minutes, or had no end; the time limit of a test is what they are held against.
describe('a file of 200,000 characters comes to an end', () => {
  it.each([
    ['src/db.js', '\n'],
    ['src/db.js', 'import\n'],
    ['src/db.js', 'const {\n'],
    ['src/db.js', 'a.get<\n'],
    ['src/db.js', '/*\n'],
    ['app/main.py', 'from fastapi import (\n'],
    ['main.go', 'r.Route("/a", func(\n'],
    ['main.go', 'func a(r R) {\n a(r.Group("/b"))\n'],
    ['src/main.rs', 'fn a<\n'],
    ['src/main.rs', '#[get("/")]\n'],
    ['src/main.rs', 'fn a() { .nest("/a", a()\n'],
    ['routes/api.php', 'prefix("a")\n'],
    ['Controllers/A.cs', '[Route("a")]\n'],
    ['Controllers/A.cs', '[Route("a")] class A [HttpGet("a\n'],
    ['Controllers/A.cs', '[Route("a")] class A [HttpGet(Name =\n'],
  ])('%s of %j', (path, unit) => {
    expect(routesOf(path, long(unit)).length).toBeLessThanOrEqual(5_001);
  });

  it.each([
    ['README.md', 'curl "\n'],
    ['README.md', 'curl \\\n'],
    ['README.md', "curl '"],
    ['README.md', 'curl -d '],
    ['README.md', 'curl localhost/{{a'],
    ['README.md', 'user: `'],
    ['README.md', 'user: a password '],
    ['README.md', 'default login '],
    ['README.md', '`a` account with password '],
    ['a.http', 'GET /\n'],
    ['a.http', 'GET {{a}}/{{\n'],
    ['a.http', '@a = {{a}}{{a}}\n'],
    ['a.http', 'POST / \n    ?a=1\n'],
    ['a.http', 'GET   '],
  ])('%s of %j, for its requests and accounts', (path, unit) => {
    const files = [{ path, content: long(unit) }];
    expect(writtenApis(files).length).toBeLessThanOrEqual(1);
    expect(toldAccounts(files).length).toBeLessThanOrEqual(4);
  });

  it.each([
    ['.env.example', 'DB_USERNAME=tickets', '\ufeff', 'x'],
    ['pom.xml', 'spring-boot-starter-web', '<parent><build>', ''],
    ['Dockerfile', 'EXPOSE 80', '\n', ''],
    ['a/Dockerfile', 'COPY a', '/', 'b c'],
    ['a/Dockerfile', 'COPY ', 'a/b ', ''],
    ['a/Dockerfile', 'COPY ', '--a ', ''],
    ['Dockerfile', 'CMD x', ' --port $', ''],
    ['Dockerfile', '', 'CMD \\\n', ''],
    ['compose.yml', 'a: {', ',', '}'],
    ['compose.yml', '', '? ', ''],
    ['package.json', '{', '"', '}'],
  ])('%s that is %s, and %j very often', (path, start, unit, end) => {
    const files = [
      { path, content: `${start}${long(unit)}${end}` },
      { path: 'api/Dockerfile', content: 'EXPOSE 80' },
    ];

    expect(proposal(files, { folderName: 'api', isSecret: () => false }).specs).toHaveLength(1);
  });
});

describe('what grows with the square of what is written, or faster', () => {
  it('is bounded where routers mount each other', () => {
    const mounts = Array.from({ length: 40 }, (_, index) => `a.use("/${index}", b);\nb.use("/${index}", a);\n`).join(
      '',
    );
    const text = `const app = express();\nconst a = Router();\nconst b = Router();\napp.use(a);\n${mounts}a.get("/x", f);\n`;

    const routes = routesOf('app.js', text);

    expect(routes[0]).toBe('GET /x');
    expect(routes.length).toBeLessThanOrEqual(5_001);
  });

  it('is bounded where the files of Django include themselves', () => {
    const text = `urlpatterns = [\n${'path("a/", include("urls")),\n'.repeat(300)}path("b/", view)]\n`;

    expect(routesOf('urls.py', text).length).toBeLessThanOrEqual(5_000);
  });

  it('is bounded where schemas name each other', () => {
    const properties = Array.from({ length: 60 }, (_, index) => `p${index}: {$ref: "#/s/A"}`).join(', ');
    const body = 'requestBody: {content: {application/json: {schema: {$ref: "#/s/A"}}}}';
    const content = `paths: {/a: {post: {${body}}}}\ns: {A: {properties: {${properties}}}}\n`;
    const files = [
      { path: 'Dockerfile', content: 'EXPOSE 80' },
      { path: 'openapi.yaml', content },
    ];

    expect(proposal(files, { folderName: 'api', isSecret: () => false }).specs[0]!.parts.found.leftOut).toEqual([
      { what: 'POST /a (openapi.yaml)', why: 'has no example of its body' },
    ]);
  });
});

describe('what grows with the square of the services of a compose file', () => {
  const own = (services: object) => {
    const files = [
      { path: 'compose.yml', content: JSON.stringify({ services }) },
      { path: 'Dockerfile', content: 'FROM node\nCOPY . .\nEXPOSE 80' },
    ];
    return proposal(files, { folderName: 'api', isSecret: () => false }).specs;
  };
  const many = (count: number, of: (index: number) => object) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, of(index)]));
  const variables = (value: (index: number) => string) =>
    Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`V${index}_HOST`, value(index)]));

  it('is bounded where each of 200 waits for others and names them', () => {
    const specs = own(
      many(200, (index) => ({
        ...(index === 0 ? { build: '.' } : { image: 'redis' }),
        environment: variables((variable) => `http://s${(index + variable + 1) % 200}:80,s${variable}`),
        depends_on: Array.from({ length: 20 }, (_, other) => `s${(index + other + 1) % 200}`),
      })),
    );
    expect(specs).toHaveLength(1);
    expect(specs[0]!.content.match(/^ {4}image: redis/gm)).toHaveLength(16);
  });

  it('is bounded where 100 of them are built, and have many names', () => {
    const aliases = (index: number) => Array.from({ length: 50 }, (_, name) => `a${index}-${name}`);
    const specs = own(
      many(100, (index) => ({
        ...{ build: '.', command: `./server ${index}`, ports: ['80:80'] },
        networks: { all: { aliases: aliases(index) } },
        environment: variables(() => 'x:'.repeat(50)),
      })),
    );
    expect(specs[0]!.content.match(/^ {4}build:/gm)).toHaveLength(15);
  });
});

describe('space', () => {
  it('of a run that nobody writes is one line end with its indentation, or one space', () => {
    const [file] = withShortSpace([
      { path: 'a.py', content: `a${'\n'.repeat(150)}  b${'\ufeff'.repeat(150)}c${' '.repeat(100)}d` },
    ]);

    expect(file!.content).toBe(`a\n  b c${' '.repeat(100)}d`);
  });

  it('of code is no wider than its indentation', () => {
    expect(withoutComments({ path: 'a.js', content: 'a /* b */   c\n\n\n    d // e\nf /* g' })).toBe(
      'a c\n    d\nf /* g',
    );
  });
});

describe('matches', () => {
  it('are the first ones', () => {
    expect(matchesOf('aaaa', /a/g, 3).map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});

describe('the map of a file', () => {
  it.each([
    ['a.yml', 'a: 1\nb: [2]', { a: 1, b: [2] }],
    ['a.yml', '{"a": 1}', { a: 1 }],
    ['a.yml', 'a: 1\n---\nb: 2', { a: 1 }],
    ['a.yml', '{a: {}, ]', { a: {} }],
    ['a.yml', `a: {${','.repeat(50)}}`, {}],
    ['a.yml', '{a: b}: c', {}],
    ['a.json', '{"a": 1,}', {}],
    ['a.yml', '', {}],
  ])('%s with %j', (path, content, map) => {
    expect(mapOf({ path, content })).toEqual(map);
  });
});

it('a repository of nothing but space shows no server', () => {
  expect(() =>
    proposal(
      [
        { path: 'go.mod', content: '' },
        { path: 'a.go', content: long(' ') },
      ],
      { folderName: 'a', isSecret: () => false },
    ),
  ).toThrow(NothingFound);
});
