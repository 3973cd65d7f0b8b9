import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type ActionInputs, actionInputs } from '../../../src/core/action/inputs.ts';

const action = parse(readFileSync('action.yml', 'utf8')) as { inputs: Record<string, { default?: string }> };
/** As GitHub hands them over: what a step does not name has its default. */
function inputs(given: Record<string, string> = {}): ActionInputs {
  return actionInputs((name) => given[name] ?? (name === 'token' ? '' : (action.inputs[name]?.default ?? '')));
}

describe('the inputs of the action', () => {
  it('have the defaults that action.yml says', () => {
    expect(inputs()).toEqual({
      task: 'run',
      specs: ['wrkbench.yml'],
      only: null,
      quick: false,
      paths: [],
      baseline: null,
      seed: null,
      runtime: 'docker',
      accepted: [],
      fail: 'regression',
      comment: 'change',
      status: true,
      check: false,
      publish: true,
      branch: 'gh-pages',
      retention: { count: null, days: null },
      squash: false,
      out: 'wrkbench-results',
      upload: true,
      shards: 1,
      shard: null,
      run: null,
      workflows: [],
      secrets: [],
      registries: [],
      token: '',
    });
  });

  it('are all declared: what is read and not declared would always be empty', () => {
    const asked = new Set<string>();
    actionInputs((name) => {
      asked.add(name);
      return '';
    });
    expect([...asked].sort()).toEqual(Object.keys(action.inputs).sort());
  });

  it('are the same where all of them are empty', () => {
    expect(actionInputs(() => '')).toEqual(inputs());
  });

  it('may be several lines', () => {
    const { specs, accepted } = inputs({
      spec: 'api/wrkbench.yml\n\n  benchmarks/*.yml\n',
      accept: '/db/*:cpu-per-request=roles\n/ping=TLS',
    });
    expect(specs).toEqual(['api/wrkbench.yml', 'benchmarks/*.yml']);
    expect(accepted).toEqual([
      { cases: '/db/*', metric: 'cpu-per-request', reason: 'roles' },
      { cases: '/ping', metric: null, reason: 'TLS' },
    ]);
  });

  it('have a login per line, without those whose secret GitHub has not handed over', () => {
    const text = 'ghcr.io bot ghp_1 23\n  127.0.0.1:5000   me  p4ss\ndocker.io me ';
    expect(inputs({ registries: text }).registries).toEqual([
      { registry: 'ghcr.io', username: 'bot', password: 'ghp_1 23' },
      { registry: '127.0.0.1:5000', username: 'me', password: 'p4ss' },
    ]);
  });

  it.each(['p4ssword', 'https://ghcr.io bot p4ssword', 'ghcr.io/acme bot p4ssword'])(
    'refuse `registries` of %s without showing it',
    (text) => {
      expect(() => inputs({ registries: text })).toThrow(
        'The input registries is `…`: expected a host, a user name and a password per line, such as `ghcr.io acme-bot ${{ secrets.PACKAGES_TOKEN }}`.',
      );
    },
  );

  it.each([
    ['comment', 'sometimes', 'The input comment is `sometimes`: expected one of always, change, regression, never.'],
    [
      'fail',
      'regresion',
      'The input fail is `regresion`: expected one of regression, inconclusive, never. Did you mean regression?',
    ],
    [
      'secrets',
      'API_KEY=abc',
      'The input secrets is `API_KEY=…`: expected names of variables, one per line, such as API_KEY.',
    ],
    [
      'secrets',
      'GITHUB_TOKEN',
      "The input secrets is `GITHUB_TOKEN`: expected names of variables, one per line, such as API_KEY; this one is the runner's own, and no spec gets it.",
    ],
    ['quick', 'yes', 'The input quick is `yes`: expected true or false.'],
    ['keep', '0', 'The input keep is `0`: expected a whole number from 1 to 1000000.'],
    ['shard', '5/4', 'The input shard is `5/4`: expected a part of all such as 2/4.'],
    [
      'spec',
      '../other/wrkbench.yml',
      'The input spec is `../other/wrkbench.yml`: expected a path inside the checkout, relative to it, without ..',
    ],
    ['out', '/tmp', 'The input out is `/tmp`: expected a path inside the checkout, relative to it, without ..'],
    ['branch', '--mirror', 'The input branch is `--mirror`: expected the name of a branch such as gh-pages.'],
    ['branch', 'a..b', 'The input branch is `a..b`: expected the name of a branch such as gh-pages.'],
    ['accept', 'everything', "--accept 'everything' is not understood"],
  ])('refuse %s: %s', (name, value, message) => {
    expect(() => inputs({ [name]: value })).toThrow(message);
  });
});
