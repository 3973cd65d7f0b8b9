import { fileURLToPath } from 'node:url';

const SETUP = fileURLToPath(new URL('../../scripts/setup/', import.meta.url));

interface Machine {
  CACHE_BIN: string;
  composeProgram(): string | null;
  findProgram(...names: string[]): string | null;
}

// Plain JavaScript, because it runs before anything is installed. Only set-up knows where it has put what it brought.
const machine = (await import(`${SETUP}machine.mjs`)) as Machine;
const { NODE } = (await import(`${SETUP}node.mjs`)) as { NODE: string };

/** What runners run actions by. */
export const ACTION_NODE = NODE;
/** Of programs that set-up has built or fetched. */
export const { CACHE_BIN } = machine;

export const { composeProgram } = machine;

export const actProgram = (): string => machine.findProgram('act') ?? 'act';
