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

const LOOKED_AT = 1000;

/**
 * Of a text that was read as UTF-8. UTF-16 shows by its zero bytes: every second one of ASCII. Throws `UnreadableOutput`, since with
 * those no line of a generator is found.
 */
export function refuseUtf16(text: string): void {
  const beginning = text.slice(0, LOOKED_AT);
  const zeros = beginning.split('\0').length - 1;
  if (zeros * 4 <= beginning.length) return;
  throw new UnreadableOutput(
    'This text is encoded as UTF-16, as the > of Windows PowerShell writes it. Give it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE, or in PowerShell: Get-Content FILE | Out-File -Encoding utf8 OTHER.',
  );
}
