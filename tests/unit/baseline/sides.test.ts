import { describe, expect, it } from 'vitest';
import { governedServices } from '../../../src/core/baseline/governed-services.ts';
import { baselineSide, heldTo } from '../../../src/core/baseline/sides.ts';
import { casesOf } from '../../../src/core/config/case.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { quickened } from '../../../src/core/config/selection.ts';
import { redactedSpec } from '../../../src/core/record/redaction.ts';

interface Parts {
  name?: string;
  services?: string;
  endpoints?: string;
  load?: string;
  more?: string;
}

function spec({ name = 'api', services, endpoints, load, more }: Parts = {}): ResolvedSpec {
  return readSpec(
    [
      `name: ${name}`,
      `services: {${services ?? 'go: {image: acme/go, port: 80}'}}`,
      `endpoints: {${endpoints ?? 'ping: /ping'}}`,
      `load: ${load ?? '{wrk: {connections: [10], keep-alive: on}}'}`,
      more ?? '',
    ].join('\n'),
    'wrkbench.yml',
  );
}

describe("the baseline's side", () => {
  it('has services, database, gateway and gate of its own, cases and placement of the candidate, and the endpoints of both', () => {
    const baseline = spec({
      name: 'old-name',
      services: 'go: {image: "acme/go:1", port: 80, env: {A: "1"}}',
      more: 'database: {image: "postgres:17", init: [old.sql]}\nplacement: {service: 0, generator: 1}\ngate: {errors: {max: 0}}',
    });
    const candidate = spec({
      services: 'go: {image: "acme/go:2", port: 81, env: {A: "2"}}',
      endpoints: 'ping: /ping, pong: /pong',
      more: 'database: {image: "postgres:18", init: [new.sql]}\ngate: {throughput: {max-decrease: 50%}}',
    });
    expect(baselineSide(candidate, baseline)).toEqual({
      spec: {
        name: 'api',
        services: baseline.services,
        database: baseline.database,
        gateway: null,
        gate: baseline.gate,
        endpoints: baseline.endpoints,
        load: candidate.load,
        placement: 'auto',
      },
      missing: [],
      warnings: [],
    });
  });

  const missingKeys = (candidate: ResolvedSpec, baseline: ResolvedSpec) =>
    baselineSide(candidate, baseline).missing.map(({ key }) => key);

  it('has no other load where this run only loads for a shorter time than is written', () => {
    const written = spec({ load: '{wrk: {connections: [10, 20, 30], keep-alive: on, duration: 10s}}' });
    const side = baselineSide(written, written, { shortened: quickened });
    expect([side.warnings, side.missing]).toEqual([[], []]);
    expect(side.spec.load).toEqual(quickened(written).load);
  });

  it('has no longer trials of a service than this run has, whatever duration its own spec gives it', () => {
    const lasting = (seconds: number) => spec({ services: `go: {image: a, port: 80, duration: ${seconds}s}` });
    const duration = (baseline: ResolvedSpec, shortened?: typeof quickened) =>
      baselineSide(lasting(60), baseline, shortened === undefined ? {} : { shortened }).spec.services.map(
        ({ durationSeconds }) => durationSeconds,
      );
    expect(duration(lasting(30))).toEqual([30]);
    expect(duration(lasting(30), quickened)).toEqual([2]);
    expect(duration(lasting(1), quickened)).toEqual([1]);
    const governed = governedServices(
      quickened(lasting(60)),
      baselineSide(lasting(60), lasting(30), { shortened: quickened }).spec,
    );
    expect(governed.map(({ durationSeconds }) => durationSeconds)).toEqual([2]);
  });

  it('lacks no case of a reference that is gone, which gated nothing', () => {
    const both = spec({ services: 'go: {image: a, port: 80}, nginx: {image: b, port: 80, role: reference}' });
    expect(missingKeys(spec({ services: 'go: {image: a, port: 80}' }), both)).toEqual([]);
  });

  it('lacks nothing where the candidate has more', () => {
    const more = spec({
      services: 'go: {image: a, port: 80}, rust: {image: b, port: 80}',
      endpoints: 'ping: /, pong: /p',
    });
    expect(missingKeys(more, spec())).toEqual([]);
  });

  it('tells the cases of a service, an endpoint, a route and a generator that the candidate has lost', () => {
    const two = spec({ services: 'go: {image: a, port: 80}, rust: {image: b, port: 80}' });
    expect(missingKeys(spec(), two)).toEqual(['rust/ping/direct/wrk/keep-alive/10']);
    expect(missingKeys(spec(), spec({ endpoints: 'ping: /ping, pong: /pong' }))).toEqual([
      'go/pong/direct/wrk/keep-alive/10',
    ]);
    expect(missingKeys(spec(), spec({ more: 'gateway: nginx' }))).toEqual(['go/ping/gateway/wrk/keep-alive/10']);
    const load = '{wrk: {connections: [10], keep-alive: on}, ab: {connections: [1], keep-alive: off}}';
    expect(missingKeys(spec(), spec({ load }))).toEqual(['go/ping/direct/ab/keep-alive-off/1']);
  });

  it('lacks a number of connections, a rate and keep-alive off that the candidate no longer has', () => {
    const load = (wrk: string, rate: string) =>
      spec({ load: `{wrk: {connections: ${wrk}}, k6: {rate: ${rate}, connections: [50], keep-alive: on}}` });
    expect(missingKeys(load('[10], keep-alive: on', '30%'), load('[10, 1000]', '60%'))).toEqual([
      'go/ping/direct/wrk/keep-alive/1000',
      'go/ping/direct/wrk/keep-alive-off/10',
      'go/ping/direct/wrk/keep-alive-off/1000',
      'go/ping/direct/k6/keep-alive/50@60%',
    ]);
  });

  it('is loaded as its own spec says, in the cases of the candidate’s, and says that they differ', () => {
    const load = (connections: string, rest: string, rate: string, seconds: number) =>
      spec({
        load: `{wrk: {connections: ${connections}, keep-alive: on, ${rest}}, k6: {rate: ${rate}, connections: [50], keep-alive: on, duration: ${seconds}s}, warm-up: ${seconds}s, cool-down: ${seconds}s}`,
      });
    const before = load('[10]', 'duration: 10s, threads: 4, timeout: 1s', '60%', 5);
    const now = load('[10, 20]', 'duration: 1s, threads: 1, timeout: 9s', '30%', 1);
    const side = baselineSide(now, before);
    expect(side.spec.load).toEqual({
      ...before.load,
      wrk: { ...before.load.wrk, connections: [10, 20] },
      // At another rate all of its cases are new.
      k6: now.load.k6,
    });
    expect(side.warnings).toEqual([
      {
        code: 'load-differs',
        message:
          "The load differs between both specs: which cases there are is the candidate's, how they are loaded is the baseline's.",
      },
    ]);
  });

  it('is loaded by a script of its own spec, and by none where it had none', () => {
    const load = (script: string) => spec({ load: `{k6: {keep-alive: on${script}}}` });
    const scriptOf = (now: string, before: string) => baselineSide(load(now), load(before)).spec.load.k6?.script;
    expect(scriptOf(', script: new.js', ', script: old.js')).toBe('old.js');
    expect(scriptOf(', script: new.js', '')).toBe(null);
    expect(scriptOf('', ', script: old.js')).toBe('old.js');
    const wrkLoad = (script: string) => spec({ load: `{wrk: {keep-alive: on${script}}}` });
    const ofWrk = (now: string, before: string) => baselineSide(wrkLoad(now), wrkLoad(before)).spec.load.wrk?.script;
    expect(ofWrk(', script: new.lua', ', script: old.lua')).toBe('old.lua');
    expect(ofWrk(', script: new.lua', '')).toBeUndefined();
    expect(ofWrk('', ', script: old.lua')).toBe('old.lua');
  });

  /** What both sides are asked, once `now` is measured beside `before`. */
  const askedOf = (now: ResolvedSpec, before: ResolvedSpec) => {
    const side = baselineSide(now, before);
    const candidate = heldTo(side.spec, now);
    const lines = (spec: ResolvedSpec) =>
      casesOf(spec).map(({ service, endpoint: { method, path } }) => `${method} ${service.basePath}${path}`);
    return { ...side, candidate, lines: { baseline: lines(side.spec), candidate: lines(candidate) } };
  };

  it('is sent the requests of its own spec, and so is the candidate: another header, path, method or status leads out of no gate', () => {
    const now = spec({
      endpoints:
        'ping: {path: /ping, headers: {x-new: "1"}}, news: /news, made: {path: /made, method: POST, expect: {status: 201}}',
    });
    const before = spec({ endpoints: 'ping: /ping, news: /old, made: /made' });
    const side = askedOf(now, before);
    expect(side.spec.endpoints).toEqual(before.endpoints);
    expect(side.candidate.endpoints).toEqual(before.endpoints);
    expect(side.missing).toEqual([]);
    expect(side.warnings).toEqual([
      {
        code: 'requests-differ',
        message:
          "The new requests of ping, news, made are not in the gate of this change: both sides are asked the baseline's, and they are measured once the baseline has them.",
      },
    ]);
  });

  const at = (basePath: string, more = '') =>
    `go: {image: a, port: 80${basePath === '' ? '' : `, base-path: ${basePath}`}${more}}`;

  it.each<[string, Parts, Parts]>([
    ['another base path', { services: at('/quick') }, { services: at('') }],
    ['no base path any more', { services: at('') }, { services: at('/api') }],
    ['another path', { endpoints: 'ping: /quick' }, {}],
    ['another query', { endpoints: 'ping: "/ping?limit=1"' }, { endpoints: 'ping: "/ping?limit=1000"' }],
    [
      'another body',
      { endpoints: 'ping: {path: /, method: POST, body: a}' },
      { endpoints: 'ping: {path: /, method: POST, body: ab}' },
    ],
    ['another method', { endpoints: 'ping: {path: /ping, method: HEAD}' }, {}],
    ['a redirection for an answer', { endpoints: 'ping: {path: /ping, expect: {status: 302}}' }, {}],
  ])('is asked the same as a candidate with %s, which the reader is told', (_, now, before) => {
    const { lines, candidate, spec: side, missing, warnings } = askedOf(spec(now), spec(before));
    expect(candidate.endpoints).toEqual(side.endpoints);
    expect(lines.candidate).toEqual(lines.baseline);
    expect(lines.baseline).toHaveLength(1);
    expect(missing).toEqual([]);
    expect(warnings).toEqual([
      {
        code: 'requests-differ',
        message:
          "The new request of ping is not in the gate of this change: both sides are asked the baseline's, and it is measured once the baseline has it.",
      },
    ]);
  });

  it.each<[string, Parts, Parts]>([
    [
      'that is only written in two parts',
      { services: at('/api'), endpoints: 'ping: /ping' },
      { endpoints: 'ping: /api/ping' },
    ],
    [
      'whose headers are only spelt otherwise',
      { endpoints: 'ping: {path: /ping, headers: {X-A: "1"}}' },
      { endpoints: 'ping: {path: /ping, headers: {x-a: "1"}}' },
    ],
  ])('has no other request in one %s', (_, now, before) => {
    const { lines, warnings } = askedOf(spec(now), spec(before));
    expect(lines.candidate).toEqual(lines.baseline);
    expect(warnings).toEqual([]);
  });

  it('leaves new endpoints where they are, although the base path changed', () => {
    const now = spec({ services: at('/v2'), endpoints: 'ping: /ping, news: /news' });
    expect(askedOf(now, spec()).lines).toEqual({ baseline: ['GET /ping'], candidate: ['GET /ping', 'GET /v2/news'] });
  });

  it('compares nothing where new endpoints lie outside of the base path that it had, and says how to go on', () => {
    const now = spec({ services: at('/v2'), endpoints: 'ping: /ping, news: /news' });
    const side = askedOf(now, spec({ services: at('/v1') }));
    expect(side.lines).toEqual({ baseline: [], candidate: ['GET /v2/ping', 'GET /v2/news'] });
    expect(side.missing.map(({ key }) => key)).toEqual(['go/ping/direct/wrk/keep-alive/10']);
    expect(side.warnings[0]).toEqual({
      code: 'requests-apart',
      message:
        "The base path of go changed together with endpoints that are new, so that not both sides can be asked the baseline's requests: nothing compares them, and this fails until their removal is accepted by name. Change the base path by itself.",
    });
  });

  it('compares nothing of a service that is asked in another protocol', () => {
    const load = '{h2load: {connections: [10]}}';
    const [now, before] = [spec({ services: at('', ', protocol: h2'), load }), spec({ services: at(''), load })];
    const side = askedOf(now, before);
    expect(side.lines.baseline).toEqual([]);
    expect(side.missing.map(({ key }) => key)).toEqual(casesOf(now).map(({ key }) => key));
    expect(side.warnings).toEqual([
      {
        code: 'requests-apart',
        message:
          "go is asked in h2 by the candidate's spec, and in h1 by the baseline's: these are other requests, nothing compares them, and this fails until their removal is accepted by name.",
      },
    ]);
  });

  it('is asked what the base of a pull request asks, whatever release it is', () => {
    const [now, base, release] = ['/quick', '/p', '/old'].map((path) => spec({ endpoints: `ping: ${path}` }));
    const side = baselineSide(now!, release!, { governing: base! });
    expect(side.spec.endpoints).toEqual(base!.endpoints);
    expect(heldTo(side.spec, now!).endpoints).toEqual(base!.endpoints);
    expect(side.warnings.map(({ code }) => code)).toEqual(['requests-differ']);
  });

  it('is held to the answers of its own spec, where both are of one kind', () => {
    const before = spec({ endpoints: 'ping: {path: /ping, expect: {json: {version: 1}}}' });
    const now = spec({ endpoints: 'ping: {path: /ping, expect: {status: 203, json: {version: 2}}}' });
    const side = baselineSide(now, before);
    expect(heldTo(before, now).endpoints).toEqual(now.endpoints);
    expect(side.spec.endpoints).toEqual(before.endpoints);
    expect(side.warnings).toEqual([
      {
        code: 'answers-differ',
        message: 'The answers that both specs expect of ping differ; each side is held to those of its own.',
      },
    ]);
  });

  it('misses the cases of a service that would leave the gate by becoming a reference, and says so', () => {
    const both = (role: string) =>
      spec({ services: `go: {image: a, port: 80}, rust: {image: b, port: 80, role: ${role}}` });
    const { missing, warnings } = baselineSide(both('reference'), both('subject'));
    expect(missing.map(({ key }) => key)).toEqual(['rust/ping/direct/wrk/keep-alive/10']);
    expect(warnings).toEqual([
      {
        code: 'role-changed',
        message:
          "rust is a reference in the candidate's spec and a subject in the baseline's. It stays in the gate, since a change cannot take a service out of its own.",
      },
    ]);
    const joined = baselineSide(both('subject'), both('reference'));
    expect(joined.missing).toEqual([]);
    expect(joined.warnings.map(({ message }) => message)).toEqual([
      "rust is a subject in the candidate's spec and a reference in the baseline's.",
    ]);
  });

  it('has the way out of its own spec, in both directions, and says that they differ', () => {
    const having = (network: string) =>
      spec({ services: `go: {image: a, port: 80, network: ${network}}, rust: {image: b, port: 80}` });
    const opened = baselineSide(having('open'), having('internal'));
    expect(opened.spec.services.map(({ network }) => network)).toEqual(['internal', 'open']);
    expect(opened.warnings).toEqual([
      {
        code: 'network-differs',
        message:
          "The network of go is open in the candidate's spec and internal in the baseline's: each side has that of its own.",
      },
    ]);
    expect(baselineSide(having('internal'), having('open')).spec.services[0]!.network).toBe('open');
    expect(baselineSide(having('internal'), having('internal')).warnings).toEqual([]);
  });

  it('takes secrets from the candidate where a record left them out', () => {
    const secret = 'env: {API_KEY: s3cret, OLD_TOKEN: s3cret, URL: "redis://me:pw@host/1", PLAIN: "1"}';
    const endpoints = 'ping: {path: /ping, headers: {authorization: Bearer x}}';
    const recorded = redactedSpec(spec({ services: `go: {image: a, port: 80, ${secret}}`, endpoints }));
    const now = 'env: {API_KEY: n3w, URL: "redis://me:pw@host/2", PLAIN: "2"}';
    const side = baselineSide(spec({ services: `go: {image: a, port: 80, ${now}}`, endpoints }), recorded);
    expect(side.spec.services[0]!.env).toEqual({ API_KEY: 'n3w', URL: 'redis://me:pw@host/2', PLAIN: '1' });
    expect(side.warnings).toEqual([
      {
        code: 'redacted-environment',
        message:
          'A record holds no secrets: the baseline of go gets API_KEY, URL as the candidate has it, and OLD_TOKEN not at all.',
      },
    ]);
  });

  it("takes the database's password from the candidate where a record left it out, and has none where that has none", () => {
    const having = (password: string) => spec({ more: `database: {image: "postgres:18"${password}}` });
    const recorded = redactedSpec(having(', password: 0ld-one'));
    const passwordOf = (now: ResolvedSpec, before: ResolvedSpec) => baselineSide(now, before).spec.database?.password;
    expect(passwordOf(having(', password: n3w-one'), recorded)).toBe('n3w-one');
    expect(passwordOf(having(''), recorded)).toBeUndefined();
    expect(passwordOf(spec(), recorded)).toBeUndefined();
    expect(passwordOf(having(', password: n3w-one'), having(', password: 0ld-one'))).toBe('0ld-one');
  });

  it('takes what a command, requests and answers hide from the candidate as well', () => {
    const both = (password: string, more: string) =>
      spec({
        services: `go: {image: a, port: 80, command: [./go, --api-key, ${password}, "--pw-token=${password}", ${more}], ready: "/?token=${password}"}`,
        endpoints: `ping: {path: "/ping?token=${password}", headers: {referer: "/?sig=${password}", x: y}, expect: {body: ${password}}}`,
      });
    const now = both('n3w-secret', '--fast');
    const side = baselineSide(now, redactedSpec(both('0ld-secret', '--slow')));
    expect(side.spec.services[0]).toMatchObject({
      command: ['./go', '--api-key', 'n3w-secret', '--pw-token=n3w-secret', '--slow'],
      ready: { path: '/?token=n3w-secret' },
    });
    expect(side.spec.endpoints).toEqual(now.endpoints);
    expect(side.warnings).toEqual([
      {
        code: 'redacted-environment',
        message:
          'A record holds no secrets: the baseline of go gets the secrets of its command as the candidate has it.',
      },
    ]);
  });

  it('says which secret of a command nobody has', () => {
    const before = redactedSpec(spec({ services: 'go: {image: a, port: 80, command: [./go, --token=abc]}' }));
    const side = baselineSide(spec(), before);
    expect(side.spec.services[0]!.command).toEqual(['./go', '--token=[redacted]']);
    expect(side.warnings.map(({ message }) => message)).toEqual([
      'A record holds no secrets: the baseline of go gets the secrets of its command not at all.',
    ]);
  });

  it('is not asked a request of the candidate’s where its own hides a secret and differs in more than that: its case is gone', () => {
    const endpoints = (path: string, headers: string) => `ping: {path: "${path}", headers: {${headers}}}, pong: /pong`;
    const before = redactedSpec(
      spec({ endpoints: endpoints('/ping?token=0ld-secret&page=1', 'authorization: Bearer x, x-old: "1"') }),
    );
    const now = spec({ endpoints: endpoints('/ping?token=n3w-secret&page=2', 'authorization: Bearer y') });
    const side = baselineSide(now, before);
    expect(side.spec.endpoints.map(({ name }) => name)).toEqual(['pong']);
    expect(side.missing.map(({ key }) => key)).toEqual(['go/ping/direct/wrk/keep-alive/10']);
    expect(side.warnings).toEqual([
      {
        code: 'redacted-request',
        message:
          "A record holds no secrets, and the requests of ping changed in more than theirs: the baseline's cannot be sent again, and nothing compares the new ones.",
      },
    ]);
  });
});
