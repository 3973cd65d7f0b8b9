import { MachineLacks } from '../app/failures.ts';
import { DataBranchFailure } from '../app/ports/data-branch.ts';
import { ForgeFailure } from '../app/ports/forge.ts';
import { MachineBusy, TemporaryFolderFailure } from '../app/ports/machine.ts';
import { StoreError } from '../app/ports/run-store.ts';
import { TestbedError } from '../app/ports/testbed.ts';
import { ToolMissing } from '../app/ports/tools.ts';
import { excerptOf } from '../core/format/printed-lines.ts';
import { UserError } from '../core/user-error.ts';

/** The exit statuses of the command, as the contract has them. */
export const EXIT = {
  done: 0,
  gateFailed: 1,
  wrongCall: 2,
  machineLacks: 3,
  nothingMeasured: 4,
  interrupted: 130,
} as const;

/** Of what a part has printed. */
const MOST_LOG_LINES = 20;

/** What is not the author's mistake and not ours: the message says what is missing. */
const OF_MACHINE = [
  MachineLacks,
  MachineBusy,
  StoreError,
  TemporaryFolderFailure,
  DataBranchFailure,
  ForgeFailure,
  ToolMissing,
];

/** What to print for an error and what to exit with. An error of no known kind is a defect of ours and shows its stack. */
export function failureOf(error: unknown): { text: string; exitCode: number } {
  if (error instanceof UserError) return { text: error.message, exitCode: EXIT.wrongCall };
  if (OF_MACHINE.some((kind) => error instanceof kind)) {
    return { text: (error as Error).message, exitCode: EXIT.machineLacks };
  }
  if (error instanceof TestbedError) {
    return {
      text: [error.message, ...excerptOf(error.logLines, MOST_LOG_LINES).map((line) => `    ${line}`)].join('\n'),
      exitCode: EXIT.nothingMeasured,
    };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    text: `This is a defect of wrkbench, not of your spec or server. Please report it with these lines:\n${stack}`,
    exitCode: EXIT.nothingMeasured,
  };
}
