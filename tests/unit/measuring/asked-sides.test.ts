import { describe, expect, it } from 'vitest';
import type { Case } from '../../../src/core/config/case.ts';
import type { Endpoint } from '../../../src/core/config/resolved.ts';
import type { Variant } from '../../../src/core/measurement/names.ts';
import { requestAt } from '../../../src/core/requests/request-set.ts';
import { comparingRun, smallSpec } from '../support/comparing.ts';

const ARTICLES: Partial<Endpoint> = { path: '/{id}', values: { id: { sql: 'select id from articles order by id' } } };
const rowsOf = (ids: readonly string[]) => ({ columns: ['id'], rows: ids.map((id) => [id]) });
const IDS = Array.from({ length: 50 }, (_, id) => String(id + 100));

/** What both sides were loaded with, in turn, as `variant first-path`. */
async function compared(selected: (variant: Variant) => readonly string[]) {
  const loads: { variant: Variant; testCase: Case }[] = [];
  const run = await comparingRun({
    candidate: smallSpec([ARTICLES]),
    budgetSeconds: 20,
    machine: {
      selected: (variant) => rowsOf(selected(variant)),
      onLoad: (variant, testCase) => loads.push({ variant, testCase }),
    },
  });
  const pathsOf = (variant: Variant) =>
    loads
      .filter((load) => load.variant === variant)
      .map(({ testCase }) => [0, 1, 2, 3].map((place) => requestAt(testCase.endpoint.requestSet!, place).path));
  return { ...run, pathsOf };
}

describe('both sides of a comparison', () => {
  it('are sent the same requests in the same order, in every round', async () => {
    const { pathsOf, record } = await compared(() => IDS);
    expect(record.cases.map(({ variant, status }) => [variant, status])).toEqual([
      ['candidate', 'valid'],
      ['baseline', 'valid'],
    ]);
    expect(pathsOf('baseline').length).toBeGreaterThan(2);
    expect(new Set([...pathsOf('baseline'), ...pathsOf('candidate')].map(String)).size).toBe(1);
    expect(record.services.map(({ requestSets }) => requestSets![0]!.requests)).toEqual([50, 50]);
  });

  it('are asked for the keys of their own data, in the same places', async () => {
    const { pathsOf } = await compared((variant) => IDS.map((id) => `${variant[0]}${id}`));
    const [[own]] = [pathsOf('candidate')] as [[string[]]];
    expect(pathsOf('baseline')[0]).toEqual(own.map((path) => path.replace('/c', '/b')));
  });

  it('are not held against each other where they have not as much data', async () => {
    const { record, pathsOf, comparison } = await compared((variant) => (variant === 'baseline' ? IDS : IDS.slice(1)));
    expect(pathsOf('candidate')).toEqual([]);
    expect(record.cases.map(({ variant, reasons }) => [variant, reasons[0]!.code])).toEqual([
      ['baseline', 'unusable-requests'],
      ['candidate', 'unusable-requests'],
    ]);
    expect(record.cases[0]!.reasons[0]!.message).toBe(
      "ping has 50 different requests on the baseline's side and 49 on the candidate's, since their databases hold other data: the two would not be asked the same. Let both have as many rows.",
    );
    expect(comparison.gate.passed).toBe(false);
  });

  it('lose their cases where one of them has no such data', async () => {
    const { record } = await compared((variant) => (variant === 'baseline' ? IDS : []));
    expect(record.cases.map(({ status }) => status)).toEqual(['invalid', 'invalid']);
    expect(record.cases[0]!.reasons[0]!.message).toContain('gives no row, so that there is nothing to ask for.');
  });
});
