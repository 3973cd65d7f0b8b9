import { text } from 'node:stream/consumers';
import { parseOutput } from '../../app/parse.ts';
import type { GeneratorName } from '../../core/generators/registry.ts';
import { EXIT } from '../failure.ts';
import { printJson } from '../output.ts';
import { textOf } from './files.ts';

export async function parseCommand(file: string, options: { tool?: GeneratorName }): Promise<number> {
  const output = file === '-' ? await text(process.stdin) : await textOf(file, 'Name a file that holds the output.');
  printJson(parseOutput(options.tool ?? null, output));
  return EXIT.done;
}
