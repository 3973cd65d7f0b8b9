import { describe, expect, it } from 'vitest';
import { handedEnvironment } from '../../../src/core/topology/handed-environment.ts';

describe('variables that the docker command is told', () => {
  it('stand in its arguments by their names alone', () => {
    const variables = { DB_PASSWORD: 's3cret', KEY: 'BEGIN\nEND', EMPTY: '' };
    expect(handedEnvironment(variables)).toEqual({
      arguments: ['--env', 'DB_PASSWORD', '--env', 'KEY', '--env', 'EMPTY'],
      env: variables,
    });
  });

  it('stay arguments where the command itself would go by them', () => {
    const own = {
      PATH: '/app',
      DOCKER_HOST: 'tcp://x',
      LD_PRELOAD: '/app/x.so',
      GODEBUG: 'x=1',
      https_proxy: 'http://p',
    };
    expect(handedEnvironment({ ...own, A: '1' })).toEqual({
      arguments: [...Object.entries(own).flatMap((variable) => ['--env', variable.join('=')]), '--env', 'A'],
      env: { A: '1' },
    });
  });

  it('are those of a build as well', () => {
    expect(handedEnvironment({ NPM_TOKEN: 's3cret' }, '--build-arg')).toEqual({
      arguments: ['--build-arg', 'NPM_TOKEN'],
      env: { NPM_TOKEN: 's3cret' },
    });
  });
});
