import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isProvenDead,
  type OwnerWitness,
  ownerText,
  parseOwner,
  runnerContainerOf,
  runnerContainerOwner,
  runningPid,
} from '../../../src/core/topology/labels.ts';

const owner = {
  bootId: '15bf7d5d-312e-4201-ba7b-e14dd2040255',
  pidNamespace: '4026531836',
  pid: 4711,
  startTime: '99',
  elsewhere: false,
};
const foreign = { ...owner, bootId: '9c5ab4d1-77f0-4f0e-8f5b-20ad3a4d3c11' };
const witness: OwnerWitness = {
  bootId: owner.bootId,
  pidNamespace: owner.pidNamespace,
  startTimeOf: (pid) => (pid === 4711 ? '99' : null),
  elsewhere: false,
  mayRun: (container) => container === 'wrkbench-runner-container-1',
};
/** Asks an engine of another machine. */
const client: OwnerWitness = { ...witness, elsewhere: true };

describe('the owner of a container', () => {
  it('is written in one line, and read again', () => {
    const text = '15bf7d5d-312e-4201-ba7b-e14dd2040255:4026531836:4711:99';
    expect(ownerText(owner)).toBe(text);
    expect(parseOwner(text)).toEqual(owner);
    expect(ownerText({ ...owner, elsewhere: true })).toBe(`elsewhere:${text}`);
    expect(parseOwner(`elsewhere:${text}`)).toEqual({ ...owner, elsewhere: true });
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
    fc.assert(
      fc.property(
        fc.string(),
        (text) => parseOwner(text) !== null || runnerContainerOf(text) !== null || !isProvenDead(text, witness),
      ),
    );
  });
});

describe('an owner on another machine than the engine', () => {
  const text = (changes = {}) => ownerText({ ...owner, elsewhere: true, ...changes });

  it('is judged by its own machine alone', () => {
    expect(isProvenDead(text(), client)).toBe(false);
    expect(isProvenDead(text({ pid: 4712 }), client)).toBe(true);
    expect(isProvenDead(text({ pid: 4712, pidNamespace: '1' }), client)).toBe(false);
  });

  it('is left alone by the machine of the engine, and by that of every other client', () => {
    for (const judge of [witness, client]) {
      expect(isProvenDead(ownerText({ ...foreign, elsewhere: true }), judge)).toBe(false);
    }
  });
});

describe('an owner on the machine of the engine', () => {
  it('is left alone by a client on another one, whose boot is not that of its machine', () => {
    expect(isProvenDead(ownerText(foreign), client)).toBe(false);
    expect(isProvenDead(ownerText(foreign), witness)).toBe(true);
  });
});

describe('what a runner container has started', () => {
  it('is owned by its container, and abandoned once the engine runs none of that name, for whoever asks it', () => {
    expect(runnerContainerOwner('wrkbench-runner-container-1')).toBe('runner-container:wrkbench-runner-container-1');
    expect(runnerContainerOf('runner-container:wrkbench-runner-container-1')).toBe('wrkbench-runner-container-1');
    for (const judge of [witness, client]) {
      expect(isProvenDead(runnerContainerOwner('wrkbench-runner-container-1'), judge)).toBe(false);
      expect(isProvenDead(runnerContainerOwner('wrkbench-runner-container-2'), judge)).toBe(true);
    }
  });
});

describe('a process that is to be ended', () => {
  it('is found where it still is the one that was meant', () => {
    expect(runningPid(ownerText(owner), witness)).toBe(4711);
  });

  it.each([
    ['has ended', { pid: 4712 }],
    ['has left its number to a younger one', { startTime: '98' }],
    ['counts in another pid namespace', { pidNamespace: '1' }],
    ['ran on another machine', { bootId: foreign.bootId }],
  ])('is not found where it %s', (_, changes) => {
    expect(runningPid(ownerText({ ...owner, ...changes }), witness)).toBeNull();
  });

  it('is not found where the text names none', () => {
    expect(runningPid('', witness)).toBeNull();
    expect(runningPid(runnerContainerOwner('wrkbench-runner-container-1'), witness)).toBeNull();
  });
});
