import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseOutput } from '../../../src/app/parse.ts';
import { UnreadableOutput } from '../../../src/core/generators/definition.ts';
import type { GeneratorOutcome } from '../../../src/core/generators/outcome.ts';
import type { GeneratorName } from '../../../src/core/generators/registry.ts';
import { generators } from '../../../src/core/generators/registry.ts';
import { recorded, recordedIn } from './fixtures.ts';

const WHOLE: Record<GeneratorName, string[]> = {
  wrk: [
    ...recordedIn('wrk/ichor-http'),
    ...recordedIn('wrk/abstract-rest-service'),
    ...recordedIn('wrk/wrk2'),
    'wrk/traps/touching-columns',
    'wrk/traps/nothing-recorded',
    'wrk/traps/clock-step',
  ].map((name) => recorded(`${name}.txt`)),
  ab: [...recordedIn('ab/nodepp-bun-go'), ...recordedIn('ab/users-1000'), ...recordedIn('ab/recorded')].map((name) =>
    recorded(`${name}.txt`),
  ),
  h2load: recordedIn('h2load').map((name) => recorded(`${name}.txt`)),
  k6: [
    'compact.txt',
    'full.txt',
    'legacy.txt',
    'terminal.txt',
    'no-requests.txt',
    'handle-summary.json',
    'summary-export.json',
    'machine-readable.json',
  ].map((name) => recorded(`k6/${name}`)),
};
const tools = Object.keys(WHOLE) as GeneratorName[];
/** Printed with a failure; give it to `fc.assert` to have the same texts again. */
const runs = { numRuns: 400, verbose: 1 as const };

/** The outcome, or null where the text was refused; any other error than the documented one goes through. */
function outcomeOrUserError(tool: GeneratorName, text: string): GeneratorOutcome | null {
  try {
    return parseOutput(tool, text);
  } catch (error) {
    if (!(error instanceof UnreadableOutput)) throw error;
    expect(error.message).toMatch(/\.$/);
    return null;
  }
}

function figuresOf(outcome: object, path = ''): [string, unknown][] {
  return Object.entries(outcome).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? figuresOf(value, `${path}${key}.`) : [[path + key, value]],
  );
}

function expectTrueFigures(tool: GeneratorName, outcome: GeneratorOutcome | null): void {
  if (outcome === null) return;
  expect(outcome.tool).toBe(tool);
  for (const [key, value] of figuresOf(outcome)) {
    if (key === 'tool' || key === 'version') continue;
    expect(value, key).toSatisfy((number: unknown) => Number.isFinite(number) && (number as number) >= 0);
  }
}

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(40),
  text: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('nan%', '-nan%', '0.00us', '1e309', '-1', '307445734491.24m', '\n', '%', '99999999999999999999'),
  ),
});

describe.each(tools)('any text as an output of %s', (tool) => {
  it('is read or refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        expectTrueFigures(tool, outcomeOrUserError(tool, text));
      }),
      runs,
    );
  });

  it('is read or refused where it is JSON', () => {
    const names = [
      'metrics',
      'results',
      'values',
      'checks',
      'http_reqs',
      'http_req_duration',
      'count',
      'p(99)',
      'passes',
    ];
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.double(),
        fc.string(),
        fc.constantFrom(null, true, -1),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), tie('value'), { maxKeys: 5 }),
      ),
    })).value;
    fc.assert(
      fc.property(json, (value) => {
        expectTrueFigures(tool, outcomeOrUserError(tool, JSON.stringify({ metrics: value })));
      }),
      runs,
    );
  });

  it('is read or refused where it is a real one with changes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...WHOLE[tool]),
        fc.array(mutation, { minLength: 1, maxLength: 5 }),
        (whole, changes) => {
          let text = whole;
          for (const { at, length, text: inserted } of changes) {
            const start = Math.floor(at * text.length);
            text = text.slice(0, start) + inserted + text.slice(start + length);
          }
          expectTrueFigures(tool, outcomeOrUserError(tool, text));
        },
      ),
      runs,
    );
  });

  it('holds no wrong figure where it is a real one cut off', () => {
    fc.assert(
      fc.property(fc.constantFrom(...WHOLE[tool]), fc.double({ min: 0, max: 1, noNaN: true }), (whole, at) => {
        const cut = outcomeOrUserError(tool, whole.slice(0, Math.floor(at * whole.length)));
        if (cut === null) return;
        const all = Object.fromEntries(figuresOf(parseOutput(tool, whole)));
        // True as long as the breakdown that takes its place has not come.
        delete cut.errors?.failed;
        expect(all).toMatchObject(Object.fromEntries(figuresOf(cut)));
      }),
      runs,
    );
  });

  it('is read the same behind a byte order mark', () => {
    for (const whole of WHOLE[tool]) expect(parseOutput(tool, `\uFEFF${whole}`)).toEqual(parseOutput(tool, whole));
  });

  it('is recognised as one of its own', () => {
    for (const whole of WHOLE[tool]) expect(parseOutput(null, whole)).toEqual(parseOutput(tool, whole));
  });

  it('is taken for no output of another generator', () => {
    for (const other of tools.filter((name) => name !== tool)) {
      for (const whole of WHOLE[other]) expect(outcomeOrUserError(tool, whole)).toBeNull();
    }
  });

  it('is refused from outcome() too with the documented error only', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.string(),
        fc.constantFrom(null, 0, 1, 99, 255),
        (stdout, stderr, file, exitCode) => {
          const results = ['wrk.json', 'summary.json', 'percentiles.csv', 'k6.log'];
          const files = Object.fromEntries(results.map((name) => [name, file]));
          try {
            expectTrueFigures(tool, generators[tool].outcome({ stdout, stderr, exitCode, files }));
          } catch (error) {
            if (!(error instanceof UnreadableOutput)) throw error;
          }
        },
      ),
      runs,
    );
  });
});
