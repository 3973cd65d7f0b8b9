import { UserError } from '../../core/user-error.ts';
import { MachineLacks } from '../failures.ts';
import { TemporaryFolderFailure } from '../ports/machine.ts';
import { StoreError } from '../ports/run-store.ts';
import { TestbedError } from '../ports/testbed.ts';
import { ToolMissing } from '../ports/tools.ts';

/** What costs one spec, and none of the others. */
const OF_ONE_SPEC = [UserError, MachineLacks, StoreError, TemporaryFolderFailure, TestbedError, ToolMissing];

/** Why a spec is not measured, by what was thrown. Throws that again where it is no failure of a spec: a job that is cancelled. */
export function whyLost(error: unknown): string {
  if (error instanceof Error && OF_ONE_SPEC.some((kind) => error instanceof kind)) return error.message;
  throw error;
}
