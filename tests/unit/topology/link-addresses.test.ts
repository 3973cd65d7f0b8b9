import { describe, expect, it } from 'vitest';
import { LINKS, linkAddresses } from '../../../src/core/topology/link-addresses.ts';

describe('the addresses of a link', () => {
  it('lie beside each other, in what is set aside for benchmarks', () => {
    expect(linkAddresses(0)).toEqual({ machine: '198.18.0.1', side: '198.18.0.2' });
    expect(linkAddresses(1)).toEqual({ machine: '198.18.0.5', side: '198.18.0.6' });
    expect(linkAddresses(64)).toEqual({ machine: '198.18.1.1', side: '198.18.1.2' });
    expect(linkAddresses(LINKS - 1)).toEqual({ machine: '198.19.255.253', side: '198.19.255.254' });
    expect(linkAddresses(LINKS)).toEqual(linkAddresses(0));
  });

  it('are those of no other link', () => {
    const all = Array.from({ length: LINKS }, (_, number) => Object.values(linkAddresses(number))).flat();
    expect(new Set(all).size).toBe(2 * LINKS);
  });
});
