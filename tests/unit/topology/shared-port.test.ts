import { describe, expect, it } from 'vitest';
import type { Service } from '../../../src/core/config/resolved.ts';
import { choosesItsPort, sharedPort } from '../../../src/core/topology/shared-port.ts';
import { plainDependency } from '../../support/testbed-specs.ts';
import { testCase } from '../support/trials.ts';

const fixed = testCase().service;
const free = { ...fixed, env: { PORT: '${port}' } };

describe('a service that gets a free port at each start', () => {
  it('is one that is told its port, by its command or its environment', () => {
    expect(choosesItsPort(fixed)).toBe(false);
    expect(choosesItsPort(free)).toBe(true);
    expect(choosesItsPort({ ...fixed, command: ['./go', '--listen=:${port}'] })).toBe(true);
    expect(choosesItsPort({ ...fixed, env: { PORT: '$${port}' } })).toBe(false);
    expect(choosesItsPort({ ...fixed, env: { GRPC: '${ports.grpc}' } })).toBe(false);
    expect(choosesItsPort({ ...fixed, env: { GRPC: '${ports.grpc}' } }, 'ports.grpc')).toBe(true);
  });
});

const shared = (baseline: Service, candidate: Service) =>
  sharedPort({ services: [baseline] }, { services: [candidate] });

describe('two sides on one machine', () => {
  it('cannot both listen on the port of the spec, and the reader is told what to do', () => {
    expect(shared(fixed, fixed)).toBe(
      'Baseline and candidate stand side by side as processes of this machine, and both would listen on the same port: go (port 8080); ' +
        'write ${port} into the command or env of the candidate, as in env: {PORT: "${port}"}, so that each start gets a free one, ' +
        'or give the service `network: internal` and run as root, or run with --runtime docker.',
    );
  });

  it('cannot both listen on a further port either, which the sentence names beside its placeholder', () => {
    const further = { ...free, ports: { grpc: 9090, 'admin-ui': 9091 } };
    expect(shared(further, further)).toBe(
      'Baseline and candidate stand side by side as processes of this machine, and both would listen on the same port: go (port 9090), go (port 9091); ' +
        'write ${ports.grpc} and ${ports.admin-ui} into the command or env of the candidate, as in env: {GRPC_PORT: "${ports.grpc}"}, so that each start gets a free one, ' +
        'or give the service `network: internal` and run as root, or run with --runtime docker.',
    );
    const told = { ...further, env: { ...free.env, GRPC: ':${ports.grpc}', ADMIN: ':${ports.admin-ui}' } };
    expect(shared(further, told)).toBeNull();
    expect(shared({ ...fixed, port: 9090 }, further)).toMatch(/same port: go \(port 9090\);/);
  });

  it('can where one of them is told its port, where the ports differ, and where there is one side only', () => {
    expect(shared(fixed, free)).toBeNull();
    expect(shared(free, fixed)).toBeNull();
    expect(shared({ ...fixed, port: 8081 }, fixed)).toBeNull();
    expect(shared({ ...fixed, name: 'rust' }, fixed)).toBeNull();
  });

  it('can where one of them has a network of its own, with what stands beside it', () => {
    const apart = { ...fixed, network: 'internal' as const };
    expect(shared(apart, apart)).toBeNull();
    expect(shared(fixed, apart)).toBeNull();
    const redis = plainDependency({ image: null, command: ['redis-server'] }, { name: 'redis' });
    const sides = (service: Service) => ({ services: [service], dependencies: [redis] });
    expect(sharedPort(sides(free), sides(free))).toMatch(/same port: redis \(port 6379\);/);
    expect(sharedPort(sides(apart), sides(apart))).toBeNull();
  });
});
