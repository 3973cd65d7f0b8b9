import { describe, expect, it } from 'vitest';
import { enginePlace } from '../../../src/core/topology/engine-place.ts';

const facts = {
  platform: 'linux',
  endpoint: 'unix:///var/run/docker.sock',
  engineHost: 'runner-7',
  ownHost: 'runner-7',
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
    ['in the virtual machine of a Mac', { platform: 'darwin', engineHost: 'docker-desktop' }, 'elsewhere'],
  ] as const)('%s', (_, changes, place) => {
    expect(enginePlace({ ...facts, ...changes })).toBe(place);
  });
});
