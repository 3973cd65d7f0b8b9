import { describe, expect, it } from 'vitest';
import { portSettings } from '../../../src/core/topology/port-settings.ts';
import { testCase } from '../support/trials.ts';

const plan = (keepAlive: boolean) => ({
  seed: 1,
  services: [{ service: testCase().service, cases: [testCase(), testCase({ keepAlive })] }],
  estimate: { loadSeconds: 1, wallSeconds: 1 },
});

describe('the settings of local ports', () => {
  it('are wanted where a case closes its connections, and else none', () => {
    expect(portSettings(plan(false))).toEqual({
      'net.ipv4.tcp_tw_reuse': '1',
      'net.ipv4.ip_local_port_range': '10240\t65535',
    });
    expect(portSettings(plan(true))).toEqual({});
  });
});
