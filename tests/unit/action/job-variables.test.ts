import { describe, expect, it } from 'vitest';
import { jobFacts } from '../../../src/core/action/job-facts.ts';
import { jobLogins, jobVariables, withheldFrom } from '../../../src/core/action/job-variables.ts';
import { readSpec } from '../../../src/core/config/read.ts';

/** A pull request whose branch lies in that repository; null for a head that is gone. */
function pullRequestFrom(fullName: string | null) {
  const head = { sha: 'a'.repeat(40), ref: 'topic', repo: fullName === null ? null : { full_name: fullName } };
  const event = {
    repository: { full_name: 'acme/api' },
    pull_request: { number: 7, head, base: { sha: 'b'.repeat(40), ref: 'main' } },
  };
  return jobFacts({ GITHUB_EVENT_NAME: 'pull_request' }, event);
}

const own = pullRequestFrom('acme/api');
const fork = pullRequestFrom('somebody/api');
const push = jobFacts({ GITHUB_EVENT_NAME: 'push' }, { repository: { full_name: 'acme/api' } });
const environment = {
  API_KEY: 'k-123',
  OTHER: 'o-123',
  WRKBENCH_SECRETS: 'LICENCE=l-123=\n  PASSWORD= p q \nnonsense',
};

describe('the variables that specs of a job may have', () => {
  it('are those that the workflow lists, from the step or handed on by a reusable workflow', () => {
    const secrets = ['API_KEY', 'LICENCE', 'PASSWORD'];
    for (const facts of [own, push]) {
      expect(jobVariables({ secrets }, facts, environment)).toEqual({
        API_KEY: 'k-123',
        LICENCE: 'l-123=',
        PASSWORD: ' p q ',
      });
    }
    expect(jobVariables({ secrets: [] }, own, environment)).toEqual({});
  });

  it('are without those that have no value: GitHub hands over nothing as nothing', () => {
    expect(jobVariables({ secrets: ['API_KEY', 'ABSENT'] }, own, { API_KEY: '' })).toEqual({});
  });

  it("are none in a fork's run, whoever has set them", () => {
    const secrets = ['API_KEY', 'LICENCE'];
    for (const facts of [fork, pullRequestFrom(null)])
      expect(jobVariables({ secrets }, facts, environment)).toEqual({});
  });
});

describe('the logins that images of a job are pulled by', () => {
  const registries = [{ registry: 'ghcr.io', username: 'bot', password: 'secret' }];

  it('are those that the workflow lists, beside those of the machine', () => {
    for (const facts of [own, push]) expect(jobLogins({ registries }, facts)).toEqual(registries);
    expect(jobLogins({ registries: [] }, own)).toEqual([]);
  });

  it("are none in a fork's run, not even the machine's", () => {
    for (const facts of [fork, pullRequestFrom(null)]) {
      expect(jobLogins({ registries }, facts)).toBeNull();
      expect(jobLogins({ registries: [] }, facts)).toBeNull();
    }
  });
});

describe("a fork's pull request", () => {
  const spec = (more: string) =>
    readSpec(`name: api\nservices: {go: {image: a, port: 80${more}}}\nendpoints: {ping: /ping}\n`, 'wrkbench.yml');
  const named = spec(', env: {KEY: "${env.API_KEY}"}');

  it('is not measured by a spec that names a variable, and is told why', () => {
    expect(withheldFrom(named, fork)).toBe(
      'This pull request comes from a fork, whose run gets no secret, and the spec names `${env.API_KEY}` (services.go.env.KEY): it is not measured. Push the change to a branch of this repository to measure it.',
    );
  });

  it('is not measured either where only the login names one', () => {
    const request = { method: 'POST', path: '/login', headers: {}, body: '{"password": "${env.PASSWORD}"}' };
    const login = { steps: [{ name: 'login', request, take: { token: '$.token' }, expect: null }] };
    expect(withheldFrom({ ...spec(''), login }, fork)).toContain('`${env.PASSWORD}` (login (step login))');
  });

  it('is measured by any other spec, and a branch of the repository by each', () => {
    expect([withheldFrom(spec(''), fork), withheldFrom(named, own), withheldFrom(named, push)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
