import { describe, expect, it } from 'vitest';
import { restored } from '../../../src/core/baseline/restored.ts';
import { baselineSide, heldTo } from '../../../src/core/baseline/sides.ts';
import { askedOtherwise } from '../../../src/core/baseline/wire-request.ts';
import { casesOf } from '../../../src/core/config/case.ts';
import type { Login } from '../../../src/core/config/login.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { redactedSpec } from '../../../src/core/record/redaction.ts';

function loginOf(user: string, take: Record<string, string> = { token: '$.token' }): Login {
  const body = `{"user": "${user}", "password": "pass-of-${user}"}`;
  const request = { method: 'POST', path: '/login', headers: {}, body };
  return { steps: [{ name: 'login', request, take, expect: null }] };
}

function specWith(login?: Login): ResolvedSpec {
  const { login: _, ...spec } = readSpec(
    `name: api
services: {go: {image: acme/go, port: 80}}
login: {request: /login, take: {token: $.token}}
endpoints:
  ping: /ping
  items: {path: /items, headers: {authorization: "Bearer \${login.token}"}}
load: {wrk: {connections: [10], keep-alive: on}}
`,
    'wrkbench.yml',
  );
  return login === undefined ? spec : { ...spec, login };
}

describe('the login of a comparison', () => {
  const [admin, guest] = [loginOf('admin'), loginOf('guest')];

  it("is the baseline's on both sides: a change cannot be measured as somebody who is shown less", () => {
    expect(heldTo(specWith(admin), specWith(guest)).login).toEqual(admin);
    expect(baselineSide(specWith(guest), specWith(admin)).spec.login).toEqual(admin);
    expect(heldTo(specWith(admin), specWith()).login).toEqual(admin);
  });

  it("is the candidate's where the baseline has none, and none where neither has", () => {
    expect(heldTo(specWith(), specWith(guest)).login).toEqual(guest);
    expect('login' in heldTo(specWith(), specWith())).toBe(false);
  });

  it('that differs is told, with what nobody takes', () => {
    const warnings = (candidate: ResolvedSpec, baseline: ResolvedSpec) =>
      baselineSide(candidate, baseline).warnings.filter(({ code }) => code === 'login-differs');
    expect(warnings(specWith(admin), specWith(admin))).toEqual([]);
    expect(warnings(specWith(loginOf('admin', { token: '$.token', csrf: 'header:x-csrf' })), specWith(admin))).toEqual([
      {
        code: 'login-differs',
        message:
          "The login differs between both specs: both sides log in as the baseline's says. It does not take csrf: endpoints that are asked with that are measured once the baseline has it.",
      },
    ]);
  });

  it("of a record is the candidate's where it hides a secret, which is told", () => {
    const { spec, kept } = restored(redactedSpec(specWith(admin)), specWith(guest));
    expect(spec.login).toEqual(guest);
    expect(kept).toEqual([
      {
        code: 'redacted-login',
        message: "A record holds no secrets: the baseline logs in as the candidate's spec says.",
      },
    ]);
  });

  it('makes a case another one where its request takes something from it, and no other case', () => {
    const how = (before: Login, now: Login) => {
      const [one, other] = [specWith(now), specWith(before)].map((spec) =>
        casesOf(spec).map((each) => ({ of: each, spec: redactedSpec(spec) })),
      );
      return one!.map((each, at) => askedOtherwise(each, other![at]!));
    };
    expect(how(admin, admin)).toEqual([null, null]);
    expect(how(admin, guest)).toEqual([null, 'with another login']);
  });
});

it('requests are held against each other as they are written, with no value of a login in them', () => {
  const [own, before] = [specWith(loginOf('a')), specWith(loginOf('b'))];
  const warnings = baselineSide(own, before).warnings.map(({ code }) => code);
  expect(warnings).toEqual(['login-differs']);
});
