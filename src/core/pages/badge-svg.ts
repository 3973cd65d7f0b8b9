import { columnsOf } from '../format/text.ts';
import { escapeHtml } from '../report/html/escape.ts';

export interface Badge {
  /** Of its files. */
  name: string;
  label: string;
  message: string;
  colour: string;
  /** The whole of it, for who cannot see it and as a tooltip. */
  title: string;
}

const HEIGHT = 20;
const SIDE = 6;
/** Of a letter, on average; each text is then set to exactly this length, whatever font there is. */
const LETTER = 6.6;

/** A picture of its own: no font, script, style or address of elsewhere. */
export function badgeSvg({ label, message, colour, title }: Badge): string {
  const left = widthOf(label);
  const right = widthOf(message);
  const whole = left + right;
  const name = escapeHtml(title);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${HEIGHT}" viewBox="0 0 ${whole} ${HEIGHT}" role="img" aria-label="${name}">
<title>${name}</title>
<clipPath id="corners"><rect width="${whole}" height="${HEIGHT}" rx="3"/></clipPath>
<g clip-path="url(#corners)">
<rect width="${left}" height="${HEIGHT}" fill="#24292f"/>
<rect x="${left}" width="${right}" height="${HEIGHT}" fill="${escapeHtml(colour)}"/>
</g>
<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
${textAt(SIDE, left, label)}
${textAt(left + SIDE, right, message)}
</g>
</svg>
`;
}

function widthOf(text: string): number {
  return Math.round(columnsOf(text) * LETTER) + 2 * SIDE;
}

function textAt(x: number, width: number, text: string): string {
  return `<text x="${x}" y="14" textLength="${width - 2 * SIDE}">${escapeHtml(text)}</text>`;
}
