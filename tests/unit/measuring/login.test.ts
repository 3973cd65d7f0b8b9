import { describe, expect, it } from 'vitest';
import { withLogin } from '../../../src/app/measuring/logged-in-runtime.ts';
import { valuesByOrigin } from '../../../src/app/measuring/values-by-origin.ts';
import {
  type Testbed,
  type TestbedActivity,
  TestbedError,
  type TestbedRequest,
  type TestbedRuntime,
} from '../../../src/app/ports/testbed.ts';
import { casesOf } from '../../../src/core/config/case.ts';
import type { Login, LoginStep } from '../../../src/core/config/login.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { Endpoint, ResolvedSpec } from '../../../src/core/config/resolved.ts';
import type { Answer } from '../../../src/core/verification/answer.ts';

const never = new AbortController().signal;

const { login: _login, ...spec } = readSpec(
  `name: shop
services: {web: {command: [./web], port: 8080, base-path: /v1, env: {PLAIN: x}}}
login: {request: /login, take: {token: $.access_token}}
endpoints:
  items: {path: /items, headers: {authorization: "Bearer \${login.token}"}}
load: {wrk: {connections: [10], keep-alive: on}}
`,
  'wrkbench.yml',
);

const session: LoginStep = {
  name: 'session',
  request: { method: 'POST', path: '/login', headers: {}, body: '{"user": "a${user}"}' },
  take: { token: '$.access_token' },
  expect: null,
};

function answered(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return { kind: 'answered', status, headers, body: bytes, wireBytes: bytes.length };
}

interface Given {
  login?: Login;
  own?: ResolvedSpec;
  answer?(asked: Endpoint): Answer;
  variables?: Record<string, string>;
  isBrief?: boolean;
  /** What is to be measured on the testbed. */
  cases?: TestbedRequest['cases'];
  fallen?: TestbedError;
  /** What the testbed has besides. */
  more?: Partial<Testbed>;
  onActivity?: NonNullable<TestbedRequest['onActivity']>;
}

/** Starts the service on a runtime that logs in; what was started, asked, stopped and warned of. */
async function started({
  own = spec,
  answer,
  variables = {},
  isBrief = false,
  cases,
  fallen,
  more,
  onActivity = () => undefined,
  ...given
}: Given) {
  const asked: Endpoint[] = [];
  const startedWith: TestbedRequest[] = [];
  const warnings: string[] = [];
  let stops = 0;
  const inner = {
    kind: 'process',
    async start(request: TestbedRequest) {
      startedWith.push(request);
      return {
        ...{ service: request.service, variant: request.variant, origins: { direct: 'http://127.0.0.1:1' } },
        failure: async () => fallen ?? null,
        logLines: async () => ['Traceback'],
        ...more,
        async stop() {
          stops += 1;
        },
      };
    },
  } as unknown as TestbedRuntime;
  const values = valuesByOrigin();
  const runtime = withLogin(inner, values, {
    probe: {
      async ask(_origin, _service, endpoint) {
        asked.push(endpoint);
        return answer?.(endpoint) ?? answered(200, { access_token: `token-of-${asked.length}` });
      },
      askInTurn: () => Promise.reject(new Error('nobody asks in turn here')),
    },
    bodySearch: { search: () => Promise.reject(new Error('nothing is searched here')) },
    clock: { monotonicNs: () => 0, now: () => new Date(1_800_000_000_000), sleep: async () => undefined },
    variables: { value: (name) => variables[name] },
    progress: { warn: (text) => void warnings.push(text) },
  });
  const { login } = given;
  const whole = login === undefined ? own : { ...own, login };
  const request = {
    spec: whole,
    service: whole.services[0]!,
    variant: 'candidate',
    isBrief,
    cases,
    onActivity,
  } as TestbedRequest;
  const start = () => runtime.start(request, never);
  const outcome = await start().then(
    (testbed) => ({ testbed, error: null }),
    (error: TestbedError) => ({ testbed: null, error }),
  );
  const at = () => values.at('http://127.0.0.1:1');
  return {
    values: at(),
    at,
    printed: () => values.printed(),
    testbed: outcome.testbed!,
    error: outcome.error!,
    asked,
    startedWith,
    warnings,
    stops: () => stops,
    start,
  };
}

