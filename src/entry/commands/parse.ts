import { text } from 'node:stream/consumers';
import { parseOutput } from '../../app/parse.ts';
import type { GeneratorName } from '../../core/generators/registry.ts';
import { EXIT } from '../failure.ts';
import { textOf } from './files.ts';

export async function parseCommand(file: string, options: { tool: GeneratorName }): Promise<number> {
  const output = file === '-' ? await text(process.stdin) : await textOf(file, 'Name a file that holds the output.');
  process.stdout.write(`${JSON.stringify(parseOutput(options.tool, output), null, 2)}\n`);
  return EXIT.done;
}
