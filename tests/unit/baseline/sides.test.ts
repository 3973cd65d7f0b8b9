import { describe, expect, it } from 'vitest';
import { baselineSide } from '../../../src/core/baseline/sides.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
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
  it('has services, database, gateway and gate of its own, load and placement of the candidate, and the endpoints of both', () => {
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
    const written = spec({ load: '{wrk: {connections: [10], keep-alive: on, duration: 10s}}' });
    const shorter = spec({ load: '{wrk: {connections: [10], keep-alive: on, duration: 2s}}' });
    expect(baselineSide(shorter, written).warnings.map(({ code }) => code)).toEqual(['load-differs']);
    expect(baselineSide(shorter, written, written.load).warnings).toEqual([]);
    expect(baselineSide(shorter, written, written.load).spec.load).toEqual(shorter.load);
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

  it('is loaded as the candidate is, and says so where its own spec has it otherwise', () => {
    const other = spec({ load: '{wrk: {connections: [10, 1000], keep-alive: on}}' });
    expect(baselineSide(spec(), other)).toMatchObject({
      missing: [],
      warnings: [
        {
          code: 'load-differs',
          message: "The load differs between both specs; both sides are loaded as the candidate's has it.",
        },
      ],
    });
  });

  it('is not asked for what its own spec asks for otherwise, or expects another status of', () => {
    const now = spec({ endpoints: 'ping: /ping, news: /news, made: {path: /made, expect: {status: 201}}' });
    const before = spec({ endpoints: 'ping: /ping, news: /old, made: /made' });
    const side = baselineSide(now, before);
    expect(side.spec.endpoints.map(({ name }) => name)).toEqual(['ping']);
    expect(side.missing).toEqual([]);
    expect(side.warnings).toEqual([
      {
        code: 'endpoints-differ',
        message:
          'The requests of news, made, or the status of their answers, differ between both specs: their cases count as new and are not compared.',
      },
    ]);
  });

  it('is held to the answers of its own spec', () => {
    const before = spec({ endpoints: 'ping: {path: /ping, expect: {json: {version: 1}}}' });
    const side = baselineSide(spec({ endpoints: 'ping: {path: /ping, expect: {json: {version: 2}}}' }), before);
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

  it('is not asked for a request that differs in more than what is hidden', () => {
    const before = redactedSpec(spec({ endpoints: 'ping: "/ping?token=0ld-secret&page=1"' }));
    const side = baselineSide(spec({ endpoints: 'ping: "/ping?token=n3w-secret&page=2"' }), before);
    expect(side.spec.endpoints).toEqual([]);
    expect(side.warnings.map(({ code }) => code)).toEqual(['endpoints-differ']);
  });
});
