import { describe, expect, it } from 'vitest';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { printedSecretsAmong, printedSecretsOf, redactedSpec, secretsOf } from '../../../src/core/record/redaction.ts';
import { testCase } from '../support/trials.ts';

const { service, endpoint } = testCase();
const spec: ResolvedSpec = {
  name: 'api',
  services: [
    {
      ...service,
      env: {
        WORKERS: '4',
        DATABASE_URL: '${database.url}',
        DB_PASSWORD: 'hunter2',
        API_TOKEN: 'abc',
        DB_PASS: '${database.password}',
        UPSTREAM: 'amqp://user:pw@queue:5672/v',
        HOMEPAGE: 'https://example.org/@me',
      },
      image: {
        kind: 'build',
        context: '.',
        dockerfile: 'Dockerfile',
        target: null,
        args: { NPM_TOKEN: 'xyz', V: '1' },
      },
      command: ['./go', '--db=postgres://a:b@db/x'],
    },
  ],
  database: null,
  gateway: null,
  endpoints: [{ ...endpoint, headers: { Authorization: 'Bearer abc', accept: 'text/plain' } }],
  load: { wrk: null, k6: null, ab: null, h2load: null, warmUp: { kind: 'fixed', seconds: 1 }, coolDownSeconds: 1 },
  placement: 'auto',
  gate: { baseline: 'none', metrics: {}, cases: {}, budgetSeconds: 300 },
};

describe('a spec that is stored', () => {
  it('holds no secret, and all the rest as it was', () => {
    const redacted = redactedSpec(spec);
    expect(redacted.services[0]!.env).toEqual({
      WORKERS: '4',
      DATABASE_URL: '${database.url}',
      DB_PASSWORD: '[redacted]',
      API_TOKEN: '[redacted]',
      DB_PASS: '${database.password}',
      UPSTREAM: 'amqp://[redacted]@queue:5672/v',
      HOMEPAGE: 'https://example.org/@me',
    });
    expect(redacted.services[0]!.image).toMatchObject({ args: { NPM_TOKEN: '[redacted]', V: '1' } });
    expect(redacted.services[0]!.command).toEqual(['./go', '--db=postgres://[redacted]@db/x']);
    expect(redacted.endpoints[0]!.headers).toEqual({ Authorization: '[redacted]', accept: 'text/plain' });
    expect({ ...redacted, services: [], endpoints: [] }).toEqual({ ...spec, services: [], endpoints: [] });
  });

  it('is the same when redacted twice', () => {
    expect(redactedSpec(redactedSpec(spec))).toEqual(redactedSpec(spec));
  });

  it('leaves a service without image or command as it is', () => {
    const bare = { ...spec, services: [{ ...service, image: null, command: null }] };
    expect(redactedSpec(bare)).toEqual({ ...bare, endpoints: redactedSpec(spec).endpoints });
  });

  it('leaves out what options, requests and connections hold', () => {
    const command = ['./go', '--api-key', 'k-123456', '--session-secret=s-123456', '--cert', '/etc/tls/cert.pem'];
    const env = {
      STRIPE_KEY: 'sk_live_1',
      KEYBOARD_LAYOUT: 'qwertz',
      SENTRY_DSN: 'https://abc@sentry.example/1',
      APP_DSN: 'host=${database.host} user=app password=${database.password} token=t-123456',
      PROMETHEUS: 'http://push/metrics?auth_token=m-123456&job=api',
    };
    const asked = {
      ...endpoint,
      path: '/users?token=q-123456&page=2',
      headers: { 'X-Session-Id': 'h-123456', Referer: 'http://here/?sig=r-123456' },
      body: '{"user": "me", "password": "b-123456"}',
    };
    const ready = { path: asked.path, timeoutSeconds: 30 };
    const own = { ...spec, services: [{ ...service, env, command, ready }], endpoints: [asked] };
    const { services, endpoints } = redactedSpec(own);
    expect(services[0]).toEqual({
      ...service,
      env: {
        STRIPE_KEY: '[redacted]',
        KEYBOARD_LAYOUT: 'qwertz',
        SENTRY_DSN: '[redacted]',
        APP_DSN: 'host=${database.host} user=app password=${database.password} token=[redacted]',
        PROMETHEUS: 'http://push/metrics?auth_token=[redacted]&job=api',
      },
      command: ['./go', '--api-key', '[redacted]', '--session-secret=[redacted]', '--cert', '/etc/tls/cert.pem'],
      ready: { path: '/users?token=[redacted]&page=2', timeoutSeconds: 30 },
    });
    expect(endpoints).toEqual([
      {
        ...endpoint,
        path: '/users?token=[redacted]&page=2',
        headers: { 'X-Session-Id': '[redacted]', Referer: 'http://here/?sig=[redacted]' },
        body: '{"user": "me", "password": "[redacted]"}',
      },
    ]);
    expect(redactedSpec(redactedSpec(own))).toEqual(redactedSpec(own));
  });

  it('holds no secret in another place either, where it is no plain word', () => {
    const env = { API_TOKEN: 'tok-1234', DB_PASSWORD: 'postgres', MODE: 'with tok-1234', DB_USER: 'postgres' };
    const expected = { ...endpoint.expect, body: 'tok-1234', json: { postgres: ['tok-1234'] } };
    const own = {
      ...spec,
      services: [{ ...service, name: 'tok-1234', env, image: null, command: ['./postgres', 'tok-1234'] }],
      endpoints: [{ ...endpoint, headers: {}, expect: expected }],
    };
    const { services, endpoints } = redactedSpec(own);
    expect(services[0]).toMatchObject({
      name: 'tok-1234',
      env: { API_TOKEN: '[redacted]', DB_PASSWORD: '[redacted]', MODE: 'with [redacted]', DB_USER: 'postgres' },
      command: ['./postgres', '[redacted]'],
    });
    expect(endpoints[0]!.expect).toMatchObject({ body: '[redacted]', json: { postgres: ['[redacted]'] } });
  });
});

