import { describe, expect, it } from 'vitest';
import { dependencyPlaceholders, startOrder } from '../../../src/core/config/dependency-order.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { diagnosticLines, leastWith } from './specs.ts';

const messages = (more: string) => diagnosticLines(leastWith(more)).map((line) => line.replace(/^\d+:\d+: /, ''));
const dependenciesOf = (more: string) => readSpec(leastWith(more), 'wrkbench.yml').dependencies;
const ofService = (keys: string, more = '') =>
  `name: rest-api\nservices:\n  go: {build: ., port: 8080, ${keys}}\nendpoints:\n  ping: /ping\n${more}`;

describe('dependencies', () => {
  it('are absent where none are written', () => {
    expect(readSpec(leastWith(''), 'wrkbench.yml')).not.toHaveProperty('dependencies');
  });

  it('are up when their port is open, unless something else is written', () => {
    expect(dependenciesOf('dependencies: {redis: {image: "redis:8", port: 6379}}\n')).toEqual([
      {
        name: 'redis',
        image: { kind: 'image', reference: 'redis:8' },
        command: null,
        env: {},
        port: 6379,
        ready: { kind: 'port', timeoutSeconds: 30 },
        memoryBytes: null,
      },
    ]);
    const readyOf = (keys: string) => dependenciesOf(`dependencies: {mq: {image: mq, ${keys}}}\n`)![0]!.ready;
    expect(readyOf('env: {A: 1}')).toEqual({ kind: 'running', timeoutSeconds: 30 });
    expect(readyOf('port: 1, ready: port')).toEqual({ kind: 'port', timeoutSeconds: 30 });
    expect(readyOf('port: 1, ready: /health')).toEqual({ kind: 'path', path: '/health', timeoutSeconds: 30 });
    expect(readyOf('ready: {command: [mq, status, 1], timeout: 2m}')).toEqual({
      ...{ kind: 'command', command: ['mq', 'status', '1'], timeoutSeconds: 120 },
    });
  });

  it('say of their container what a service does', () => {
    const keys =
      'entrypoint: [], command: [run], user: 1000, files: {a.conf: /etc/a.conf}, volumes: /data, alias: [mq.internal, q]';
    expect(dependenciesOf(`dependencies: {mq: {build: mq, ${keys}, memory: 64m}}\n`)![0]).toMatchObject({
      image: { kind: 'build', context: 'mq', dockerfile: 'Dockerfile' },
      entrypoint: [],
      user: '1000',
      files: { 'a.conf': '/etc/a.conf' },
      volumes: ['/data'],
      alias: ['mq.internal', 'q'],
      memoryBytes: 64 * 1024 ** 2,
    });
    const { entrypoint, user, files, volumes } = readSpec(
      ofService(
        'entrypoint: [/app, serve], user: "app:app", files: {config.yml: /etc/app/config.yml}, volumes: [/tmp/a, /b]',
      ),
      'wrkbench.yml',
    ).services[0]!;
    expect({ entrypoint, user, files, volumes }).toEqual({
      entrypoint: ['/app', 'serve'],
      user: 'app:app',
      files: { 'config.yml': '/etc/app/config.yml' },
      volumes: ['/tmp/a', '/b'],
    });
  });

  it.each([
    ['user: "app;id"', 'a user of the image'],
    ['user: --privileged', 'a user of the image'],
    ['volumes: [data]', 'an absolute path in the container'],
    ['volumes: "/data:exec"', 'an absolute path in the container'],
    ['volumes: /data/../etc', 'an absolute path in the container'],
    ['files: {../secret: /etc/secret}', 'a path inside the spec'],
    ['files: {/etc/passwd: /etc/secret}', 'a path inside the spec'],
    ['files: {a: /etc/../../secret}', 'an absolute path in the container'],
    [`files: {a: /${'x'.repeat(200)}}`, 'an absolute path in the container'],
    ['entrypoint: /app', 'a list of words'],
  ])('take no %s', (keys, expected) => {
    const found = messages(`dependencies: {mq: {image: mq, ${keys}}}\n`);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });

  it.each([
    ['redis: {port: 1}', 'dependencies.redis does not say what to start: expected `build`, `image` or `command`'],
    ['redis: {image: a, build: .}', 'dependencies.redis has both `build` and `image`: expected one of them'],
    [
      'login: {image: a}',
      'dependencies.login has a name that is taken: expected another than database, env, localhost, login, ports, prepare',
    ],
    [
      'mq: {image: a, ready: /up}',
      'dependencies.mq.ready is `/up`, and dependencies.mq has no port: expected `port` beside it',
    ],
    [
      'mq: {image: a, port: 1, ready: {path: /, command: [a]}}',
      'dependencies.mq.ready has `path` and `command`: expected one of them',
    ],
    [
      'mq: {image: a, entrypoint: []}',
      "dependencies.mq.entrypoint is empty, which leaves out the image's command as well: expected `command` beside it",
    ],
    ['mq: {image: a, memory: 1m}', 'dependencies.mq.memory is 1048576 bytes: expected at least 6m'],
  ])('refuse %s', (keys, message) => {
    expect(messages(`dependencies: {${keys}}\n`)).toEqual([message]);
  });

  it('have names that are names of hosts', () => {
    for (const name of ['Redis', 'my_redis', '1st', 'a.b', '-a', 'x'.repeat(64)]) {
      expect(messages(`dependencies: {"${name}": {image: a}}\n`)).toHaveLength(1);
    }
  });

  it('are at most 16', () => {
    const many = Array.from({ length: 17 }, (_, at) => `d${at}: {image: a}`).join(', ');
    expect(messages(`dependencies: {${many}}\n`)).toEqual(['dependencies has 17 entries: expected 16 at most']);
  });
});

