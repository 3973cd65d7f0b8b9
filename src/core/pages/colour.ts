/** A colour as a style sheet is given it, and its red, green and blue of linear light, each from 0 to 1. */
export interface Colour {
  css: string;
  linear: readonly [number, number, number];
}

const NUMBER = '(?:\\d{1,3}(?:\\.\\d{1,6})?|\\.\\d{1,6})';
const OKLCH = new RegExp(`^oklch\\( *(${NUMBER})(%?) +(${NUMBER}) +(${NUMBER})(?:deg)? *\\)$`);

/** What a project may write for a colour: nothing but these two forms gets into the style sheet. */
export const COLOUR_PHRASE = 'a colour such as "#0969da" (in quotes) or oklch(55% 0.2 250)';

/** Null for what is neither `#rgb`, `#rrggbb` nor `oklch(L C H)`; none of them is translucent. */
export function colourOf(text: string): Colour | null {
  const hex = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[0].slice(1).toLowerCase();
  if (hex !== undefined) return ofHex(hex);
  const [, lightness, percent, chroma, hue] = OKLCH.exec(text) ?? [];
  if (lightness === undefined) return null;
  const l = Number(lightness) / (percent === '%' ? 100 : 1);
  if (l > 1 || Number(chroma) > 0.5 || Number(hue) > 360) return null;
  return { css: `oklch(${l} ${Number(chroma)} ${Number(hue)})`, linear: linearOfOklch(l, Number(chroma), Number(hue)) };
}

function ofHex(hex: string): Colour {
  const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const at = (place: number) => linearOf(Number.parseInt(long.slice(place, place + 2), 16) / 255);
  return { css: `#${long}`, linear: [at(0), at(2), at(4)] };
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function linearOf(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

/** https://www.w3.org/TR/css-color-4/#color-conversion-code; what no screen of sRGB can show is cut to what it can. */
function linearOfOklch(lightness: number, chroma: number, hue: number): [number, number, number] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const shown = (value: number) => Math.min(1, Math.max(0, value));
  return [
    shown(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    shown(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    shown(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** From 1 to 21. https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: Colour, other: Colour): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance({ linear: [red, green, blue] }: Colour): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
