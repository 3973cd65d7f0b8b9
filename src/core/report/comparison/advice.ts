import type { Comparison } from '../../comparison/comparison.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Inline } from '../document.ts';
import { machineSaid } from './machine.ts';
import { notMeasuredAdvice } from './not-measured.ts';
import { undecidedAdvice } from './undecided.ts';

/** What a reader can do where a budget did not decide, and what the machine did meanwhile: a sentence each. */
export function advice(comparison: Comparison, record: RunRecord | null): Inline[] {
  const open = [notMeasuredAdvice(comparison, record), undecidedAdvice(comparison)].filter((said) => said !== null);
  const machine = open.length === 0 ? null : machineSaid(record);
  return machine === null ? open : [...open, machine];
}