describe('what a text may name of them', () => {
  const beside = 'dependencies: {redis: {image: redis, port: 6379}, worker: {image: worker}}\n';

  it('is host and port of each, where it has a port', () => {
    expect(
      diagnosticLines(ofService('env: {URL: "redis://${redis.host}:${redis.port}", W: "${worker.host}"}', beside)),
    ).toEqual([]);
    const [message] = diagnosticLines(ofService('env: {W: "${worker.port}"}', beside));
    expect(message).toMatch(/services\.go\.env\.W: `\$\{worker\.port\}` is not a placeholder/);
  });

  it('is told by the nearest name', () => {
    expect(diagnosticLines(ofService('command: [go, "${redis.hots}"]', beside))[0]).toMatch(
      /`\$\{redis\.hots\}` is not a placeholder: did you mean `\$\{redis\.host\}`\?$/,
    );
  });

  it('is another one of a dependency, the database, its port and its folder', () => {
    const texts = (text: string) =>
      diagnosticLines(
        leastWith(
          `database: postgres:18\ndependencies: {redis: {image: a, port: 1}, mq: {image: b, port: 2, command: ["${text}"]}}\n`,
        ),
      );
    for (const name of ['port', 'folder', 'redis.host', 'redis.port', 'database.url']) {
      expect(texts(`\${${name}}`)).toEqual([]);
    }
    expect(texts('${mq.host}')).toHaveLength(1);
  });

  it('is a folder of the service too', () => {
    expect(diagnosticLines(ofService('env: {F: "${folder}"}', beside))).toEqual([]);
  });

  it('makes no circle', () => {
    const circle =
      'dependencies: {a: {image: a, env: {B: "${b.host}"}}, b: {image: b, command: ["${a.host}"]}, c: {image: c}}\n';
    expect(messages(circle)).toEqual([
      'each of the dependencies a, b waits for another of them: expected one that names none',
    ]);
  });
});

describe('the order that dependencies start in', () => {
  it('is each behind those that it names, and the rest side by side', () => {
    const text =
      'database: postgres:18\ndependencies:\n  web: {image: a, env: {A: "${search.host} ${redis.host}"}}\n' +
      '  redis: {image: a}\n  search: {image: a, env: {D: "${database.url}"}}\n  mq: {image: a, env: {L: "$${redis.host}"}}\n';
    const { first, then, stuck } = startOrder(dependenciesOf(text)!);
    const names = (all: { name: string }[]) => all.map(({ name }) => name);
    expect([names(first), then.map(names), names(stuck)]).toEqual([['redis', 'mq'], [['search'], ['web']], []]);
  });

  it('tells where they are reached', () => {
    const reached = new Map([
      ['redis', { host: '10.0.0.2', port: 6379 }],
      ['worker', { host: '10.0.0.3', port: null }],
    ]);
    expect(dependencyPlaceholders(reached)).toEqual({
      ...{ 'redis.host': '10.0.0.2', 'redis.port': '6379', 'worker.host': '10.0.0.3' },
    });
  });
});

describe('a database', () => {
  const databaseOf = (keys: string) => readSpec(leastWith(`database: {${keys}}\n`), 'wrkbench.yml').database!;

  it('may be several, of which the first is the one that is filled', () => {
    expect(databaseOf('databases: [app, jobs]')).toMatchObject({ name: 'app', moreNames: ['jobs'] });
    expect(databaseOf('name: jobs, databases: [app, jobs, app]')).toMatchObject({ name: 'jobs', moreNames: ['app'] });
    expect(databaseOf('databases: app')).not.toHaveProperty('moreNames');
    expect(databaseOf('user: app')).toMatchObject({ name: 'bench' });
  });

  it('may be built, and have other host names', () => {
    expect(databaseOf('build: {context: db, args: {V: 1}}, alias: [db, pg.internal]')).toMatchObject({
      build: { kind: 'build', context: 'db', dockerfile: 'Dockerfile', target: null, args: { V: '1' } },
      alias: ['db', 'pg.internal'],
    });
    expect(messages('database: {image: "postgres:18", build: db}\n')).toEqual([
      'database has both `build` and `image`: expected one of them',
    ]);
  });
});
