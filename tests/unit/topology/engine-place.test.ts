import { describe, expect, it } from 'vitest';
import { engineObstacle, enginePlace } from '../../../src/core/topology/engine-place.ts';

const facts = {
  platform: 'linux',
  endpoint: 'unix:///var/run/docker.sock',
  engineHost: 'runner-7',
  ownHost: 'runner-7',
  operatingSystem: 'Ubuntu 24.04.3 LTS',
  engineKernel: '6.8.0-45-generic',
  ownKernel: '6.8.0-45-generic',
  contained: false,
};

describe('where the engine is', () => {
  it.each([
    ['on this machine', {}, 'here'],
    ['on a machine that calls itself otherwise than its engine does', { ownHost: 'renamed' }, 'here'],
    ['in this very container', { contained: true }, 'here'],
    ['on the machine around this container', { contained: true, ownHost: '3f2c1ab90e6d' }, 'beside'],
    ['on another machine', { endpoint: 'ssh://bench@10.0.0.7' }, 'elsewhere'],
    ['behind TCP', { endpoint: 'tcp://10.0.0.7:2376' }, 'elsewhere'],
    ['behind a socket that leads into a virtual machine', { engineKernel: '6.10.14-linuxkit' }, 'elsewhere'],
    [
      'beside this distribution of WSL 2, in that of Docker Desktop, on the same kernel',
      { operatingSystem: 'Docker Desktop', engineHost: 'docker-desktop' },
      'elsewhere',
    ],
    ['in the virtual machine of a Mac', { platform: 'darwin', engineHost: 'docker-desktop' }, 'elsewhere'],
  ] as const)('%s', (_, changes, place) => {
    expect(enginePlace({ ...facts, ...changes })).toBe(place);
  });
});

describe('an engine', () => {
  it('cannot be measured with where it is rootless, and says what to do', () => {
    expect(engineObstacle(['name=seccomp,profile=builtin', 'name=rootless', 'name=cgroupns'])).toBe(
      'The Docker engine is rootless: its containers are in a network of its own, which no load reaches. Use an engine that runs as root (docker context use default, or unset DOCKER_HOST), or run the services as processes with --runtime process.',
    );
  });

  it('can be where it has other options, or none', () => {
    expect(engineObstacle(['name=apparmor', 'name=seccomp,profile=builtin', 'name=cgroupns'])).toBeNull();
    expect(engineObstacle([])).toBeNull();
  });
});
