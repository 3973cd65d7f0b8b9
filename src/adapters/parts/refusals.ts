import { TestbedError } from '../../app/ports/testbed.ts';
import { printedLast } from '../../core/topology/ended-part.ts';

/** Postgres says so too while it comes up and goes down. */
const REFUSAL = /\b(?:FATAL|ERROR):(?!\s+the database system is)/;
const MOST_LINES = 5;

/**
 * Waits for a service, and gives its failure what its database has printed of refusing it: many a server ends without a word where its
 * password is wrong. `printed`: the last lines of the database; null where there is none.
 */
export async function withRefusals(
  wait: Promise<void>,
  printed: (() => string[] | Promise<string[]>) | null,
): Promise<void> {
  try {
    await wait;
  } catch (error) {
    if (!(error instanceof TestbedError) || printed === null) throw error;
    const { code, message, logLines } = error;
    const refusals = (await printed()).filter((line) => REFUSAL.test(line)).slice(-MOST_LINES);
    if (refusals.length === 0) throw error;
    const told = message.replace(printedLast([]), 'It printed nothing. Its database says why.');
    throw new TestbedError(code, told, [...logLines, ...refusals.map((line) => `database: ${line.trim()}`)]);
  }
}
