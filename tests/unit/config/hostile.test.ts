import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../src/core/config/read.ts';
import { diagnosticLines, diagnosticsOf, leastWith } from './specs.ts';

describe('what is not valid YAML', () => {
  it.each([
    ['', ['1:1: the file is empty: write name, services and endpoints, or let `wrkbench init` do it']],
    ['# nothing\n', ['1:1: the file is empty: write name, services and endpoints, or let `wrkbench init` do it']],
    ['~', ['1:1: the file is empty: write name, services and endpoints, or let `wrkbench init` do it']],
    ['just words', ['1:1: the spec is `just words`: expected a map with name, services and endpoints']],
    ['name: a\n\tb: 1\n', ['2:1: a tab cannot indent YAML: use spaces']],
    ['name: a\n---\nname: b\n', ['2:1: a spec is one YAML document: remove this `---` and what follows']],
    [
      'name: !!binary aGk=\n',
      [
        '1:1: the spec has no `services`: expected a map from names to services',
        '1:1: the spec has no `endpoints`: expected a map from names to endpoints',
        '1:16: `aGk=` is neither text, nor a finite number, nor true or false',
      ],
    ],
    ['name: !mine a\n', ['1:7: this YAML tag has no meaning here: remove it']],
    ['name: "a\n', ['2:1: not valid YAML: missing closing "quote']],
    [
      'name: [a\n',
      ['2:1: not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ]'],
    ],
    ['name: a\u0000\n', ['1:8: not valid UTF-8: save the file as UTF-8']],
    ['name: caf\ufffd\n', ['1:10: not valid UTF-8: save the file as UTF-8']],
    ['a: \ud800', ['1:4: not valid UTF-8: save the file as UTF-8']],
    [
      'a: b: c: d',
      [
        '1:4: not valid YAML: nested mappings are not allowed in compact mappings',
        '1:7: not valid YAML: nested mappings are not allowed in compact mappings',
      ],
    ],
  ])('%j', (text, expected) => {
    expect(diagnosticLines(text)).toEqual(expected);
  });
});

describe('aliases', () => {
  it('that multiply are refused before they are followed', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 30; level++) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`);
    }
    expect(diagnosticLines(lines.join('\n'))).toEqual([
      '5:9: the file expands to more than 20000 values, counting those behind aliases each time',
    ]);
  });

  it('that merge large maps again and again are refused', () => {
    const keys = Array.from({ length: 2000 }, (_, index) => `k${index}: 1`).join(', ');
    const text = `a: &a {${keys}}\nb: [${Array.from({ length: 20 }, () => '{<<: *a}').join(', ')}]\n`;
    expect(diagnosticLines(text)[0]).toMatch(
      /the file expands to more than 20000 values, counting those behind aliases each time$/,
    );
  });

  it('that make a chain are as deep as what they stand for', () => {
    const lines = ['a0: &a0 [x]'];
    for (let level = 1; level < 200; level++) lines.push(`a${level}: &a${level} [*a${level - 1}]`);
    expect(diagnosticLines(lines.join('\n'))[0]).toBe('47:12: values are nested deeper than 48 levels');
  });

  it('of nothing, and of themselves, are named', () => {
    expect(diagnosticLines(leastWith('load: *nothing'))).toEqual([
      '6:7: `*nothing` stands for nothing: no `&nothing` before it',
    ]);
    expect(diagnosticLines(leastWith('load: &self {wrk: *self}'))[0]).toBe(
      '6:19: the alias `*self` stands inside what it names',
    );
    expect(diagnosticLines(leastWith('load: {<<: 3}'))).toEqual([
      '6:12: `<<` takes an alias of a map, or a list of such aliases',
    ]);
  });
});

describe('nesting', () => {
  it.each([
    ['48 levels', '['.repeat(60) + ']'.repeat(60)],
    ['the stack', '['.repeat(100_000)],
    ['the stack, in blocks', '- '.repeat(100_000)],
    ['the stack, in maps', '{a: '.repeat(50_000)],
  ])('deeper than %s is refused', (_, text) => {
    expect(diagnosticsOf(text).length).toBeGreaterThan(0);
  });
});

describe('names of every object', () => {
  it.each(['__proto__', '"__proto__"'])('%s cannot be a key', (key) => {
    const text = leastWith(`load: {${key}: {wrk: on}}`);
    expect(diagnosticLines(text)).toEqual(['6:8: `__proto__` cannot be a key']);
  });

  it.each(['constructor', 'hasOwnProperty', 'toString'])('%s is a name like any other', (name) => {
    const text = `name: a\nservices: {${name.toLowerCase()}: {build: ., port: 80, env: {${name}: x}}}\nendpoints: {p: /}\n`;
    expect(readSpec(text, 'x').services[0]).toMatchObject({ name: name.toLowerCase(), env: { [name]: 'x' } });
    expect(diagnosticLines(leastWith(`${name}: 1`))[0]).toMatch(
      new RegExp(`^6:1: unknown key \`${name}\` at the top level: `),
    );
    expect(diagnosticLines(leastWith(`load: {preset: ${name}}`))[0]).toMatch(/^6:16: load.preset is /);
  });
});

describe('size', () => {
  it('above 128 KiB is refused unread', () => {
    expect(diagnosticLines(`# ${'x'.repeat(128 * 1024)}`)).toEqual([
      '1:1: the file is longer than 128 KiB: a spec is a page or two',
    ]);
  });

  it('of many patterns is refused before each is held against each case', () => {
    const patterns = Array.from({ length: 2000 }, (_, index) => `/x${index}: {errors: {max: 0}}`).join(', ');
    const [first, ...rest] = diagnosticLines(leastWith(`gate: {cases: {${patterns}}}`));
    expect(first).toBe('6:8: gate.cases holds 2000 patterns: expected 100 at most');
    expect(rest).toHaveLength(100);
  });

  it('of many mistakes is cut to the first hundred', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `k${index}: 1`).join('\n');
    expect(diagnosticsOf(text)).toHaveLength(100);
  });
});

describe('lines', () => {
  it.each(['\n', '\r\n'])('ended by %j are counted alike', (end) => {
    expect(diagnosticLines(leastWith('load: {wrkk: on}').replaceAll('\n', end))).toEqual([
      '6:8: unknown key `wrkk` in load: did you mean `wrk`?',
    ]);
  });

  it('begun by a byte order mark are read', () => {
    expect(readSpec(`\ufeff${leastWith('')}`, 'x').name).toBe('rest-api');
  });
});
