import { describe, expect, it } from 'vitest';
import { ownedSentence, withoutOwner } from '../../../src/core/format/owner.ts';

describe('whose a sentence is', () => {
  it.each([
    ['The image is not on this machine.', 'go: The image is not on this machine.'],
    ['go was asked for /ping, and nothing listens.', 'go was asked for /ping, and nothing listens.'],
    ['Service go exited with status 1.', 'Service go exited with status 1.'],
    ['go: It is gone.', 'go: It is gone.'],
    ['gopher exited.', 'go: gopher exited.'],
  ])('is said once: %s', (sentence, said) => {
    expect(ownedSentence('go', sentence)).toBe(said);
  });

  it('is left out where it stands before it', () => {
    expect(withoutOwner('go', 'go: It is gone.')).toBe('It is gone.');
    expect(withoutOwner('go', 'gopher: It is gone.')).toBe('gopher: It is gone.');
  });
});
