import { readdirSync, readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../src/core/comparison/comparison.ts';
import { readComparison, UnreadableComparison } from '../../../src/core/comparison/comparison-file.ts';
import { comparisonJsonSchema } from '../../../src/core/comparison/schema.ts';
import { situations } from './situations.ts';

const folder = new URL('../../../fixtures/comparisons/', import.meta.url);
const text = (name: string) => readFileSync(new URL(`${name}.json`, folder), 'utf8');
const names = Object.keys(situations);

/** Case, endpoint or service and metric → verdict. */
function verdicts({ cases, endpoints, services }: Comparison): Record<string, string | null> {
  return Object.fromEntries(
    [...cases, ...endpoints, ...services].flatMap(({ key, metrics }) =>
      Object.entries(metrics).map(([metric, { verdict }]) => [`${key} ${metric}`, verdict]),
    ),
  );
}

function saidOf(given: string): string {
  try {
    readComparison(given, 'comparison.json');
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableComparison);
    return (error as Error).message;
  }
  return 'nothing';
}

describe('a comparison', () => {
  it.each(names)('%s is read as it was written', (name) => {
    expect(readComparison(text(name), name)).toEqual(JSON.parse(text(name)));
  });

  it.each(names)('%s says what the code says of the same record', (name) => {
    const [kept, made] = [readComparison(text(name), name), situations[name]!()];
    expect(verdicts(kept)).toEqual(verdicts(made));
    expect(kept.gate.passed).toBe(made.gate.passed);
  });

  it('is kept for every situation, and for nothing else', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
    expect(files.sort()).toEqual(names.map((name) => `${name}.json`).sort());
  });

  it.each(names)('%s survives being written: no figure is infinite or undefined', (name) => {
    const made = situations[name]!();
    expect(JSON.parse(JSON.stringify(made))).toEqual(made);
  });

  it('keeps what a later wrkbench of the same schema has added', () => {
    const later = { ...JSON.parse(text('null')), fleet: { of: 3 } };
    expect(readComparison(JSON.stringify(later), 'x')).toEqual(later);
  });
});

describe('what is no comparison is told so in one sentence', () => {
  it.each<[string, (whole: string) => string, string]>([
    [
      'empty',
      () => '',
      'comparison.json is empty; a comparison is a JSON object, as wrkbench run --baseline writes it.',
    ],
    [
      'of a newer wrkbench',
      (whole) => whole.replace('"schemaVersion": 1', '"schemaVersion": 2'),
      'comparison.json: this comparison was written by a newer wrkbench (schema 2); this one reads schema 1: update wrkbench to read it.',
    ],
    [
      'with a verdict that there is not',
      (whole) => whole.replace('"verdict": "no-change"', '"verdict": "fine"'),
      'comparison.json is not a comparison: cases[0].metrics.throughput.verdict is "fine", where one of "regression", "improvement", "no-change", "inconclusive", "not-measured", "invalid", "new" is expected.',
    ],
    [
      'cut off',
      (whole) => whole.slice(0, 400),
      'comparison.json ends in the middle, at line 14: it was not written to its end; where the folder still has its run.json, `wrkbench report DIR` works it out again.',
    ],
  ])('%s', (_, change, sentence) => {
    expect(saidOf(change(text('null')))).toBe(sentence);
  });
});

describe('the published schema', () => {
  const published = JSON.parse(
    readFileSync(new URL('../../../schema/comparison.schema.json', import.meta.url), 'utf8'),
  );

  it('is what the code says', () => {
    expect(published).toEqual(comparisonJsonSchema());
  });

  it.each(names)('holds for %s', (name) => {
    const validate = new Ajv2020({ strict: false }).compile(published);
    expect([validate(JSON.parse(text(name))), validate.errors]).toEqual([true, null]);
  });
});
