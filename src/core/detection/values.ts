/** What the value of a variable is, whatever the variable is called. */

const QUANTITY =
  /^[+-]?\d+(?:[.,]\d+)?\s*(?:%|[a-z]{0,2}b|ms|s|m|h|d|w|y|sec|secs|seconds?|min|mins|minutes?|hours?|days?|weeks?|months?|years?)?$/i;
const SWITCH = /^(?:true|false|yes|no|on|off|enabled?|disabled?|none|null)$/i;
const PATH =
  /^(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@-]+)*\/?$|^[\w-]+(?:\/[\w-]+)*\.(?:pem|key|crt|json|txt|ya?ml|db|sqlite3?)$/;

/** A number, a duration, a switch or a path: no secret is one. */
export function isPlainValue(text: string): boolean {
  return QUANTITY.test(text) || SWITCH.test(text) || (text.length < 200 && PATH.test(text));
}

/** One of a few words, under a name that only speaks of secrets: `DB_TARGET_SESSION_ATTRS=read-write`, `AUTH_BACKEND=local`. */
export function isChoice(name: string, text: string): boolean {
  const isOfSecret =
    /(?:SECRET|PASS|PASSWORD|PASSWD|PWD|KEY|TOKEN|SALT|CREDENTIALS?|DSN|COOKIE|JWT|AUTH|PIN)\d*$/i.test(name);
  return !isOfSecret && /^[a-z]{2,15}(?:[-_][a-z]{1,15}){0,2}$/.test(text) && !isPlaceholderValue(text);
}

const PLACEHOLDERS = [
  /^change[_-]?(?:me|this|it)\b/i,
  /^x+(?:[-_.]x+)+$|^x{3,}$/i,
  /^<[^<>]*>$|^\[[^[\]]*\]$|^\{\{?[^{}]*\}?\}$/,
  /^(?:\.{3,}|-{2,}|\*{2,}|_{2,})$/,
  /^(?:todo|tbd|fixme|placeholder|dummy)\b/i,
  /^(?:replace|insert|enter|put|set|add)[\s_-]+(?:me|this|with|in|by|your?|a|the)(?:$|[\s_-])/i,
  /^your?[\s_-]/i,
  /[\s_-]here$/i,
];

/** What stands where somebody has to write a value of their own: `bucket_name_here`, `xx-xxxx-x`, `changeme`. */
export function isPlaceholderValue(text: string): boolean {
  return PLACEHOLDERS.some((pattern) => pattern.test(text));
}

const REDIRECTS =
  /(?:^|_)(?:FORCE|ENFORCE|REQUIRE|REDIRECT_TO|ONLY)_(?:HTTPS|SSL|TLS)$|(?:^|_)(?:HTTPS|SSL)_(?:REDIRECT|ONLY|ENFORCED?|REQUIRED?)$/i;
const OPPOSITES: Record<string, string> = { true: 'false', '1': '0', on: 'off', yes: 'no', enabled: 'disabled' };

/** The value by which a server answers itself, in place of one by which it sends everybody to HTTPS; null where it is no such variable. */
export function withoutRedirect(name: string, text: string): string | null {
  const opposite = REDIRECTS.test(name) ? OPPOSITES[text.toLowerCase()] : undefined;
  if (opposite === undefined) return null;
  return /^[A-Z]/.test(text) ? `${opposite[0]!.toUpperCase()}${opposite.slice(1)}` : opposite;
}

/** Hosts that a server answers for: it is asked by an address that nobody knows before. */
export function isHostList(name: string): boolean {
  return /(?:^|_)ALLOWED_HOSTS?$/i.test(name);
}
