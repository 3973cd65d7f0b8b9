/** Which names say that what they name is a secret: of variables, headers, options, query parameters and keys of JSON. */

/** Anywhere in a name of the environment: a leak costs more than a figure that is left out. */
const ANYWHERE = /pass|secret|token|credential|private|api_?key|auth/i;

/** A word of the name: `DB_PWD`, `jwt`, `X-Amz-Signature`, `sessionId`. Longer words hold them by chance (`BASALT`, `CONCERT`). */
const WORDS = new Set(
  (
    'pass password passwd passphrase passcode pwd secret token credential credentials creds auth authorization apikey ' +
    'dsn jwt salt signing signature sig hmac cert certificate pem session sessionid cookie bearer'
  ).split(' '),
);

/** At a word's end: `DBPASSWORD`, `accesstoken`. */
const ENDS =
  /(?:password|passwd|passphrase|secret|token|pwd|(?:api|access|secret|private|signing|encryption|master)key)$/;

/** Such a last word says something of the secret, and is none itself: `SESSION_TTL`, `JWT_ALGORITHM`, `SALT_ROUNDS`. */
const DESCRIBING = new Set(
  (
    'file path dir directory folder ttl timeout seconds minutes hours days ms max min size count limit length len rounds ' +
    'bits name alg algo algorithm issuer iss audience aud store driver backend provider lifetime expiry expires ' +
    'expiration age domain prefix enabled disabled required mode type kind format version host port url uri endpoint ' +
    'server header field column table param samesite secure httponly strategy policy interval'
  ).split(' '),
);

/** What a key may be of without being a secret one. */
const OPEN_KEYS = new Set(
  'primary foreign partition sort shard routing cache surrogate public idempotency socket group row object hot'.split(
    ' ',
  ),
);
const KEY_FORMS = new Set('id value base64 b64 hex pem data material'.split(' '));

/** Of an environment's variable or a build argument, by what it holds as well. */
export function isSecretVariable(name: string, value: string): boolean {
  return ANYWHERE.test(name) || (!isPath(value) && (/^keys?$/i.test(name) || isSecretName(name)));
}

/** Of a request. */
export function isSecretHeader(name: string): boolean {
  return /authorization|cookie|token|secret|api-?key/i.test(name) || isSecretName(name);
}

/** A whole connection, of which only a part is secret: `DATABASE_DSN`. */
export function namesConnection(name: string): boolean {
  return wordsOf(name).includes('dsn');
}

/** `/etc/tls/key.pem`: where a secret is kept, and not the secret. */
export function isPath(value: string): boolean {
  return /^(?:~|\.{1,2})?\/[\w./-]+\.[a-z]{1,6}$/i.test(value);
}

/** Of whatever else has a name. A mere `key` is none: caches and stores are asked for theirs. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1);
  // Where a shell stands, and has stood.
  if (last === undefined || DESCRIBING.has(last) || /^(?:old)?pwd$/i.test(name)) return false;
  return words.some((word) => WORDS.has(word) || ENDS.test(word)) || endsInKey(words);
}

/** `STRIPE_KEY`, `AWS_ACCESS_KEY_ID`; neither `KEY_PREFIX` nor `primary_key`. */
function endsInKey(words: readonly string[]): boolean {
  const at = words.findLastIndex((word) => /^keys?$/.test(word));
  if (at < 1 || OPEN_KEYS.has(words[at - 1]!)) return false;
  return words.slice(at + 1).every((word) => KEY_FORMS.has(word) || /^\d+$/.test(word));
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}
