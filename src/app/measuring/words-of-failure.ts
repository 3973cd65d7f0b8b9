import { shortened } from '../../core/format/text.ts';
import type { WordsOfFailure } from '../../core/measurement/measurement.ts';
import type { GeneratorRun } from '../ports/generators.ts';
import type { Testbed } from '../ports/testbed.ts';

const LINES = 200;
const LONGEST_LINE = 300;

/**
 * What service and database printed last of the failures that a generator has only counted: `too many clients` stands there, and
 * nowhere in a number of answers with another status. Null where nothing failed, or nobody says anything.
 */
export async function wordsOfFailure(testbed: Testbed, { outcome }: GeneratorRun): Promise<WordsOfFailure | null> {
  const failures = Object.values(outcome?.errors ?? {}).reduce((sum: number, count) => sum + (count ?? 0), 0);
  if (failures === 0) return null;
  const [service, database] = await Promise.all([
    testbed.logLines('service', LINES),
    testbed.database === null ? [] : testbed.logLines('database', LINES),
  ]);
  const words = {
    ...lineAs('service', service.findLast((line) => FAILURE.test(line)) ?? service.at(-1)),
    ...lineAs(
      'database',
      database.findLast((line) => LOGGED.test(line)),
    ),
  };
  return Object.keys(words).length === 0 ? null : words;
}

/** As languages and their loggers say it. */
const FAILURE = /error|exception|fatal|panic|fail|refused|timed? ?out|too many|sorry/i;
const LOGGED = /\b(?:ERROR|FATAL|PANIC): /;

function lineAs(part: keyof WordsOfFailure, line: string | undefined): WordsOfFailure {
  return line === undefined ? {} : { [part]: shortened(line.trim().slice(0, 2 * LONGEST_LINE), LONGEST_LINE) };
}
