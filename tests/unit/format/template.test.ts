import { describe, expect, it } from 'vitest';
import { filled } from '../../../src/core/format/template.ts';

describe('a template', () => {
  it('has each of its placeholders filled in, wherever they stand', () => {
    expect(filled('listen __PORT__; # __PORT__ of __HOST__', { __PORT__: '80', __HOST__: 'a' })).toBe(
      'listen 80; # 80 of a',
    );
  });

  it('takes what is filled in as it is', () => {
    expect(filled('__A__ __B__', { __A__: '__B__ $& $1', __B__: 'b' })).toBe('__B__ $& $1 b');
  });

  it('takes a comment for a placeholder as well, and the longer of two names', () => {
    expect(filled('-- __REQUEST__\n__REQUEST__', { '-- __REQUEST__\n': 'x ', __REQUEST__: 'y' })).toBe('x y');
  });

  it('that has no such placeholder, or one more, is a mistake of ours', () => {
    expect(() => filled('a', { __B__: 'b' })).toThrow('The template has no __B__.');
    expect(() => filled('__A__ __B__', { __A__: 'a' })).toThrow('Nothing is filled in for __B__.');
  });
});
