import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeIpv6Only,
  describeListeners,
  listenersReplaced,
  parseBacklogs,
  parseListeners,
  parsePassiveOpens,
} from '../../../src/core/topology/listening.ts';

const HEADER = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (local: string, state: string, inode: number) => {
  const remote = `${'0'.repeat(local.length - 5)}:0000`;
  return `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000000000000000 100 0 0 10 0\n`;
};

describe('/proc/PID/net/tcp', () => {
  it('holds who listens: address, port and socket', () => {
    const text =
      HEADER + line('0100007F:1F90', '0A', 7) + line('00000000:0BB8', '0A', 8) + line('020012AC:1F90', '01', 9);
    expect(parseListeners(text)).toEqual([
      { address: '0.0.0.0', port: 3000, loopback: false, inode: '8' },
      { address: '127.0.0.1', port: 8080, loopback: true, inode: '7' },
    ]);
  });

  it('holds IPv6 addresses too', () => {
    const any = '00000000000000000000000000000000:1F90';
    const own = '00000000000000000000000001000000:1F91';
    const mapped = '0000000000000000FFFF00000100007F:1F92';
    const global = 'B80D0120000000000000000001000000:1F93';
    const text = HEADER + [any, own, mapped, global].map((local, i) => line(local, '0A', i)).join('');
    expect(parseListeners(text).map(({ address, loopback }) => ({ address, loopback }))).toEqual([
      { address: '::', loopback: false },
      { address: '::1', loopback: true },
      { address: '::ffff:127.0.0.1', loopback: true },
      { address: '2001:db8:0:0:0:0:0:1', loopback: false },
    ]);
  });

  it('leaves out the name server of the engine, and what is no line', () => {
    expect(parseListeners(HEADER + line('0B00007F:A1B2', '0A', 3))).toEqual([]);
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(parseListeners(text))));
  });
});

const at = (port: number, inode: string, address = '0.0.0.0') => ({
  ...{ address, port, inode, loopback: address.startsWith('127.') },
});

describe('a port that nobody answers on', () => {
  it('is explained by what the container listens on instead', () => {
    expect(describeListeners([], 80)).toBe(
      'it listens on no port at all: look at its log, or name the port that it will listen on',
    );
    expect(describeListeners([at(3000, '1')], 80)).toBe(
      "it listens on port 3000: set the service's port in the spec, or tell the server its port by env",
    );
    expect(describeListeners([at(3000, '1'), at(3000, '2', '::'), at(9090, '3'), at(5, '4', '127.0.0.1')], 80)).toMatch(
      /^it listens on ports 3000, 9090:/,
    );
    expect(describeListeners([at(80, '1', '127.0.0.1')], 80)).toBe(
      'it listens on 127.0.0.1:80 only, which is not reachable from outside the container: let it listen on 0.0.0.0',
    );
  });
});

describe('a port that is listened on for IPv6 alone', () => {
  it('is explained with the address, whichever it is', () => {
    expect(describeIpv6Only([at(80, '1', '::'), at(81, '2')], 80)).toBe(
      'it listens on [::]:80 for IPv6 alone, and is asked over IPv4: let it listen on 0.0.0.0',
    );
    expect(describeIpv6Only([at(80, '1', '::1'), at(80, '2', 'fd00:0:0:0:0:0:0:2')], 80)).toBe(
      'it listens on [::1]:80 and [fd00:0:0:0:0:0:0:2]:80 for IPv6 alone, and is asked over IPv4: let it listen on 0.0.0.0',
    );
  });

  it('is none that is listened on for IPv4 too, under whichever name, or not at all', () => {
    expect(describeIpv6Only([at(80, '1', '::'), at(80, '2')], 80)).toBeNull();
    expect(describeIpv6Only([at(80, '1', '::ffff:127.0.0.1')], 80)).toBeNull();
    expect(describeIpv6Only([at(81, '1', '::')], 80)).toBeNull();
    expect(describeIpv6Only([], 80)).toBeNull();
  });
});

describe('a server behind a port', () => {
  it('has been replaced when none of its sockets is there any more', () => {
    const before = [at(80, '1'), at(80, '2'), at(81, '9')];
    expect(listenersReplaced(before, [at(80, '2'), at(80, '3')], 80)).toBe(false);
    expect(listenersReplaced(before, [at(80, '3'), at(81, '9')], 80)).toBe(true);
    expect(listenersReplaced(before, [], 80)).toBe(true);
    expect(listenersReplaced([], [at(80, '3')], 80)).toBe(false);
  });
});

describe('/proc/PID/net/snmp', () => {
  const tcp =
    'Ip: Forwarding\nIp: 1\nTcp: RtoAlgorithm ActiveOpens PassiveOpens AttemptFails\nTcp: 1 12 345 6\nUdp: X\nUdp: 1\n';

  it('holds the connections that were accepted', () => {
    expect(parsePassiveOpens(tcp)).toBe(345);
    expect(parsePassiveOpens(tcp.replace('PassiveOpens', 'Others'))).toBeNull();
    expect(parsePassiveOpens('')).toBeNull();
  });
});

describe('the listen backlogs that ss shows', () => {
  it('are one for each socket that listens, and none of what is no such line', () => {
    const text = [
      'LISTEN 0      4096         0.0.0.0:3000      0.0.0.0:*',
      'LISTEN 3      511                *:3000            *:*',
      'ESTAB  0      0          127.0.0.1:3000    127.0.0.1:5',
      'LISTEN 0      -',
    ];
    expect(parseBacklogs(text.join('\n'))).toEqual([4096, 511]);
    expect(parseBacklogs('')).toEqual([]);
  });
});
