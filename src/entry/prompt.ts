import { createInterface } from 'node:readline/promises';
import type { Question } from '../core/detection/proposal.ts';
import { visible } from '../core/format/text.ts';
import { printError } from './output.ts';

/** Asks on the terminal until the answer can be taken; an empty one is what is proposed, and so is the end of the input. */
export async function answered({ key, text, proposed, mistake }: Question): Promise<Record<string, string>> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<null>((resolve) => terminal.once('close', () => resolve(null)));
  try {
    for (;;) {
      const line = await Promise.race([terminal.question(`${visible(text)} [${visible(proposed)}] `), ended]);
      const answer = line === null || line.trim() === '' ? proposed : line.trim();
      const why = mistake(answer);
      if (why === null || line === null) return { [key]: answer };
      printError(`${why}\n`);
    }
  } finally {
    terminal.close();
  }
}