describe('a testbed of a spec with a login', () => {
  it('is up once that is made, and has what it took', async () => {
    const { values, asked } = await started({ login: { steps: [session] } });
    expect(asked).toMatchObject([{ method: 'POST', path: '/login', body: '{"user": "a1"}' }]);
    expect(values).toEqual([{ 'login.token': 'token-of-1' }]);
  });

  it('logs in anew at each start', async () => {
    const { start, at, testbed } = await started({ login: { steps: [session] } });
    const second = await start();
    expect(at()).toEqual([{ 'login.token': 'token-of-2' }]);
    // Where it was, another one stands by now.
    await testbed.stop();
    expect(at()).toEqual([{ 'login.token': 'token-of-2' }]);
    await second.stop();
    expect(at()).toBeNull();
  });

  it('has each step know what those before it took', async () => {
    const form: LoginStep = {
      name: 'form',
      request: { method: 'GET', path: '/form', headers: {}, body: null },
      take: { csrf: 'cookie:csrf' },
      expect: null,
    };
    const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie: 'csrf=${login.csrf}' };
    const post: LoginStep = {
      ...session,
      request: { method: 'POST', path: '/form', headers, body: 'csrf=${login.csrf}&user=a' },
      take: { token: 'cookie:sid' },
    };
    const { values, asked } = await started({
      login: { steps: [form, post] },
      answer: ({ method }) =>
        method === 'GET'
          ? answered(200, '<form>', { 'set-cookie': 'csrf=c/1; Path=/' })
          : answered(302, '', { 'set-cookie': 'sid=s1; Path=/' }),
    });
    expect(asked[1]).toMatchObject({ headers: { cookie: 'csrf=c/1' }, body: 'csrf=c%2F1&user=a' });
    expect(values).toEqual([{ 'login.csrf': 'c/1', 'login.token': 's1' }]);
  });

  it('logs in each user', async () => {
    const { values, asked } = await started({ login: { steps: [session], users: 3 } });
    expect(asked.map(({ body }) => body)).toEqual([1, 2, 3].map((user) => `{"user": "a${user}"}`));
    expect(values!.map((each) => Object.values(each))).toEqual([['token-of-1'], ['token-of-2'], ['token-of-3']]);
  });
});

describe('a testbed whose data are put back', () => {
  it('is logged in to anew, and that is no change of its data', async () => {
    const did: string[] = [];
    const more: Partial<Testbed> = {
      restoreData: async () => {
        did.push('restored');
        return { serviceRestarted: true };
      },
      rememberData: async () => void did.push('remembered'),
    };
    const activities: unknown[] = [];
    const onActivity = (activity: TestbedActivity | null) => void activities.push(activity?.kind ?? null);
    const { testbed, at, asked } = await started({ login: { steps: [session] }, more, onActivity });
    expect(activities.splice(0)).toEqual(['login', null]);
    expect([did, at()]).toEqual([['remembered'], [{ 'login.token': 'token-of-1' }]]);
    expect(await testbed.restoreData!(never)).toEqual({ serviceRestarted: true });
    expect([did, asked.length]).toEqual([['remembered', 'restored', 'remembered'], 2]);
    expect(activities).toEqual(['login', null]);
    expect(at()).toEqual([{ 'login.token': 'token-of-2' }]);
    await testbed.stop();
    expect(at()).toBeNull();
  });

  it('is logged in to as soon as its service has connections again, of which each that was lost fails a request', async () => {
    const loggedInAfter = async (lost: number) => {
      let at = 0;
      const { testbed, asked } = await started({
        login: { steps: [session] },
        more: {
          restoreData: async () => ({ serviceRestarted: false }),
          restartService: async () => undefined,
          rememberData: async () => undefined,
        },
        answer: () => answered(at++ > 0 && at <= 1 + lost ? 500 : 200, { access_token: 't' }),
      });
      await testbed.restoreData!(never);
      return asked.filter(({ path }) => path === '/login').length;
    };
    expect(await loggedInAfter(40)).toBe(42);
    await expect(loggedInAfter(1_000)).rejects.toThrow('status 500 came, and below 400 was expected');
  });

  describe('and whose service does not go on behind its login', () => {
    /** What comes of putting data back, where the login or what is behind it fails until the service is started anew. */
    const restoring = async (failing: '/login' | '/items', isForGood = false) => {
      const did: string[] = [];
      let isLost = false;
      const { testbed, asked } = await started({
        login: { steps: [session] },
        more: {
          async restoreData() {
            did.push('restored');
            isLost = true;
            return { serviceRestarted: false };
          },
          async restartService() {
            did.push('restarted');
            isLost = isForGood;
          },
          rememberData: async () => undefined,
        },
        answer: ({ path }) => answered(isLost && path === failing ? 500 : 200, { access_token: 't' }),
      });
      const outcome = await testbed.restoreData!(never);
      return { did, outcome, testbed, asked };
    };

    it.each(['/login', '/items'] as const)('has it started anew where %s fails', async (path) => {
      const { did, outcome, asked } = await restoring(path);
      expect([did, outcome]).toEqual([['restored', 'restarted'], { serviceRestarted: true }]);
      expect(asked.at(-1)).toMatchObject({ path: '/items', headers: { authorization: 'Bearer t' } });
    });

    it('has it started anew once where that is in vain: its cases say what fails', async () => {
      const { did, testbed } = await restoring('/items', true);
      expect(await testbed.restoreData!(never)).toEqual({ serviceRestarted: false });
      expect(did).toEqual(['restored', 'restarted', 'restored']);
    });

    it('is not there any more where nobody can log in for good', async () => {
      await expect(restoring('/login', true)).rejects.toMatchObject({ code: 'login-failed' });
    });
  });

  it('has what its preparation took besides, in its login as well', async () => {
    const step = { ...session, request: { ...session.request, path: '/stores/${prepare.store}/login' } };
    const { values, asked } = await started({ login: { steps: [step] }, more: { values: { 'prepare.store': 's 1' } } });
    expect(asked[0]!.path).toBe('/stores/s%201/login');
    expect(values).toEqual([{ 'prepare.store': 's 1', 'login.token': 'token-of-1' }]);
    expect((await started({ more: { values: { 'prepare.store': 's' } } })).values).toEqual([{ 'prepare.store': 's' }]);
  });
});

