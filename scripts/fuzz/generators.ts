import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseOutput } from '../../src/app/parse.ts';
import { UnreadableOutput } from '../../src/core/generators/definition.ts';
import { GENERATOR_NAMES, type GeneratorName, generators } from '../../src/core/generators/registry.ts';
import type { Random } from '../../src/core/statistics/random.ts';
import type { Kind } from './kind.ts';
import { mutated, oneOf, wordsOf } from './mutation.ts';

/** What one execution left: its text, and the file that it is read from besides, where one was recorded with it. */
interface Recorded {
  text: string;
  file: string;
}

function recordedOutputs(name: GeneratorName): Recorded[] {
  const folder = `fixtures/generators/${name}`;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.\w+$/.test(file));
  const read = (file: string | undefined) => (file === undefined ? '' : readFileSync(join(folder, file), 'utf8'));
  return files
    .filter((file) => file !== 'expected.json')
    .map((text) => {
      const beside = files.find((file) => file !== text && file.replace(/\w+$/, '') === text.replace(/\w+$/, ''));
      return { text: read(text), file: read(beside) };
    });
}

/** Names that generators give such a file. */
const FILES = ['wrk.json', 'summary.json', 'percentiles.csv', 'requests.log', 'k6.log'];
/** Between text and file of an input. */
const APART = '\0';

export function generatorKinds(): Kind[] {
  const outputs = Object.fromEntries(GENERATOR_NAMES.map((name) => [name, recordedOutputs(name)]));
  const all = Object.values(outputs).flat();
  return GENERATOR_NAMES.map((name) => {
    const own = outputs[name]!;
    const words = wordsOf(own.flatMap(({ text, file }) => [text, file]));
    return {
      name,
      share: 10,
      input: (random: Random) => {
        const { text, file } = oneOf(random.below(20) === 0 ? all : own, random);
        const changesFile = file !== '' && random.below(2) === 0;
        return `${changesFile ? text : mutated(text, words, random)}${APART}${changesFile ? mutated(file, words, random) : file}`;
      },
      read: (input: string) => {
        const apart = input.lastIndexOf(APART);
        const [text, file] = [input.slice(0, apart), input.slice(apart + 1)];
        const files = Object.fromEntries(FILES.map((each) => [each, file || text]));
        for (const exitCode of [0, 1, null]) {
          isRead(() => generators[name].outcome({ stdout: text, stderr: '', exitCode, files: {} }));
          isRead(() => generators[name].outcome({ stdout: text, stderr: file, exitCode, files }));
        }
        isRead(() => parseOutput(null, text));
        return isRead(() => parseOutput(name, text));
      },
    };
  });
}

/** Every figure is a number that a record can hold. */
function isRead(read: () => object): boolean {
  try {
    const outcome = read();
    if (/null|Infinity|NaN/.test(figuresOf(outcome)))
      throw new Error(`A figure is no number: ${JSON.stringify(outcome)}`);
    return true;
  } catch (error) {
    if (error instanceof UnreadableOutput) return false;
    throw error;
  }
}

function figuresOf(outcome: object): string {
  const figures: unknown[] = [];
  JSON.stringify(outcome, (_, value: unknown) => {
    if (typeof value === 'number') figures.push(value);
    return value;
  });
  return figures.join(' ');
}
