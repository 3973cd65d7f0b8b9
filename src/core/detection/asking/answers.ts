/** What came back for a request, as far as it says whether the request is fit to be measured. */
export type SeenAnswer =
  | { status: number; contentType: string; body: string; location: string; challenge: string; cookies: string }
  /** Why nothing came, or no end. */
  | { failure: string };

/** Why a candidate is left out; in the order in which somebody would want to know. */
export const WAYS_OUT = {
  login: 'a login is needed: docs/applications.md shows how to write one',
  fails: 'a server error',
  endless: 'no complete answer within 5 s, or a stream',
  differs: 'a different answer the second time',
  refused: 'the request is refused',
  redirects: 'a redirect',
  everywhere: 'the same page as for a path that does not exist',
  missing: 'not found',
  late: 'no time was left to ask',
} as const;
export type WayOut = keyof typeof WAYS_OUT;

/** What a good answer is like. */
export interface GoodAnswer {
  status: number;
  /** Without its parameters; null where there is none. */
  contentType: string | null;
  form: 'json' | 'other' | 'html' | 'file';
  /** A list or a map with nothing in it. */
  isEmpty: boolean;
  /** A path that nobody has is answered with the same. */
  isAnywhere: boolean;
  body: string;
}

/** Both answers to one request: good where both are, and of a kind; else why it is left out. */
export function judgedAnswers(
  first: SeenAnswer,
  second: SeenAnswer,
  /** The answer to a path that nobody has. */
  nowhere: SeenAnswer | null,
  path = '',
): GoodAnswer | WayOut {
  const before = judgedAnswer(first, nowhere, path);
  if (typeof before === 'string') return before;
  const after = judgedAnswer(second, nowhere, path);
  if (typeof after === 'string' || after.status !== before.status || after.contentType !== before.contentType) {
    return 'differs';
  }
  return after;
}

/** One answer; by the path that was asked, whether a page for logging in stands in place of another. */
export function judgedAnswer(answer: SeenAnswer, nowhere: SeenAnswer | null = null, path = ''): GoodAnswer | WayOut {
  if ('failure' in answer) return 'endless';
  const { status, body } = answer;
  if (status === 401 || status === 403) return 'login';
  if (status === 404 || status === 410) return 'missing';
  if (status >= 500 || status < 200) return 'fails';
  if (status >= 400) return 'refused';
  if (status >= 300) return LOGIN_ADDRESS.test(answer.location.slice(0, 2_000)) ? 'login' : 'redirects';
  const type = answer.contentType.split(';')[0]!.trim().toLowerCase();
  if (type === 'text/event-stream' || type.startsWith('multipart/x-mixed-replace')) return 'endless';
  const isAnywhere = nowhere !== null && !('failure' in nowhere) && nowhere.status === status && nowhere.body === body;
  const isHtml = /html/.test(type) || (type === '' && /^\s*<(?:!doctype|html)/i.test(body));
  if (isHtml && isAnywhere) return 'everywhere';
  if (isHtml && LOGIN_PAGE.test(body) && !isPasswordPath(path)) return 'login';
  if (isHtml && ERROR_PAGE.test(body)) return 'fails';
  const json = /\bjson\b/.test(type) ? parsed(body) : undefined;
  if (json !== undefined && saysError(json)) return 'fails';
  return {
    status,
    contentType: /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(type) ? type : null,
    form: json !== undefined ? 'json' : isHtml ? 'html' : OF_FILE.test(type) ? 'file' : 'other',
    isEmpty: json !== undefined && isEmpty(json),
    isAnywhere,
    body,
  };
}

/** What is the same for everybody, and stands beside pages. */
const OF_FILE = /^(?:image|font|audio|video)\/|\/(?:css|(?:x-)?javascript|manifest\+json|opensearchdescription\+xml)$/;
const LOGIN_PAGE = /<input[^>]{0,500}\btype=["']?password/i;
const ERROR_PAGE =
  /<(?:title|h1)[^>]{0,200}>[^<]{0,200}(?:\b(?:404|500|502|503)\b|not found|internal server error|whitelabel error|exception|traceback|something went wrong)/i;

/** Where those are sent who have not logged in. */
const LOGIN_ADDRESS = /[/_.-](?:log|sign)[-_]?in\b|\/auth\b/i;

/** Whether the page of a path asks for a password itself: for logging in, for an account, for another password. */
export function isPasswordPath(path: string): boolean {
  return /[/_.-](?:(?:log|sign)[-_]?in|sign[-_]?up|register|passwords?)\/?$/i.test(path.split('?')[0]!);
}

/** Undefined where it is no JSON. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** A failure under a good status. */
function saysError(json: unknown): boolean {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return false;
  const { error, errors, success, status } = json as Record<string, unknown>;
  if (success === false || status === 'error') return true;
  if (typeof error === 'string' ? error !== '' : error === true) return true;
  return Array.isArray(errors) && errors.length > 0;
}

function isEmpty(json: unknown): boolean {
  if (json === null) return true;
  if (Array.isArray(json)) return json.length === 0;
  if (typeof json !== 'object') return false;
  const values = Object.values(json as object);
  const lists = values.filter((value) => Array.isArray(value));
  return values.length === 0 || (lists.length > 0 && lists.every((list) => list.length === 0));
}