describe('a service that has just started', () => {
  it('is asked again where it fails, three times in all, and at once believed where it refuses', async () => {
    const attempts = async (...statuses: number[]) => {
      let at = 0;
      const { asked, testbed } = await started({
        login: { steps: [session] },
        answer: () => answered(statuses[Math.min(at++, statuses.length - 1)]!, { access_token: 't' }),
      });
      return [asked.length, testbed !== undefined && testbed !== null];
    };
    expect(await attempts(503, 502, 200)).toEqual([3, true]);
    expect(await attempts(500)).toEqual([3, false]);
    expect(await attempts(401, 200)).toEqual([1, false]);
  });
});

describe('a login that fails', () => {
  const failing = async (answer: Answer, step: Partial<LoginStep> = {}) => {
    const { error, stops } = await started({
      login: { steps: [{ ...session, ...step }] },
      answer: () => answer,
    });
    expect([error.code, stops()]).toEqual(['login-failed', 1]);
    return error;
  };
  const after = ' Correct `login` in the spec, or what the application has by then.';

  it('says which step, its request as it is written, and the beginning of the answer, and leaves nothing running', async () => {
    const { message, logLines } = await failing(answered(401, { error: 'no such user' }));
    expect(message).toBe(
      `The login failed at step session, POST /v1/login: status 401 came, and below 400 was expected (body: "{\\"error\\":\\"no such user\\"}").${after}`,
    );
    expect(logLines).toEqual([]);
  });

  it('says what was not in the answer, and shows nothing that may be a token', async () => {
    const { message } = await failing(answered(200, { session: { id: 'a1b2c3d4e5f6' } }));
    expect(message).toBe(
      `The login failed at step session, POST /v1/login: $.access_token: nothing is there (status 200, body: "{\\"session\\":{\\"id\\":\\"[redacted]\\"}}").${after}`,
    );
  });

  it('says why nothing was answered, or what the service printed where it fell over it', async () => {
    expect((await failing({ kind: 'failed', message: 'nothing came within 5 s' })).message).toContain(
      'POST /v1/login: nothing came within 5 s.',
    );
    expect((await failing(answered(500, 'oops'))).logLines).toEqual(['Traceback']);
  });

  it('has taken something by then, which is a secret for whoever tells of the failure', async () => {
    const { error, printed } = await started({
      login: { steps: [session, { ...session, name: 'second', take: { id: '$.id' } }] },
      answer: () => answered(200, { access_token: 'taken-by-the-first' }),
    });
    expect(error.message).toContain('at step second');
    expect(printed()).toContain('taken-by-the-first');
  });

  it('says that the answer is not what is expected of the step', async () => {
    const expected = { status: 201, contentType: null, body: null, sizeBytes: null, matches: null };
    const wrong = await failing(answered(200, {}), { expect: expected });
    expect(wrong.message).toContain('status 200 came, and 201 was expected');
    const other = await failing(answered(201, { ok: false }), { expect: { ...expected, json: { ok: true } } });
    expect(other.message).toContain('the answer is not what `expect` says (body: "{\\"ok\\":false}")');
  });

  it('is what became of the testbed, where that fell over', async () => {
    const fallen = new TestbedError('exited', 'The service exited with status 1.');
    const { error } = await started({
      ...{ login: { steps: [session] }, fallen },
      answer: () => ({ kind: 'failed', message: 'connection reset' }),
    });
    expect(error).toBe(fallen);
  });
});

