import { isMeasuredApart } from '../../record/different-machines.ts';
import type { Test } from '../view.ts';

/** Whether cases of these tests were measured on different CPU models, so that none is held against another. */
export function areOfSeveralMachines(tests: readonly Pick<Test, 'entries'>[]): boolean {
  return tests.some(({ entries }) => entries.some(({ record }) => isMeasuredApart(record)));
}
