import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { COLOUR_NAMES, OUR_COLOURS, type Scheme } from '../../../src/core/pages/palette.ts';

/** The same colours are in the style sheet, in the scripts of the charts, and in what a project's own are held against. */

const css = readFileSync('templates/report.css', 'utf8');

function inStyleSheet(scheme: Scheme): Record<string, string> {
  const begin = scheme === 'light' ? ':root {' : '@media (prefers-color-scheme: dark) {';
  const block = css.slice(css.indexOf(begin)).split('}')[0]!;
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]),
  );
}

/** As a page of that scheme loads it. */
async function ofCharts(scheme: Scheme) {
  vi.resetModules();
  vi.stubGlobal('window', { matchMedia: () => ({ matches: scheme === 'dark' }) });
  const { palette } = await import('../../../src/site/palette.ts');
  return { onScreen: palette(false), onPaper: palette(true) };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe.each(['light', 'dark'] as const)('the colours of a %s page', (scheme) => {
  const sheet = inStyleSheet(scheme);
  const ours = OUR_COLOURS[scheme];

  it('are those that a project may change', () => {
    expect(Object.fromEntries(COLOUR_NAMES.map((name) => [name, sheet[name]]))).toEqual(ours);
  });

  it('are those of its charts, which are light on paper', async () => {
    const { onScreen, onPaper } = await ofCharts(scheme);
    const { text, quiet, line, accent } = ours;
    expect(onScreen).toMatchObject({ text, quiet, grid: line, accent });
    expect([onScreen.reference, onScreen.invalid]).toEqual([sheet.reference, sheet.bad]);
    expect(onPaper.text).toBe(OUR_COLOURS.light.text);
  });
});
