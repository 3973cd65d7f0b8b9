/**
 * What may stand as `${…}` in a request: what a login has taken (`login.NAME`), or a request of `prepare` (`prepare.NAME`), a variable
 * of whoever runs this (`env.NAME`), and in a login the number of the user (`user`). Any other `${…}` means itself, since bodies and paths have meanings of their own for it; one
 * of these does behind a second dollar: `$${login.token}` is sent as `${login.token}`.
 */
export type RequestValues = Readonly<Record<string, string>>;

const PATTERN = /(\$?)\$\{((?:login|prepare|env)\.[A-Za-z_][A-Za-z0-9_-]{0,254}|user)\}/g;

/** Known in a login alone: everywhere else it means itself. */
const USER = 'user';

/** A value that cannot stand where it is wanted, or that nobody knows; the message is a sentence. */
export class RequestValueError extends Error {
  override name = 'RequestValueError';
}

/** Names of the values that a text wants, as they stand in it: `login.token`. */
export function valuesIn(text: string): string[] {
  const found = [...text.matchAll(PATTERN)].flatMap(([, dollar, name]) =>
    dollar === '' && name !== USER ? [name!] : [],
  );
  return [...new Set(found)];
}

interface RequestTexts {
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

/** The same of a whole request. */
export function valuesOfRequest({ path, headers, body }: RequestTexts): string[] {
  const texts = [path, ...Object.values(headers), ...(body === null ? [] : [body])];
  return [...new Set(texts.flatMap(valuesIn))];
}

/** Whether a request wants what is taken from answers, and so is known to nobody while the service comes up. */
export function isOfAnswers(request: RequestTexts): boolean {
  return valuesOfRequest(request).some((name) => !name.startsWith('env.'));
}

/** Whether a request wants what a login takes. */
export function isOfLogin(request: RequestTexts): boolean {
  return valuesOfRequest(request).some((name) => name.startsWith('login.'));
}

/**
 * The request as it is sent. A value is written as the place where it stands has it: percent-encoded in a path and in a form, as a part
 * of a JSON text in one, and as it is in all else. Throws `RequestValueError` where a value is unknown, or no header may hold it.
 */
export function filledRequest<Asked extends RequestTexts>(request: Asked, values: RequestValues): Asked {
  const { path, headers, body } = request;
  return {
    ...request,
    path: filled(path, values, encodeURIComponent),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, filled(value, values, headerText(name))]),
    ),
    body: body === null ? null : filled(body, values, bodyText(request)),
  };
}

/** The request with the values that are known already; all others, and what is escaped, stay for `filledRequest`. */
export function partlyFilledRequest<Asked extends RequestTexts>(request: Asked, values: RequestValues): Asked {
  const { path, headers, body } = request;
  return {
    ...request,
    path: filledPartly(path, values, encodeURIComponent),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filledPartly(value, values)])),
    body: body === null ? null : filledPartly(body, values, bodyText(request)),
  };
}

/** The same of a text. */
export function filledPartly(
  text: string,
  values: RequestValues,
  written: (value: string) => string = (value) => value,
): string {
  return text.replaceAll(PATTERN, (whole: string, dollar: string, name: string) =>
    dollar === '' && Object.hasOwn(values, name) ? written(values[name]!) : whole,
  );
}

/** The text with `change` made to all of it but the values that are named in it, which are still to be filled in. */
export function apartFromValues(text: string, change: (part: string) => string): string {
  let at = 0;
  let changed = '';
  for (const { index, 0: whole } of text.matchAll(PATTERN)) {
    changed += change(text.slice(at, index)) + whole;
    at = index + whole.length;
  }
  return changed + change(text.slice(at));
}

function filled(text: string, values: RequestValues, written: (value: string, name: string) => string): string {
  return text.replaceAll(PATTERN, (whole: string, dollar: string, name: string) => {
    const isKnown = Object.hasOwn(values, name);
    if (name === USER && !isKnown) return whole;
    if (dollar !== '') return whole.slice(1);
    if (isKnown) return written(values[name]!, name);
    throw new RequestValueError(unknownSentence(name, values));
  });
}

function unknownSentence(name: string, values: RequestValues): string {
  if (!name.startsWith('login.')) return `\`\${${name}}\` has no value here.`;
  const taken = Object.keys(values).filter((each) => each.startsWith('login.'));
  const known = taken.length === 0 ? 'nothing' : taken.map((each) => `\`\${${each}}\``).join(', ');
  return `\`\${${name}}\` has no value: the login takes ${known}. Add it to \`take\` of a step, or correct the name.`;
}

/** Visible US-ASCII and inner spaces, as in the schema: what every generator passes on unchanged. */
const HEADER_TEXT = /^[ -~]*$/;

function headerText(header: string) {
  return (value: string, name: string): string => {
    if (HEADER_TEXT.test(value)) return value;
    throw new RequestValueError(
      `The value of \`\${${name}}\` holds characters that the header ${header} cannot: only plain ones of one line can be sent in a header.`,
    );
  };
}

/** How a value stands in a body of this kind. */
function bodyText({ headers, body }: RequestTexts): (value: string) => string {
  const type =
    Object.entries(headers)
      .find(([name]) => name.toLowerCase() === 'content-type')?.[1]
      .toLowerCase() ?? '';
  if (type.includes('x-www-form-urlencoded')) return encodeURIComponent;
  const isJson = /[/+]json\b/.test(type) || (type === '' && /^\s*[[{]/.test(body ?? ''));
  return isJson ? (value) => JSON.stringify(value).slice(1, -1) : (value) => value;
}
