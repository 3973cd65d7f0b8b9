import { describe, expect, it } from 'vitest';
import type { Reason } from '../../../../src/core/measurement/names.ts';
import type { RunRecord } from '../../../../src/core/record/run-record.ts';
import { advice } from '../../../../src/core/report/comparison/advice.ts';
import { inlineText } from '../../../../src/core/report/inline-text.ts';
import { fixtureRecord } from '../fixture-records.ts';
import { madeUp } from './examples.ts';
import { caseOf, comparisonOf, cpu, keys, open, unseen } from './made-up.ts';

const quiet = fixtureRecord('compared');
const said = (comparison: Parameters<typeof advice>[0], record: RunRecord = quiet) =>
  advice(comparison, record).map(inlineText);
const marked = (key: string, ...warnings: Reason[]): RunRecord => ({
  ...quiet,
  cases: quiet.cases.map((each) => (each.key === key ? { ...each, warnings } : each)),
});

describe('what a reader can do', () => {
  it('is nothing where all is decided', () => {
    const foreign = { code: 'foreign-cpu', message: "12 % of the server's CPUs went to processes" };
    expect(said(madeUp.regression, marked(keys.users, foreign))).toEqual([]);
    expect(said(madeUp.unchanged)).toEqual([]);
  });

  it('is a larger budget where changes may hide, or more runs', () => {
    expect(said(madeUp.undecided)).toEqual([
      'To decide it, measure again, or for longer: a larger gate.budget shows smaller changes.',
    ]);
    const stored = comparisonOf([caseOf(keys.ping, { 'cpu-per-request': open })], { mode: 'stored' });
    expect(said(stored)).toEqual(['To decide it takes more past runs.']);
  });

  it('is the line of the spec where nothing was measured', () => {
    const afterRounds = (rounds: number) =>
      said(comparisonOf([caseOf(keys.users, { 'cpu-per-request': unseen(cpu(), rounds) })]));
    expect(afterRounds(0)).toEqual(['gate.budget is too short: 0 of the 8 rounds that a verdict takes were measured.']);
    expect(afterRounds(1)).toEqual([
      'gate.budget is too short: 1 of the 8 rounds that a verdict takes was measured; all of them take about 40 min here.',
    ]);
    expect(afterRounds(12)).toEqual(['Set gate.budget higher, or raise the limit of CPU.']);
  });

  it('names what the machine did meanwhile', () => {
    const record = marked(
      keys.users,
      { code: 'foreign-cpu', message: "12 % of the server's CPUs went to processes that are not part of this run" },
      { code: 'steal', message: "the hypervisor took 7 % of the server's CPUs" },
      {
        code: 'duets-set-aside',
        message: '3 of 40 trials were set aside: the machine, not the service, disturbed their duets',
      },
    );
    expect(said(madeUp.undecided, record).slice(1)).toEqual([
      "Other processes took 12 % of the server's CPUs, the hypervisor took 7 % of the server's CPUs at times (in 1 of 8 cases); " +
        '3 of 40 measurements of 1 case were set aside as disturbed.',
    ]);
  });
});