describe("the database's own password", () => {
  const database = {
    ...{ image: 'postgres:18', settings: {}, init: [], name: 'db', user: 'app', pooler: null, readyTimeoutSeconds: 60 },
    password: 'p@ss word-1',
  };
  const env = { NOTE: 'log in with p@ss word-1', URL: 'postgres://app:p%40ss%20word-1@db/db' };
  const withPassword: ResolvedSpec = { ...spec, database, services: [{ ...service, env }] };

  it('is left out of the spec, wherever it stands, and of what is printed', () => {
    const redacted = redactedSpec(withPassword);
    expect(redacted.database).toEqual({ ...database, password: '[redacted]' });
    expect(redacted.services[0]!.env).toEqual({
      NOTE: 'log in with [redacted]',
      URL: 'postgres://[redacted]@db/db',
    });
    expect(JSON.stringify(redacted)).not.toMatch(/ss(?:%20| )word/);
    expect(redactedSpec(redacted)).toEqual(redacted);
    expect(printedSecretsOf({ ...withPassword, services: [] })).toEqual(
      expect.arrayContaining(['p@ss word-1', 'p%40ss%20word-1']),
    );
  });
});

describe('the secrets of a spec', () => {
  const of = (env: Record<string, string>, headers: Record<string, string> = {}) =>
    secretsOf({
      ...spec,
      services: [{ ...service, env, image: null, command: null }],
      endpoints: [{ ...endpoint, headers }],
    });

  it('are what a server may print of them, six letters at least', () => {
    expect(of({ API_TOKEN: 'tok-1234', DB_PASS: 'short', PLAIN: 'nothing-secret' })).toEqual(['tok-1234']);
    expect(of({ UPSTREAM: 'amqp://user:p%40ssw0rd@queue' })).toEqual(['p%40ssw0rd', 'p@ssw0rd']);
    expect(of({ SIGNING_KEY: 'BEGIN KEY\nMIIBVgIB\nEND KEY' })).toEqual(['BEGIN KEY', 'MIIBVgIB', 'END KEY']);
    expect(of({ JWT: '${service}-a$${b}cd-${port}' })).toEqual(['-a${b}cd-']);
  });

  it('are the parts of a header, and not its scheme', () => {
    expect(of({}, { Authorization: 'Bearer abcdef12' })).toEqual(['abcdef12']);
    expect(of({}, { Cookie: 'sid=abcdef12; theme=dark' })).toEqual(['sid=abcdef12', 'abcdef12', 'theme=dark']);
  });

  it('are none of one that is redacted already, or that only the run fills in', () => {
    expect(of({ DB_PASSWORD: '[redacted]', URL: 'redis://[redacted]@host', TOKEN: '${database.password}' })).toEqual(
      [],
    );
  });
});

