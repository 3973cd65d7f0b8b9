import { describe, expect, it } from 'vitest';
import { MOST_SYNTAX_MISTAKES, yamlDocument } from '../../../src/core/config/yaml-document.ts';

const long = (unit: string) => unit.repeat(Math.ceil(131_072 / unit.length));

describe('what a text holds as YAML', () => {
  it('is its document', () => {
    const { document, mistakes } = yamlDocument('a: [1, no, ~]\nb: &x {c: "d"}\ne: *x\n');
    expect([document?.toJS(), mistakes]).toEqual([{ a: [1, 'no', null], b: { c: 'd' }, e: { c: 'd' } }, []]);
  });

  it('is null of nothing', () => {
    expect(yamlDocument('').document?.toJS()).toBeNull();
  });

  it('has merged keys where that is asked for', () => {
    const text = 'a: &a {b: 1}\nc: {<<: *a, d: 2}\n';
    expect(yamlDocument(text, { merge: true }).document?.toJS().c).toEqual({ b: 1, d: 2 });
    expect(yamlDocument(text).document?.toJS().c).toEqual({ '<<': { b: 1 }, d: 2 });
  });

  it('is told with its mistakes, and where they stand', () => {
    const { document, mistakes } = yamlDocument('a: 1\nb: [2\nc: 3\n}\n');
    expect(document?.toJS()).toMatchObject({ a: 1 });
    expect(mistakes.length).toBeGreaterThan(1);
    expect(mistakes[0]).toMatchObject({ code: 'BAD_INDENT', pos: [11, 12] });
  });

  it('is the first document; another one is a mistake', () => {
    const { document, mistakes } = yamlDocument('a: 1\n---\nb: 2\n---\nc: 3\n');
    expect([document?.toJS(), mistakes.map(({ code }) => code)]).toEqual([{ a: 1 }, ['MULTIPLE_DOCS']]);
  });
});

// Each took a second or more, or ended the process; the time limit of a test is what they are held against.
describe('128 KiB of one thing come to an end', () => {
  it.each(['}}\n', '}}}}\n', '[^1]', 'a: [^1][^1]\n', '*a ', '!a ', '"'])(
    'with the first mistakes told: %j',
    (unit) => {
      expect(yamlDocument(long(unit)).mistakes).toHaveLength(MOST_SYNTAX_MISTAKES);
    },
  );

  it.each(['[', '{', '{[', '? ', '- ', ': ', 'a: b\n a: b\n'])('as too deep: %j', (unit) => {
    expect(() => yamlDocument(long(unit))).toThrow(RangeError);
  });

  it('with all their documents left alone but one', () => {
    expect(yamlDocument(long('---\n')).mistakes).toHaveLength(1);
  });
});
