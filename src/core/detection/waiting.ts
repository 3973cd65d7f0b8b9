/** Commands that wait for another container before they start: a run starts a service when what it needs is up. */

/** A program that waits for another one and then becomes what follows its `--`. */
const NAME = String.raw`(?:\S*/)?(?:wait(?:[-_.]?(?:for|on|until|4)[\w.-]*|\.sh)?|dockerize)`;
const WAITING = new RegExp(`^${NAME}$`);
/** Its options with a value of their own behind them. */
const WITH_VALUE = /^-{1,2}(?:wait|t|timeout|wait-timeout|wait-retry-interval|h|host|p|port)$/;

/** `while ! nc -z db 5432; do sleep 1; done;` at the beginning, whatever is asked and however. */
const LOOP = /^\s*(?:while|until)\b[^;&|]{1,300}(?:;|\n|&&)\s*do\b[\s\S]{0,500}?\bdone\b\s*(?:;|&&|\n)\s*/;
const CALL = new RegExp(String.raw`^\s*${NAME}(?:\s[^;&|\n]{0,300})?(?:&&|;|\n)\s*`);
/** It becomes what follows. */
const INSTEAD = new RegExp(String.raw`^\s*(?:exec\s+)?${NAME}\s[^;&|\n]{0,300}?\s--\s+([\s\S]+)$`);
const PAUSE = /^\s*sleep\s+\d+\s*(?:&&|;|\n)\s*/;

/** A name without a dot or a slash that starts nothing. */
const HOST = /^(?!(?:node|npm|npx|yarn|pnpm|bun|python3?|java|go|bundle|rails|php|gunicorn|uvicorn|sh|bash)$)[\w-]+$/;

/** The words without the waiting before them; empty where they do nothing but wait. */
export function withoutWaiting(words: readonly string[]): string[] {
  const [first = '', flag = '', script = ''] = words;
  if (/(?:^|\/)(?:ba|da|a)?sh$/.test(first) && /^-\w*c$/.test(flag)) {
    const rest = withoutWaitingLines(script);
    return rest === '' ? [] : [first, flag, rest, ...words.slice(3)];
  }
  if (!WAITING.test(first)) return [...words];
  const end = words.indexOf('--');
  if (end > 0) return words.slice(end + 1);
  // As Docker's own example has it: `wait-for-postgres.sh db ./server`.
  let at = /wait[-_]for[-_](?:postgres|pg|mysql)/.test(first) && words.length > 2 && HOST.test(words[1]!) ? 2 : 1;
  while (at < words.length && (words[at]!.startsWith('-') || /^[\w.-]+:\d+$/.test(words[at]!))) {
    at += WITH_VALUE.test(words[at]!) ? 2 : 1;
  }
  return words.slice(at);
}

function withoutWaitingLines(script: string): string {
  let rest = script;
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = [LOOP, CALL, PAUSE].reduce((text, pattern) => text.replace(pattern, ''), rest);
  }
  const inner = INSTEAD.exec(rest)?.[1];
  return (inner ?? rest).trim();
}
