import { type Entry, metricOf, type Test } from '../view.ts';
import { rankedTests, ranking } from './ranking.ts';

/** How one service's figure stands to another's: one a test, null where either is missing or invalid. */
export interface Pair {
  numerator: string;
  denominator: string;
  ratios: (number | null)[];
}

/** Above this, every pair would fill pages: then the leader is held against each of the others. */
const allPairsUpTo = 8;

/** Pairs of the services that are no references, the one that is ahead over all tests first. `tests`: of one generator. */
export function pairs(tests: Test[], metric = 'throughput'): Pair[] {
  const labels = ranking(rankedTests(tests)).map(({ label }) => label);
  const numerators = labels.length > allPairsUpTo ? labels.slice(0, 1) : labels;
  return numerators.flatMap((numerator) =>
    labels
      .slice(labels.indexOf(numerator) + 1)
      .map((denominator) => pair(tests, numerator, denominator, metric))
      .filter(hasRatio),
  );
}

/** Each service as a share of each reference. */
export function sharesOfReferences(tests: Test[]): Pair[] {
  const labels = ranking(rankedTests(tests)).map(({ label }) => label);
  const entries = tests.flatMap((test) => test.entries);
  const references = [...new Set(entries.filter(({ reference }) => reference).map(({ label }) => label))];
  return references.flatMap((reference) => labels.map((label) => pair(tests, label, reference)).filter(hasRatio));
}

function hasRatio({ ratios }: Pair): boolean {
  return ratios.some((ratio) => ratio !== null);
}

function pair(tests: Test[], numerator: string, denominator: string, metric = 'throughput'): Pair {
  return { numerator, denominator, ratios: tests.map((test) => ratio(test, numerator, denominator, metric)) };
}

function ratio({ entries }: Test, numerator: string, denominator: string, metric: string): number | null {
  const over = figureOf(entries, numerator, metric);
  const under = figureOf(entries, denominator, metric);
  return over === null || under === null || under === 0 ? null : over / under;
}

function figureOf(entries: Entry[], label: string, metric: string): number | null {
  const entry = entries.find((each) => each.label === label && each.valid);
  return entry === undefined ? null : metricOf(entry.record, metric);
}
