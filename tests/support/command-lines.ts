import { processIds, readProc } from '../../src/adapters/process/process-table.ts';

/** Command lines of the machine's processes that have this in them, each with blanks between its words. */
export function commandLinesWith(text: string): string[] {
  return processIds()
    .map((pid) => readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() ?? '')
    .filter((line) => line.includes(text));
}