describe('the login of a spec', () => {
  const step = {
    name: 'session',
    request: {
      method: 'POST',
      path: '/login?token=q-123456',
      headers: { 'x-api-key': 'h-123456', cookie: 'csrf=${login.csrf}' },
      body: '{"user": "me", "password": "b-123456"}',
    },
    take: { token: '$.access_token' },
    expect: null,
  };
  const headers = {
    authorization: 'Bearer ${login.token}',
    cookie: 'sid=${login.session}; csrf=${login.csrf}',
    'x-api-key': '${env.API_KEY}',
    'x-auth-token': 'nbt_${login.id}.${login.token}',
    'x-mixed-token': 'fixed-${login.token}',
  };
  const own: ResolvedSpec = { ...spec, services: [], endpoints: [{ ...endpoint, headers }], login: { steps: [step] } };

  it('holds no secret, and all that the run fills in as it is written', () => {
    const { login, endpoints } = redactedSpec(own);
    expect(login).toEqual({
      steps: [
        {
          ...step,
          request: {
            method: 'POST',
            path: '/login?token=[redacted]',
            headers: { 'x-api-key': '[redacted]', cookie: 'csrf=${login.csrf}' },
            body: '{"user": "me", "password": "[redacted]"}',
          },
        },
      ],
    });
    expect(endpoints[0]!.headers).toEqual({ ...headers, 'x-mixed-token': '[redacted]' });
    expect(redactedSpec(redactedSpec(own))).toEqual(redactedSpec(own));
  });

  it('has secrets that are printed nowhere', () => {
    expect(secretsOf(own)).toEqual(expect.arrayContaining(['q-123456', 'h-123456', 'b-123456']));
  });
});

describe('values that are secret wherever they come from', () => {
  it('are left out as they are and encoded, but for what is a number or a few letters by chance', () => {
    const printed = printedSecretsAmong(['a/b+c=d1', '100000', '1234567890123', 'short', 'line one\nline two']);
    expect(printed).toEqual(
      expect.arrayContaining(['a/b+c=d1', 'a%2Fb%2Bc%3Dd1', '1234567890123', 'line one', 'line two']),
    );
    expect(printed).not.toEqual(expect.arrayContaining(['100000']));
    expect(printed).not.toEqual(expect.arrayContaining(['short']));
  });
});

describe('the steps of prepare', () => {
  it('are stored without the secrets of jobs and requests, which are known as such wherever they are printed', () => {
    const request = { method: 'POST', path: '/a?token=querysecret', headers: { authorization: 'Bearer headersecret' } };
    const prepare: ResolvedSpec['prepare'] = [
      {
        ...{ kind: 'job', command: ['create-admin', '--password', 'wordsecret', 'hunter2'] },
        ...{ env: { ADMIN_PASSWORD: 'envsecret9', DEBUG: '1' }, timeoutSeconds: 60 },
      },
      { kind: 'sql', files: ['seed.sql'] },
      { kind: 'requests', requests: [{ ...request, body: '{"password": "bodysecret"}', status: 201, repeat: 2 }] },
    ];
    const own = { ...spec, prepare };
    expect(redactedSpec(own).prepare).toEqual([
      {
        ...{ kind: 'job', command: ['create-admin', '--password', '[redacted]', '[redacted]'] },
        ...{ env: { ADMIN_PASSWORD: '[redacted]', DEBUG: '1' }, timeoutSeconds: 60 },
      },
      { kind: 'sql', files: ['seed.sql'] },
      {
        kind: 'requests',
        requests: [
          {
            ...{ method: 'POST', path: '/a?token=[redacted]', headers: { authorization: '[redacted]' } },
            ...{ body: '{"password": "[redacted]"}', status: 201, repeat: 2 },
          },
        ],
      },
    ]);
    const found = ['wordsecret', 'envsecret9', 'querysecret', 'headersecret', 'bodysecret'];
    expect(secretsOf(own)).toEqual(expect.arrayContaining(found));
    expect(redactedSpec(spec)).not.toHaveProperty('prepare');
  });
});
