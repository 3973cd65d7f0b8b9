import { describe, expect, it } from 'vitest';
import type { Service } from '../../../src/core/config/resolved.ts';
import { portSettings } from '../../../src/core/topology/port-settings.ts';
import { testCase } from '../support/trials.ts';

const plan = (keepAlive: boolean, network: Service['network'] = 'open') => ({
  seed: 1,
  services: [{ service: { ...testCase().service, network }, cases: [testCase(), testCase({ keepAlive })] }],
  estimate: { loadSeconds: 1, wallSeconds: 1 },
});

const SETTINGS = { 'net.ipv4.tcp_tw_reuse': '1', 'net.ipv4.ip_local_port_range': '10240\t65535' };

describe('the settings of local ports', () => {
  it('are wanted where a case closes its connections, and else none', () => {
    expect(portSettings(plan(false), 'docker')).toEqual(SETTINGS);
    expect(portSettings(plan(true), 'docker')).toEqual({});
  });

  it('are as the machine has them for processes on its loopback, and not for those in a network of their own', () => {
    expect(portSettings(plan(false), 'process')).toEqual({});
    expect(portSettings(plan(false, 'internal'), 'process')).toEqual(SETTINGS);
    expect(portSettings(plan(true, 'internal'), 'process')).toEqual({});
  });
});
