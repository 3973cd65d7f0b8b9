import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type Diagnostic, renderDiagnostics } from '../../../src/core/config/diagnostics.ts';
import { GATE_KEYS } from './gate-keys.ts';
import { diagnosticsOf, RIGHT_SPECS } from './specs.ts';

const SEED = 20_261_120;
const many = { seed: SEED, numRuns: 400, verbose: 1 as const };
/** Milliseconds, on a machine that does other things too. */
const AMPLE = 60_000;

/** Every mistake lies inside the file, and can be shown. */
function expectPlaced(diagnostics: Diagnostic[], text: string) {
  const lines = text.split(/\r\n|\n|\r/);
  for (const { line, column, message, length } of diagnostics) {
    expect(line).toBeGreaterThanOrEqual(1);
    expect(line).toBeLessThanOrEqual(lines.length);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(column).toBeLessThanOrEqual(lines[line - 1]!.length + 1);
    expect(length).toBeGreaterThanOrEqual(1);
    expect(message).not.toMatch(/[\n\r]/);
    expect(message.length).toBeGreaterThan(0);
  }
  expect(renderDiagnostics(diagnostics, text).split('\n')[0]).toContain('wrkbench.yml:');
}

/** Reads, and rethrows whatever is no `SpecError`. */
function expectReadable(text: string) {
  const diagnostics = diagnosticsOf(text);
  if (diagnostics.length > 0) expectPlaced(diagnostics, text);
}

const words = fc.constantFrom(
  'name',
  'services',
  'endpoints',
  'load',
  'gate',
  'wrk',
  'k6',
  'ab',
  'threads',
  'connections',
  'keep-alive',
  'preset',
  'port',
  'env',
  'expect',
  'json',
  'cases',
  'placement',
  'constructor',
  ...GATE_KEYS,
);
const leaves = fc.oneof(
  fc.constantFrom('on', 'off', 'auto', 'quick', '10s', '60%', '/ping', '../x', '${database.url}', '${', '', 'vus', '0'),
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    leaves,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(words, tie('value'), { maxKeys: 6 }),
  ),
}));

describe('whatever is read', () => {
  it(
    'an arbitrary text throws nothing but a SpecError',
    () => {
      fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), expectReadable), many);
    },
    AMPLE,
  );

  it(
    'a text of the characters that YAML gives a meaning throws nothing but a SpecError',
    () => {
      const characters = fc.constantFrom(
        ...'{}[],:&*#?|-<>=!%@"\'` \n\t\\~a1'.split(''),
        '\r\n',
        '<<: ',
        '- ',
        '!!set ',
      );
      const text = fc.array(characters, { maxLength: 200 }).map((parts) => parts.join(''));
      fc.assert(fc.property(text, expectReadable), { ...many, numRuns: 800 });
    },
    AMPLE,
  );

  it(
    'arbitrary values under the names of a spec throw nothing but a SpecError',
    () => {
      fc.assert(
        fc.property(fc.dictionary(words, anything), (value) => expectReadable(stringify(value))),
        many,
      );
    },
    AMPLE,
  );

  it(
    'a right spec with a value replaced throws nothing but a SpecError',
    () => {
      const specs = Object.values(RIGHT_SPECS);
      const change = fc.record({ spec: fc.nat(specs.length - 1), at: fc.nat(), by: fc.oneof(leaves, anything) });
      fc.assert(
        fc.property(change, ({ spec, at, by }) => {
          const text = specs[spec]!;
          const scalars = [...text.matchAll(/(?<=[:[,] ?)[\w./%-]+(?=[,\]}\n])/g)];
          const chosen = scalars[at % scalars.length]!;
          const flow = stringify(by, { collectionStyle: 'flow', lineWidth: 0 }).trim();
          expectReadable(`${text.slice(0, chosen.index)}${flow}${text.slice(chosen.index + chosen[0].length)}`);
        }),
        { ...many, numRuns: 800 },
      );
    },
    AMPLE,
  );

  it(
    'a right spec with characters lost or doubled throws nothing but a SpecError',
    () => {
      const specs = Object.values(RIGHT_SPECS);
      const change = fc.record({
        spec: fc.nat(specs.length - 1),
        at: fc.nat(),
        length: fc.integer({ min: 1, max: 9 }),
        twice: fc.boolean(),
      });
      fc.assert(
        fc.property(change, ({ spec, at, length, twice }) => {
          const text = specs[spec]!;
          const start = at % text.length;
          const part = text.slice(start, start + length);
          expectReadable(`${text.slice(0, start)}${twice ? part + part : ''}${text.slice(start + length)}`);
        }),
        { ...many, numRuns: 800 },
      );
    },
    AMPLE,
  );
});
