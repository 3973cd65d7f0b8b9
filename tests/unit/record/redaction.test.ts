import { describe, expect, it } from 'vitest';
import { redactedSpec } from '../../../src/core/record/redaction.ts';
import type { ResolvedSpec } from '../../../src/core/spec/resolved.ts';
import { testCase } from '../support/slices.ts';

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
  load: { wrk: null, k6: null, ab: null, warmUp: { kind: 'fixed', seconds: 1 }, coolDownSeconds: 1 },
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
});
