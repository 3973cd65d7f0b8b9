import { describe, expect, it } from 'vitest';
import { ended } from '../../../src/core/format/sentence.ts';

describe('a sentence that ends with what others wrote', () => {
  it.each([
    ['rest was not measured: its job left no record', 'rest was not measured: its job left no record.'],
    ['It cannot be read: the disk is full.', 'It cannot be read: the disk is full.'],
    ['unknown key `conections`: did you mean `connections`?', 'unknown key `conections`: did you mean `connections`?'],
    ['git said: fatal!\n', 'git said: fatal!'],
    ['It begins with <!doctype…', 'It begins with <!doctype…'],
  ])('has one mark at its end: %s', (text, said) => {
    expect(ended(text)).toBe(said);
  });
});
