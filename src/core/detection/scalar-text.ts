/** Texts of others in a spec and its comments. */
import { stringify } from 'yaml';

/** The comment that says where a line comes from. */
export function source(from: string): string {
  return from === '' ? '' : plain(`   # ${from}`);
}

/** Fit for a comment: nothing in it ends the line, or shows as something else. */
export function plain(text: string): string {
  return text.replaceAll(/[^ -~]/g, '?');
}

/** What YAML takes in no quoted text, and what is not seen or turns what is seen around. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\ufffd-\uffff]/gu;

function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

/** Fit for a flow map or list: quoted wherever YAML could take it for something else. */
export function scalar(text: string): string {
  if (/^[A-Za-z/][\w./-]*$/.test(text) && stringify(text).trim() === text && !/^(?:on|off|yes|no)$/i.test(text))
    return text;
  return text === '.' ? text : JSON.stringify(text).replaceAll(UNSEEN, escaped);
}
