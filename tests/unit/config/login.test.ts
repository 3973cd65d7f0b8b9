import { describe, expect, it } from 'vitest';
import { specWithVariables, variablesOf } from '../../../src/core/config/caller-variables.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { diagnosticLines, leastWith } from './specs.ts';

function loginOf(written: string) {
  return readSpec(leastWith(`login: ${written}\n`), 'wrkbench.yml').login;
}

/** What is said of a spec whose login is this, without the places. */
function mistakes(written: string, endpoint = '/ping'): string[] {
  const text = leastWith(`login: ${written}\n`).replace('ping: /ping', () => `ping: ${endpoint}`);
  return diagnosticLines(text).map((line) => line.replace(/^\d+:\d+: /, ''));
}

describe('a login', () => {
  it('is one request, whose answer is good below 400', () => {
    expect(
      loginOf("{request: {method: PUT, path: /login, headers: {x: 1}, body: '{}'}, take: {token: $.token}}"),
    ).toEqual({
      steps: [
        {
          name: 'login',
          request: { method: 'PUT', path: '/login', headers: { x: '1' }, body: '{}' },
          take: { token: '$.token' },
          expect: null,
        },
      ],
    });
  });

  it('is a path alone, with GET, and with POST where something is sent', () => {
    expect(loginOf('{request: /form}')!.steps[0]!.request).toEqual({
      method: 'GET',
      path: '/form',
      headers: {},
      body: null,
    });
    expect(loginOf('{request: {path: /login, body: x}}')!.steps[0]!.request.method).toBe('POST');
  });

  it('may send a form, whose values are encoded, but for what is still to be filled in', () => {
    const written = '{request: {path: /login, form: {user: "a b", "p[w]": "é${env.PW}&${user}", n: 1}}}';
    expect(loginOf(written)!.steps[0]!.request).toEqual({
      method: 'POST',
      path: '/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'user=a+b&p%5Bw%5D=%C3%A9${env.PW}%26${user}&n=1',
    });
    const typed = '{request: {path: /login, headers: {Content-Type: text/plain}, form: {a: b}}}';
    expect(loginOf(typed)!.steps[0]!.request.headers).toEqual({ 'Content-Type': 'text/plain' });
  });

  it('is a list of steps, in its order, by users', () => {
    const login = loginOf(
      '{steps: [{request: /form, take: {csrf: cookie:csrf}}, {name: session, request: /login, expect: 302}], users: 50}',
    );
    expect(login!.steps.map(({ name, take, expect: wanted }) => [name, take, wanted?.status ?? null])).toEqual([
      ['1', { csrf: 'cookie:csrf' }, null],
      ['session', {}, 302],
    ]);
    expect(login!.users).toBe(50);
  });

  it('is no part of a spec that has none', () => {
    expect('login' in readSpec(leastWith(''), 'wrkbench.yml')).toBe(false);
  });
});

describe('a login that cannot be', () => {
  it.each([
    ['{}', 'login does not say what is asked: expected `request`, or `steps`'],
    ['{request: /a, steps: [{request: /b}]}', 'login has both `steps` and `request`: expected `request` in a step'],
    ['{request: {path: /a, body: x, form: {a: b}}}', 'login.request has both `body` and `form`: expected one of them'],
    [
      '{request: /a, take: {token: access_token}}',
      'login.take.token is `access_token`: expected where it stands in the answer, such as $.access_token, header:x-csrf-token or cookie:sid',
    ],
    [
      '{request: /a, take: {_x: $.a}}',
      '`_x` cannot be a name in login.take: expected a name of letters, digits, _ and -, beginning with a letter (32 at most)',
    ],
    ['{request: /a, users: 0}', 'login.users is `0`: expected a number of users, 1 to 100'],
    ['{request: /a, requests: 1}', 'unknown key `requests` in login: did you mean `request`?'],
  ])('%s is told', (written, message) => {
    expect(mistakes(written)).toEqual([message]);
  });

  it('takes too little for an endpoint', () => {
    const endpoint = '{path: "/${login.id}", headers: {authorization: "Bearer ${login.tokn}"}}';
    expect(mistakes('{request: /a, take: {token: $.t, user: $.u}}', endpoint)).toEqual([
      'endpoints.ping.path: `${login.id}` has no value, since the login takes `${login.token}` or `${login.user}`: expected a name of `take`',
      'endpoints.ping.headers.authorization: `${login.tokn}` has no value, since the login takes `${login.token}` or `${login.user}`: expected a name of `take`; did you mean `${login.token}`?',
    ]);
  });

  it('takes a value after a step that wants it', () => {
    const written = '{steps: [{request: "/a/${login.id}"}, {request: /b, take: {id: $.id}}]}';
    expect(mistakes(written)).toEqual([
      'login.steps.0.request: `${login.id}` has no value, since the steps before take nothing: expected a name of `take`',
    ]);
  });

  it('is missing where an endpoint wants it, and nowhere else: all other placeholders of a request mean themselves', () => {
    const text = (endpoint: string) => leastWith('').replace('ping: /ping', () => `ping: ${endpoint}`);
    expect(diagnosticLines(text("{path: /a, body: '${x} ${login.token}'}"))).toEqual([
      '5:32: endpoints.ping.body: `${login.token}` has no value, since the login takes nothing: expected a name of `take`',
    ]);
    expect(diagnosticLines(text("{path: /a, body: '${x} $${login.token} ${user} ${port}'}"))).toEqual([]);
  });
});

