import type { Answer } from '../verification/answer.ts';
import { REDACTED } from './redacted-text.ts';
import { printedSecretsAmong } from './redaction.ts';
import { printedText } from './secrets.ts';

const SHOWN_CHARACTERS = 200;
/** What is looked at for secrets: a longer word than that is cut anywhere. */
const READ_CHARACTERS = 4096;

/**
 * The beginning of an answer to a login, for an error: an answer that is not understood may hold the very token that was looked for,
 * under any name. So whatever could be one is left out, as are `values`, which were sent or taken; words and names stay.
 */
export function answerShown(answer: Extract<Answer, { kind: 'answered' }>, values: readonly string[]): string {
  const text = new TextDecoder().decode(answer.body.subarray(0, READ_CHARACTERS));
  if (text.trim() === '') return 'an empty body';
  const hidden = printedText(text, printedSecretsAmong(values)).replaceAll(TOKEN, (word) =>
    isTokenLike(word) ? REDACTED : word,
  );
  const cut = hidden.length > SHOWN_CHARACTERS ? `${hidden.slice(0, SHOWN_CHARACTERS)}…` : hidden;
  return `body: ${JSON.stringify(cut)}`;
}

const TOKEN = /[A-Za-z0-9_~+/=.%-]{8,}/g;
const LONGEST_WORD = 24;

/** A word of a language, or a name, has no digit in it and comes to an end. */
function isTokenLike(word: string): boolean {
  return /\d/.test(word) || word.length > LONGEST_WORD;
}
