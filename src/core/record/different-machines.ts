import type { Reason } from '../measurement/names.ts';
import type { CaseRecord } from './run-record.ts';

/** Code of the warning of each case whose run was shared out over different CPU models. */
const SHARDS_DIFFER = 'shards-differ';

/** No CPU model has it in its name. */
const JOINT = ' and ';

export function areDifferent(models: readonly string[]): boolean {
  return new Set(models).size > 1;
}

/** The CPU models of a run's machines as one name: each once, in whatever order they are given. */
export function joinedModels(models: readonly string[]): string {
  return [...new Set(models)].sort().join(JOINT);
}

/**
 * Whether the name is that of different models. Figures of such a run are comparable with those of no other, not even of one on the same
 * models: the next run may have its cases the other way round.
 */
export function isOfSeveralModels(cpuModel: string): boolean {
  return cpuModel.includes(JOINT);
}

/** What is said of the whole run. */
export function machinesWarning(models: readonly string[]): Reason {
  const message = `The shards ran on different CPU models (${joinedModels(models)}): changes are right, and figures of different cases are not comparable.`;
  return { code: SHARDS_DIFFER, message };
}

/** What is said of a case that was measured on `own`. */
export function otherMachinesWarning(own: string, models: readonly string[]): Reason {
  const others = joinedModels(models.filter((model) => model !== own));
  const message = `measured on ${own}, and other cases on ${others}: its figures are not comparable with theirs`;
  return { code: SHARDS_DIFFER, message };
}

/** Whether other cases of its run were measured on other CPU models, so that its figures are not to be held against theirs. */
export function isMeasuredApart({ warnings }: Pick<CaseRecord, 'warnings'>): boolean {
  return warnings.some(({ code }) => code === SHARDS_DIFFER);
}
