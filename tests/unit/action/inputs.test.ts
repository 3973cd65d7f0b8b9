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
