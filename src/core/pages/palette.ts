import type { Diagnostic } from '../config/diagnostics.ts';
import type { Source } from '../config/source.ts';
import { type Colour, colourOf, contrast } from './colour.ts';

export const SCHEMES = ['light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** What a project may colour, by the name of the property in our style sheet, with what it is there. */
export const OUR_COLOURS: Record<Scheme, Record<ColourName, string>> = {
  light: { page: '#ffffff', raised: '#f6f8fa', line: '#d1d9e0', text: '#1f2328', quiet: '#59636e', accent: '#0969da' },
  dark: { page: '#0d1117', raised: '#161b22', line: '#3d444d', text: '#f0f6fc', quiet: '#9aa4af', accent: '#58a6ff' },
};

export const COLOUR_NAMES = ['page', 'raised', 'line', 'text', 'quiet', 'accent'] as const;
export type ColourName = (typeof COLOUR_NAMES)[number];
export type Palette = Partial<Record<ColourName, string>>;

/** Of text and links. https://www.w3.org/TR/WCAG22/#contrast-minimum */
const LEAST_CONTRAST = 4.5;
const READ_ON: readonly [ink: ColourName, ground: ColourName][] = [
  ['text', 'page'],
  ['quiet', 'page'],
  ['accent', 'page'],
  ['text', 'raised'],
  ['quiet', 'raised'],
];

/** Pairs that few could read, a project's colours held against each other and against ours where it has none. */
export function contrastDiagnostics(scheme: Scheme, palette: Palette, source: Source): Diagnostic[] {
  const colour = (name: ColourName): Colour => colourOf(palette[name] ?? OUR_COLOURS[scheme][name])!;
  return READ_ON.flatMap(([ink, ground]) => {
    // The one that the project has written is to be changed.
    const own = palette[ink] !== undefined ? ink : palette[ground] !== undefined ? ground : null;
    if (own === null) return [];
    const found = contrast(colour(ink), colour(ground));
    if (found >= LEAST_CONTRAST) return [];
    const ratio = (Math.floor(found * 10) / 10).toFixed(1);
    const message = `colors.${scheme}: \`${ink}\` on \`${ground}\` has a contrast of ${ratio}:1, which many cannot read: expected ${LEAST_CONTRAST}:1 or more`;
    return [
      source.aboutValue(['colors', scheme, own], {
        code: 'contradiction',
        message,
        found: palette[own]!,
        expected: `a contrast of ${LEAST_CONTRAST}:1 or more`,
      }),
    ];
  });
}

/** The style sheet that lies over ours; a comment alone where a project changes nothing. */
export function paletteCss({ light, dark }: Record<Scheme, Palette>): string {
  // Without dark colours beside them, the light ones would win over our dark ones.
  const darkToo = Object.fromEntries(Object.keys(light).map((name) => [name, OUR_COLOURS.dark[name as ColourName]]));
  const comment = '/* Colours of this project. */\n';
  if (Object.keys({ ...light, ...dark }).length === 0) return comment;
  return `${comment}:root {\n${properties(light)}}\n@media (prefers-color-scheme: dark) {\n:root {\n${properties({ ...darkToo, ...dark })}}\n}\n`;
}

function properties(palette: Palette): string {
  return COLOUR_NAMES.flatMap((name) => {
    const colour = palette[name] === undefined ? null : colourOf(palette[name]);
    return colour === null ? [] : [`  --${name}: ${colour.css};\n`];
  }).join('');
}
