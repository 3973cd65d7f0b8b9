import { describe, expect, it } from 'vitest';
import type { Acceptance } from '../../../src/core/comparison/comparison.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { acceptanceOfLabel } from '../../../src/core/posting/acceptances.ts';
import { headline } from '../../../src/core/report/comparison/headline.ts';
import { inlineText } from '../../../src/core/report/inline-text.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const label = (text: string) => acceptanceOfLabel(`perf-accepted: ${text}`, 'alice')!;

/** A pull request of whose spec the endpoint `items` is gone, or some cases of it. */
function changed(cases: MadeUpCase[], accepted: Acceptance[], { isGone }: { isGone: boolean }) {
  const record = madeUpRecord({
    seed: 12,
    rounds: 10,
    cases: [{}, ...cases],
    comparing: { ...(isGone ? { baselinePaths: { items: '/items' } } : {}), accepted },
  });
  const endpoints = record.spec.endpoints.filter(({ name }) => !isGone || name !== 'items');
  const own = { ...record, spec: { ...record.spec, endpoints } };
  const comparison = comparisonOf(own);
  return { passed: comparison.gate.passed, text: inlineText(headline(comparison, own).text) };
}

const removed: MadeUpCase[] = [10, 100].map((connections) => ({ endpoint: 'items', only: 'baseline', connections }));
const retuned: MadeUpCase[] = [
  ...[16, 64].map((connections): MadeUpCase => ({ endpoint: 'items', only: 'baseline', connections })),
  { endpoint: 'items', only: 'candidate', connections: 4 },
];

describe('a removed endpoint', () => {
  it.each(['/items', '/it*', 'items', 'go/items/*'])('is accepted by the label of %s, all of its cases', (subject) => {
    const { passed, text } = changed(removed, [label(subject)], { isGone: true });
    expect(passed).toBe(true);
    expect(text).toContain('label set by alice');
    expect(text).not.toMatch(/Put it back|accept its removal/);
  });

  it.each(['/other', '*', 'items/*'])('is not accepted by that of %s', (subject) => {
    const { passed, text } = changed(removed, [label(subject)], { isGone: true });
    expect(passed).toBe(false);
    expect(text).toContain('no longer does');
  });
});

describe('other connections of an endpoint', () => {
  it.each(['/items', 'items', 'go/items/*'])('are accepted once, by the label of %s', (subject) => {
    expect(changed(retuned, [], { isGone: false }).passed).toBe(false);
    const { passed, text } = changed(retuned, [label(subject)], { isGone: false });
    expect(passed).toBe(true);
    expect(text).not.toContain('Put it back');
  });
});
