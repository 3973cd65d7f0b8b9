import { describe, expect, it } from 'vitest';
import { resolvConfForContainers } from '../../../src/core/topology/name-servers.ts';

const STUB = '# Do not edit.\nnameserver 127.0.0.53\noptions edns0 trust-ad\nsearch .\n';
const UPLINK = '# Uplink servers.\nnameserver 168.63.129.16\nsearch internal.cloudapp.net\n';

describe('the name servers of a container', () => {
  it('are the first ones that it reaches', () => {
    expect(resolvConfForContainers([UPLINK, STUB])).toBe(UPLINK);
    expect(resolvConfForContainers([null, STUB, UPLINK])).toBe(UPLINK);
    expect(resolvConfForContainers(['nameserver fd00::53\n'])).toBe('nameserver fd00::53\n');
  });

  it('are none where only the machine itself reaches those that there are', () => {
    expect(resolvConfForContainers([null, STUB])).toBeNull();
    expect(resolvConfForContainers(['nameserver ::1\n', 'nameserver 127.0.0.11\n'])).toBeNull();
  });

  it('are none where none is named: the first would be the container itself', () => {
    expect(resolvConfForContainers([null, '', 'search internal\n#nameserver 10.0.0.2\n'])).toBeNull();
  });

  it('do not hold those of the machine alone beside others', () => {
    expect(resolvConfForContainers(['nameserver 127.0.0.1\nnameserver 10.0.0.2\nsearch internal\n'])).toBe(
      'nameserver 10.0.0.2\nsearch internal\n',
    );
  });
});
