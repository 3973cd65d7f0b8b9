import { isOpen, type OnSecret, REDACTED, redactedText } from './redacted-text.ts';
import { isPath, isSecretName } from './secret-names.ts';

/** `--api-key x` is two words; `sh -c "… --api-key x"` has both in one. */
export function redactedCommand(words: readonly string[], onSecret: OnSecret = () => undefined): string[] {
  return words.map((word, index) => {
    if (isSecretOption(words[index - 1]) && isValue(word)) {
      onSecret(word);
      return REDACTED;
    }
    const inner = word.replaceAll(OPTION_IN_WORD, (whole, option: string, between: string, value: string) => {
      if (!isSecretOption(option) || !isValue(value)) return whole;
      onSecret(value);
      return `${option}${between}${REDACTED}`;
    });
    return redactedText(inner, onSecret);
  });
}

const OPTION_IN_WORD = /(?<!\S)(-{1,2}[a-z][\w.-]{0,63})(\s{1,8})([^\s"'`;&|]+)/gi;

/** `--no-auth` and `--require-auth` stand alone. */
function isSecretOption(word: string | undefined): boolean {
  return word !== undefined && /^-{1,2}[a-z][\w.-]{0,63}$/i.test(word) && !/auth$/i.test(word) && isSecretName(word);
}

function isValue(word: string): boolean {
  return !word.startsWith('-') && !isOpen(word) && !isPath(word);
}
