import { isPath, isSecretName } from './secret-names.ts';

export const REDACTED = '[redacted]';

/** Is told each secret that was found, as it stood there. */
export type OnSecret = (secret: string) => void;

/**
 * A text without what its own form says is a secret: user and password of a URL, and what is given to a secret name as in
 * `?token=…`, `--password=…`, `DB_PASSWORD=…` or `"password": "…"`. Placeholders stay, since they hold nothing.
 */
export function redactedText(text: string, onSecret: OnSecret = () => undefined): string {
  return withoutMembers(withoutAssigned(withoutUserInfo(text, onSecret), onSecret), onSecret);
}

/** Nothing stands in it but placeholders; nothing at all, or what was left out already. */
export function isOpen(value: string): boolean {
  return value === REDACTED || !/[^\s:]/.test(value.replaceAll(/\$\{[^}]*\}/g, ''));
}

/** All up to the last `@` before the path. */
const USER_INFO = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/?#"'<>]+)@/gi;

/** `postgres://me:pw@host/db` → `postgres://[redacted]@host/db` */
function withoutUserInfo(text: string, onSecret: OnSecret): string {
  return text.replaceAll(USER_INFO, (whole, scheme: string, userInfo: string) => {
    const colon = userInfo.indexOf(':');
    const secret = userInfo.slice(colon + 1);
    if (isOpen(secret)) return whole;
    // A user without a password may be a token, and is a mere name more often.
    if (colon >= 0 || secret.length >= 16) report(secret, onSecret);
    return `${scheme}${REDACTED}@`;
  });
}

const NAME = /(?<![\w.-])-{0,2}([a-z][\w.-]{0,63})=/gi;
const VALUE = /"[^"]{0,4096}"|'[^']{0,4096}'|[^\s&;,"'`]+/y;

/** `?token=abc&page=2` → `?token=[redacted]&page=2`. A value may hold further names, so that each is looked at. */
function withoutAssigned(text: string, onSecret: OnSecret): string {
  let kept = '';
  let at = 0;
  for (const { index, 0: assigned, 1: name } of text.matchAll(NAME)) {
    if (index < at || !isSecretName(name!)) continue;
    const start = index + assigned.length;
    VALUE.lastIndex = start;
    const [value] = VALUE.exec(text) ?? [];
    if (value === undefined) continue;
    const quote = /^["']/.exec(value)?.[0] ?? '';
    const secret = value.slice(quote.length, value.length - quote.length);
    if (isOpen(secret) || isPath(secret) || isVariable(secret)) continue;
    report(secret, onSecret);
    kept += `${text.slice(at, start)}${quote}${REDACTED}${quote}`;
    at = start + value.length;
  }
  return kept + text.slice(at);
}

/** Of a shell, or of a statement: `$TOKEN`, `$1`. */
function isVariable(value: string): boolean {
  return /^\$(?:\w{1,64}|\{[^}]{1,64}\})$/.test(value);
}

const MEMBER = /"([a-z][\w.-]{0,63})"(\s{0,8}:\s{0,8})"((?:[^"\\]|\\.){1,4096})"/gi;

function withoutMembers(text: string, onSecret: OnSecret): string {
  return text.replaceAll(MEMBER, (whole, name: string, between: string, secret: string) => {
    if (!isSecretName(name) || isOpen(secret)) return whole;
    report(secret, onSecret);
    return `"${name}"${between}"${REDACTED}"`;
  });
}

/** A server prints a part of a URL as it stands there, or as it has read it. */
function report(secret: string, onSecret: OnSecret): void {
  onSecret(secret);
  if (!secret.includes('%')) return;
  try {
    onSecret(decodeURIComponent(secret));
  } catch {
    // It is no part of a URL, and means itself.
  }
}
