import { describe, expect, it } from 'vitest';
import { choosesItsPort, sharedPort } from '../../../src/core/topology/shared-port.ts';
import { testCase } from '../support/trials.ts';

const fixed = testCase().service;
const free = { ...fixed, env: { PORT: '${port}' } };

describe('a service that gets a free port at each start', () => {
  it('is one that is told its port, by its command or its environment', () => {
    expect(choosesItsPort(fixed)).toBe(false);
    expect(choosesItsPort(free)).toBe(true);
    expect(choosesItsPort({ ...fixed, command: ['./go', '--listen=:${port}'] })).toBe(true);
    expect(choosesItsPort({ ...fixed, env: { PORT: '$${port}' } })).toBe(false);
  });
});

describe('two sides on one machine', () => {
  it('cannot both listen on the port of the spec, and the reader is told what to do', () => {
    expect(sharedPort([fixed], [fixed])).toBe(
      'Baseline and candidate stand side by side as processes of this machine, and both would listen on the same port: go (port 8080). ' +
        'Write ${port} into the command or env of the candidate, as in env: {PORT: "${port}"}: then each start gets a free one. ' +
        'Or run with --runtime docker.',
    );
  });

  it('can where one of them is told its port, where the ports differ, and where there is one side only', () => {
    expect(sharedPort([fixed], [free])).toBeNull();
    expect(sharedPort([free], [fixed])).toBeNull();
    expect(sharedPort([{ ...fixed, port: 8081 }], [fixed])).toBeNull();
    expect(sharedPort([{ ...fixed, name: 'rust' }], [fixed])).toBeNull();
  });
});
