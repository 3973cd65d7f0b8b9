import type { ActionInputs } from '../../core/action/inputs.ts';
import type { Case } from '../../core/config/case.ts';
import { casesOf } from '../../core/config/cases.ts';
import { isSelected, quickened } from '../../core/config/selection.ts';
import type { FoundSpec } from './specs.ts';

/** What is measured of a spec, by all machines together. */
export function plannedCases({ spec }: FoundSpec, { only, quick }: Pick<ActionInputs, 'only' | 'quick'>): Case[] {
  return casesOf(quick ? quickened(spec) : spec).filter((each) => isSelected(each, only));
}
