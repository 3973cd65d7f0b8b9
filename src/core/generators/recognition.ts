import { UnreadableOutput } from './definition.ts';
import { beginningOf } from './excerpt.ts';
import { GENERATOR_NAMES, type GeneratorName, generators } from './registry.ts';

const all = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const any = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/**
 * The generator that printed a text: the one that reads it, or whose lines are in it, and which then can say best what is wrong
 * with it. Throws `UnreadableOutput` where that is none, or several.
 */
export function generatorOf(text: string): GeneratorName {
  const readers = GENERATOR_NAMES.filter((name) => reads(name, text));
  const found = readers.length > 0 ? readers : GENERATOR_NAMES.filter((name) => generators[name].signature.test(text));
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    throw new UnreadableOutput(
      `This holds lines of ${all.format(found)}. Give the output of one generator at a time, or say which is meant with --tool.`,
    );
  }
  throw new UnreadableOutput(
    `This is not an output of ${any.format(GENERATOR_NAMES)}: no line of theirs is in it, and ${beginningOf(text)}. Give the text that the generator prints to standard output at its end, or a summary of k6 as JSON.`,
  );
}

function reads(name: GeneratorName, text: string): boolean {
  try {
    generators[name].parse(text);
    return true;
  } catch (error) {
    if (error instanceof UnreadableOutput) return false;
    throw error;
  }
}
