/** Colours of the charts. Each has at least 3:1 against its page, so that shapes can be told from it. */
export interface Palette {
  text: string;
  quiet: string;
  grid: string;
  accent: string;
  reference: string;
  invalid: string;
  /** For what is drawn side by side, in the order of the legend. */
  series: [string, string, string, string];
}

const light: Palette = {
  text: '#1f2328',
  quiet: '#59636e',
  grid: '#d1d9e0',
  accent: '#0969da',
  reference: '#818b98',
  invalid: '#b3261e',
  series: ['#0969da', '#1a7f37', '#9a6700', '#cf222e'],
};

const dark: Palette = {
  text: '#f0f6fc',
  quiet: '#9aa4af',
  grid: '#3d444d',
  accent: '#58a6ff',
  reference: '#7d8590',
  invalid: '#ff8a80',
  series: ['#58a6ff', '#3fb950', '#d29922', '#ff7b72'],
};

export const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');

/** On paper it is always the light one. */
export function palette(printing: boolean): Palette {
  return prefersDark.matches && !printing ? dark : light;
}