describe('a variable of the caller', () => {
  const spec = (service: string) =>
    `name: a\nservices: {go: {image: a, port: 80, ${service}}}\nendpoints: {ping: /ping}\n`;

  it('may stand in the environment of a service, and in no command', () => {
    expect(diagnosticLines(spec('env: {A: "${env.KEY}"}'))).toEqual([]);
    expect(diagnosticLines(spec('command: [go, "${env.KEY}"]'))).toEqual([
      '2:52: services.go.command.1: `${env.KEY}` cannot stand in a command, which everybody on the machine can read: expected a variable of `env`, which the command reads',
    ]);
    expect(diagnosticLines(spec('env: {A: "${env.}"}'))).toHaveLength(1);
  });

  it('is found wherever a spec names it, each once by its first place', () => {
    const text = leastWith(
      'login: {request: {path: /login, form: {p: "${env.B}", q: "${env.A}"}}, take: {t: $.t}}\n',
    ).replace('ping: /ping', 'ping: {path: "/?k=${env.C}", headers: {x: "${env.A}"}}');
    expect(variablesOf(readSpec(text, 'wrkbench.yml'))).toEqual([
      { name: 'C', place: 'endpoints.ping' },
      { name: 'A', place: 'endpoints.ping' },
      { name: 'B', place: 'login (step login)' },
    ]);
  });

  it('is found in what stands beside a service, and in what prepares its data, and filled in there', () => {
    const text = leastWith(
      [
        'database: postgres:18',
        'dependencies: {redis: {image: "redis:8", env: {PASSWORD: "${env.R}"}}}',
        'prepare:',
        '  - {job: [migrate], env: {KEY: "${env.J}"}}',
        '  - {requests: {method: POST, path: /a, headers: {x: "${env.Q}"}}}',
        '',
      ].join('\n'),
    );
    const { prepare, ...spec } = readSpec(text, 'wrkbench.yml');
    expect(variablesOf({ ...spec, prepare: prepare! })).toEqual([
      { name: 'R', place: 'dependencies.redis.env.PASSWORD' },
      { name: 'J', place: 'prepare.0.env.KEY' },
      { name: 'Q', place: 'prepare.1.requests' },
    ]);
    const filled = specWithVariables({ ...spec, prepare: prepare! }, { 'env.J': 'j${n}', 'env.Q': 'q' });
    expect(filled.prepare).toMatchObject([{ env: { KEY: 'j$${n}' } }, { requests: [{ headers: { x: 'q' } }] }]);
  });
});

it('a variable of the caller is found in a field of a form with files', () => {
  const text = leastWith('').replace(
    'ping: /ping',
    () => 'ping: {method: POST, path: /a, multipart: {key: "${env.KEY}", note: x}}',
  );
  expect(variablesOf(readSpec(text, 'wrkbench.yml'))).toEqual([{ name: 'KEY', place: 'endpoints.ping' }]);
});

describe('what a request of prepare takes', () => {
  const steps = (more: string) =>
    leastWith(
      `database: postgres:18\nprepare:\n  - requests:\n      - {method: POST, path: /stores, take: {store: $.id}}\n${more}`,
    );

  it('is known to those after it, to the login and to endpoints', () => {
    const text = steps(
      '      - {path: "/stores/${prepare.store}"}\nlogin: {request: "/${prepare.store}", take: {t: $.t}}\n',
    ).replace('ping: /ping', () => 'ping: "/${prepare.store}/${login.t}"');
    expect(diagnosticLines(text)).toEqual([]);
    expect(readSpec(text, 'wrkbench.yml').prepare).toMatchObject([{ requests: [{ take: { store: '$.id' } }, {}] }]);
  });

  it('is known to none before it, and by no other name', () => {
    const text = steps('      - {path: "/${prepare.stor}"}\n').replace(
      'path: /stores,',
      () => 'path: "/${prepare.store}",',
    );
    expect(diagnosticLines(text).map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'prepare.0.requests.0.path: `${prepare.store}` has no value, since the requests before take nothing: expected a name of `take`',
      'prepare.0.requests.1.path: `${prepare.stor}` has no value, since the requests before take `${prepare.store}`: expected a name of `take`; did you mean `${prepare.store}`?',
    ]);
  });
});
