import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../../src/core/comparison/comparison.ts';
import { caseLabels } from '../../../../src/core/report/comparison/case-labels.ts';
import { endpointTable } from '../../../../src/core/report/comparison/endpoint-table.ts';
import { inlineText } from '../../../../src/core/report/inline-text.ts';
import { fixtureRecord } from '../fixture-records.ts';
import { type MadeUpName, madeUp } from './examples.ts';
import {
  caseOf,
  comparisonOf,
  costlier,
  cpu,
  entry,
  keys,
  member,
  open,
  queries,
  throughput,
  unitOf,
} from './made-up.ts';

const rowsOf = (comparison: Comparison): string[] => {
  const table = endpointTable(comparison, caseLabels(comparison, fixtureRecord('compared')));
  return (table?.rows ?? []).map(({ cells }) => cells.map((cell) => inlineText(cell).trim()).join(' | '));
};
/** What contradicts a row that claims no change. */
const OTHER_WORDS = /undecided|not measured|invalid|worse|better|beyond|missing|\bnew\b/;

describe('a row of an endpoint', () => {
  it('is undecided where its cell is, also if something red says as much already', () => {
    const cases = [keys.ping, keys.pingMany].map((key) => caseOf(key, { 'cpu-per-request': member(cpu()) }));
    const comparison = comparisonOf(cases, {
      endpoints: [unitOf(keys.ofPing, { 'cpu-per-request': open })],
      services: [unitOf(keys.ofApi, { 'cpu-per-request': costlier }, { endpoint: '*' })],
    });
    expect(rowsOf(comparison)).toEqual([
      'api · all endpoints | worse | 437 µs (+6.1 %, worse)',
      'api · /ping | undecided | 421 µs (+2.1 %, undecided)',
    ]);
  });

  it('of a service is undecided where an endpoint is red and its own cell open', () => {
    const comparison = comparisonOf(
      [caseOf(keys.users, { 'cpu-per-request': costlier }), caseOf(keys.ping, { 'cpu-per-request': cpu() })],
      {
        services: [unitOf(keys.ofApi, { 'cpu-per-request': open }, { endpoint: '*' })],
      },
    );
    expect(rowsOf(comparison)).toEqual([
      'api · /db/users | worse | 437 µs (+6.1 %, worse)',
      'api · all endpoints | undecided | 421 µs (+2.1 %, undecided)',
      'api · /ping | no change | 413 µs (+0.24 %)',
    ]);
  });

  it('has no figure of a case that is left out: the rest is judged', () => {
    const failing = caseOf(
      keys.pingMany,
      { throughput: throughput({ verdict: 'invalid' }) },
      { reasons: [{ code: 'rate-not-held', message: 'x' }] },
    );
    const comparison = comparisonOf([caseOf(keys.ping, { throughput: throughput() }), failing]);
    comparison.gate.leftOut.push(entry(keys.pingMany, null));
    expect(rowsOf(comparison)).toEqual(['api · /ping | no change | 48,018/s (-0.17 %)']);
  });

  it('claims no change only where one was ruled out', () => {
    const unjudged = caseOf(keys.ping, { throughput: throughput({ verdict: null }) });
    const counted = caseOf(keys.users, { 'queries-per-request': queries(1, 1) });
    expect(rowsOf(comparisonOf([unjudged, counted]))).toEqual([
      'api · /ping | not judged | –',
      'api · /db/users | no change | 1 (0)',
    ]);
  });

  it.each(Object.keys(madeUp) as MadeUpName[])('never says no change beside a cell that says otherwise: %s', (name) => {
    const unchanged = rowsOf(madeUp[name]).filter((row) => row.includes('no change'));
    expect(unchanged.filter((row) => OTHER_WORDS.test(row))).toEqual([]);
  });
});
