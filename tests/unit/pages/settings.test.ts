import { describe, expect, it } from 'vitest';
import { renderDiagnostics } from '../../../src/core/config/diagnostics.ts';
import { colourOf, contrast } from '../../../src/core/pages/colour.ts';
import { paletteCss } from '../../../src/core/pages/palette.ts';
import { noSettings, readSettings } from '../../../src/core/pages/settings.ts';

const read = (text: string) => readSettings(text, 'site.yml');

describe('site.yml', () => {
  it('names title, description and colours', () => {
    const text = `title: Acme API
description: How fast each release is.
colors:
  light: {accent: "#0A6B4F"}
  dark: {accent: oklch(80% 0.12 160), page: "#000"}
`;
    expect(read(text)).toEqual({
      settings: {
        title: 'Acme API',
        description: 'How fast each release is.',
        colours: { light: { accent: '#0A6B4F' }, dark: { accent: 'oklch(80% 0.12 160)', page: '#000' } },
      },
      diagnostics: [],
    });
  });

  it.each(['', '\n', '# title: soon\n'])('may say nothing: %j', (text) => {
    expect(read(text)).toEqual({ settings: noSettings, diagnostics: [] });
  });

  it('is answered with file, line and column for each mistake, and what is right is used', () => {
    const text = `titel: Acme
description: [a, b]
colours: {}
colors:
  light:
    accent: red
    page: "#12345"
    text: "#222"
`;
    const { settings, diagnostics } = read(text);
    expect(settings).toEqual({ ...noSettings, colours: { light: { text: '#222' }, dark: {} } });
    expect(
      renderDiagnostics(diagnostics, text),
    ).toBe(`site.yml:1:1: unknown key \`titel\` at the top level: did you mean \`title\`?
  1 | titel: Acme
    | ^^^^^

site.yml:2:1: description is a list: expected a sentence or two on one line of 500 characters at most
  2 | description: [a, b]
    | ^^^^^^^^^^^

site.yml:3:1: unknown key \`colours\` at the top level: did you mean \`colors\`?
  3 | colours: {}
    | ^^^^^^^

site.yml:6:13: colors.light.accent is \`red\`: expected a colour such as "#0969da" (in quotes) or oklch(55% 0.2 250)
  6 |     accent: red
    |             ^^^

site.yml:7:11: colors.light.page is \`#12345\`: expected a colour such as "#0969da" (in quotes) or oklch(55% 0.2 250)
  7 |     page: "#12345"
    |           ^^^^^^^^
`);
  });

  it('tells of colours that few can read, and uses ours', () => {
    const text = 'colors:\n  light: {accent: "#8ec9ff"}\n  dark: {page: "#888888"}\n';
    const { settings, diagnostics } = read(text);
    expect(settings.colours).toEqual({ light: {}, dark: {} });
    expect(diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
      '2:19 colors.light: `accent` on `page` has a contrast of 1.7:1, which many cannot read: expected 4.5:1 or more',
      '3:16 colors.dark: `text` on `page` has a contrast of 3.2:1, which many cannot read: expected 4.5:1 or more',
      '3:16 colors.dark: `quiet` on `page` has a contrast of 1.4:1, which many cannot read: expected 4.5:1 or more',
      '3:16 colors.dark: `accent` on `page` has a contrast of 1.4:1, which many cannot read: expected 4.5:1 or more',
    ]);
  });

  it.each([
    ['a style', '"red; } body { display: none"'],
    ['an address', '"url(https://evil.example/x)"'],
    ['an end of the sheet', '"</style><script>alert(1)</script>"'],
    ['a variable', 'var(--x)'],
    ['a translucent colour', '"#11223344"'],
    ['a colour of nowhere', 'oklch(200% 9 400)'],
    ['two lines', '"#fff\\n}"'],
  ])('has no place for %s', (_, value) => {
    const { settings, diagnostics } = read(`colors: {light: {accent: ${value}}}`);
    expect(settings.colours.light).toEqual({});
    expect(diagnostics).toHaveLength(1);
  });

  it('of any text is answered, and never throws', () => {
    for (const text of [
      '{',
      '\0',
      '[1',
      '- a',
      'a: *b',
      '&a [*a]',
      'title: 7',
      'title: "\\u0000"',
      'x'.repeat(20_000),
    ]) {
      const { diagnostics } = read(text);
      expect(diagnostics.length, text.slice(0, 20)).toBeGreaterThan(0);
    }
  });
});

describe('a colour', () => {
  it('is as bright as its screen shows it', () => {
    const ratio = (one: string, other: string) => contrast(colourOf(one)!, colourOf(other)!);
    expect(ratio('#fff', '#000')).toBeCloseTo(21, 6);
    expect(ratio('#777777', '#fff')).toBeCloseTo(4.48, 2);
    expect(ratio('oklch(100% 0 0)', '#000000')).toBeCloseTo(21, 2);
    // #0969da, as CSS writes it in the other form.
    expect(ratio('oklch(53.4% 0.19 256)', '#fff')).toBeCloseTo(ratio('#0969da', '#fff'), 0);
  });

  it('of a light page alone leaves the dark one ours', () => {
    expect(paletteCss({ light: { accent: '#0A6B4F' }, dark: {} })).toBe(`/* Colours of this project. */
:root {
  --accent: #0a6b4f;
}
@media (prefers-color-scheme: dark) {
:root {
  --accent: #58a6ff;
}
}
`);
    expect(paletteCss({ light: {}, dark: {} })).toBe('/* Colours of this project. */\n');
  });
});