describe('a token that does not last', () => {
  const lasting = (seconds: number) => () => answered(200, { access_token: 'opaque', expires_in: seconds });
  const login = { steps: [session] };

  it('is told, once for each side, with how long the cases take', async () => {
    const { warnings, start } = await started({ login, answer: lasting(5) });
    await start();
    expect(warnings).toEqual([
      '`${login.token}` of web is good for 5 s, and what is measured with it takes about 17 s: what comes after that fails. Let the application give out tokens that last longer, or measure fewer cases at a time.',
    ]);
  });

  it('is told by the cases that are measured, where these are not all', async () => {
    const own = { ...spec, load: { ...spec.load, wrk: { ...spec.load.wrk!, connections: [10, 20, 30] } } };
    const all = casesOf(own);
    const warned = async (cases: typeof all) => (await started({ own, login, answer: lasting(20), cases })).warnings;
    expect(await warned(all)).toEqual([expect.stringContaining('takes about 45 s')]);
    expect(await warned(all.slice(0, 1))).toEqual([]);
  });

  it('is not told where it lasts as long as one round, which logs in for itself', async () => {
    expect((await started({ login, answer: lasting(12), isBrief: true })).warnings).toEqual([]);
    expect((await started({ login, answer: lasting(600) })).warnings).toEqual([]);
  });
});

describe('variables of the caller', () => {
  const named = readSpec(
    `name: shop
services: {web: {command: [./web], port: 8080, env: {KEY: "k:\${env.KEY}", URL: "$\${env.KEY}"}}}
endpoints: {items: {path: "/items?key=\${env.KEY}", headers: {x-key: "\${env.KEY}"}}}
`,
    'wrkbench.yml',
  );

  it('are in what is started, and in what is asked, and in no testbed that others see', async () => {
    const { testbed, values, startedWith } = await started({ own: named, variables: { KEY: 'a b${port}' } });
    const { service, spec: given } = startedWith[0]!;
    // What is filled in has no placeholder of its own, and one behind a second dollar is none.
    expect(service.env).toEqual({ KEY: 'k:a b$${port}', URL: '$${env.KEY}' });
    expect(service.ready.path).toBe('/items?key=a%20b%24%7Bport%7D');
    expect(given.endpoints[0]).toMatchObject({
      path: '/items?key=a%20b%24%7Bport%7D',
      headers: { 'x-key': 'a b${port}' },
    });
    expect(testbed.service).toBe(named.services[0]);
    expect(values).toEqual([{ 'env.KEY': 'a b${port}' }]);
  });

  it('that are not set start nothing', async () => {
    const { error, startedWith } = await started({ own: named });
    expect([error.code, startedWith]).toEqual(['variable-missing', []]);
    expect(error.message).toBe(
      'The spec names `${env.KEY}` (services.web.env.KEY), and KEY is not set. Set it before the call, as in `KEY=… wrkbench run`; in a workflow, name it in the input `secrets` and give its value.',
    );
  });
});

it('a spec with neither a login nor a variable is started as it is', async () => {
  const { values, startedWith, asked } = await started({});
  expect([startedWith[0]!.spec, asked, values]).toEqual([spec, [], null]);
});
