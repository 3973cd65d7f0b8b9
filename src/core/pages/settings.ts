import * as z from 'zod';
import type { Diagnostic } from '../config/diagnostics.ts';
import { inOrder } from '../config/read.ts';
import { shapeOf } from '../config/shape.ts';
import type { Path, Source } from '../config/source.ts';
import { readYaml } from '../config/yaml.ts';
import { COLOUR_PHRASE, colourOf } from './colour.ts';
import { COLOUR_NAMES, type ColourName, contrastDiagnostics, type Palette, SCHEMES, type Scheme } from './palette.ts';

/** What `site.yml` says; null where it does not. */
export interface Settings {
  title: string | null;
  description: string | null;
  colours: Record<Scheme, Palette>;
}

export const noSettings: Settings = { title: null, description: null, colours: { light: {}, dark: {} } };

const line = (phrase: string, most: number) =>
  z
    .string(phrase)
    .max(most, phrase)
    .regex(/^[^\p{Cc}]*[^\p{Cc}\s][^\p{Cc}]*$/u, phrase);
const colour = z.string(COLOUR_PHRASE).refine((text) => colourOf(text) !== null, COLOUR_PHRASE);
const palette = z.strictObject(
  Object.fromEntries(COLOUR_NAMES.map((name) => [name, colour.optional()])) as Record<
    ColourName,
    z.ZodOptional<typeof colour>
  >,
);

const settingsSchema = z.strictObject({
  title: line('a title on one line of 120 characters at most', 120).optional(),
  description: line('a sentence or two on one line of 500 characters at most', 500).optional(),
  colors: z.strictObject({ light: palette.optional(), dark: palette.optional() }).optional(),
});

/**
 * What can be used of a `site.yml`, and every mistake in it; never throws. A wrong value is left out, and ours stands in its place:
 * a slip of the pen must not keep a run from being shown.
 */
export function readSettings(text: string, fileName: string): { settings: Settings; diagnostics: Diagnostic[] } {
  // An empty file changes nothing.
  if (/^(?:\s|#.*)*$/.test(text)) return { settings: noSettings, diagnostics: [] };
  const { source, diagnostics: wrongYaml } = readYaml(text, fileName);
  if (source === null) return { settings: noSettings, diagnostics: inOrder(wrongYaml) };
  const { diagnostics: wrongShape } = shapeOf(source, settingsSchema, fileName);
  const colours = { light: paletteAt(['colors', 'light'], source), dark: paletteAt(['colors', 'dark'], source) };
  const unreadable = SCHEMES.flatMap((scheme) => contrastDiagnostics(scheme, colours[scheme], source));
  for (const { path } of unreadable) {
    const [, scheme, name] = path.split('.') as [string, Scheme, ColourName];
    delete colours[scheme][name];
  }
  return {
    settings: {
      title: valueAt(['title'], settingsSchema.shape.title, source),
      description: valueAt(['description'], settingsSchema.shape.description, source),
      colours,
    },
    diagnostics: inOrder([...wrongYaml, ...wrongShape, ...unreadable]),
  };
}

function paletteAt(path: Path, source: Source): Palette {
  return Object.fromEntries(
    COLOUR_NAMES.flatMap((name) => {
      const value = valueAt([...path, name], colour.optional(), source);
      return value === null ? [] : [[name, value]];
    }),
  );
}

function valueAt(path: Path, schema: z.ZodType<string | undefined>, source: Source): string | null {
  return schema.safeParse(source.at(path)).data ?? null;
}
