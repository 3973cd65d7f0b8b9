import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isProvenDead, ownerText, parseOwner } from '../../../src/core/topology/labels.ts';

const owner = {
  bootId: '15bf7d5d-312e-4201-ba7b-e14dd2040255',
  pidNamespace: '4026531836',
  pid: 4711,
  startTime: '99',
};
const witness = {
  bootId: owner.bootId,
  pidNamespace: owner.pidNamespace,
  startTimeOf: (pid: number) => (pid === 4711 ? '99' : null),
};

describe('the owner of a container', () => {
  it('is written in one line, and read again', () => {
    const text = '15bf7d5d-312e-4201-ba7b-e14dd2040255:4026531836:4711:99';
    expect(ownerText(owner)).toBe(text);
    expect(parseOwner(text)).toEqual(owner);
  });

  it('is proven dead after another boot, or where its pid namespace has no such process', () => {
    expect(isProvenDead(ownerText({ ...owner, bootId: '0-0' }), witness)).toBe(true);
    expect(isProvenDead(ownerText({ ...owner, pid: 4712 }), witness)).toBe(true);
  });

  it('is proven dead where its number belongs to a younger process now', () => {
    expect(isProvenDead(ownerText({ ...owner, startTime: '98' }), witness)).toBe(true);
  });

  it('is left alone while it lives, in another pid namespace, and where the text is not ours', () => {
    expect(isProvenDead(ownerText(owner), witness)).toBe(false);
    expect(isProvenDead(ownerText({ ...owner, pidNamespace: '1', pid: 4712 }), witness)).toBe(false);
    expect(isProvenDead('somebody', witness)).toBe(false);
    fc.assert(fc.property(fc.string(), (text) => parseOwner(text) !== null || !isProvenDead(text, witness)));
  });
});
