import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';

export interface ClientOptions {
  /** `GITHUB_API_URL`: `https://api.github.com`, `https://ghe.acme.com/api/v3`. */
  apiUrl: string;
  token: string;
  version: string;
  warn(text: string): void;
  /** Milliseconds that stand for a second between two attempts: 1000 but for tests. */
  secondMs?: number;
  /** Queues in place of the plugin's own, which leave GitHub a second after each write and three after each comment. */
  queues?: Record<string, unknown>;
}

/** How often a request is sent again after a 5xx, a lost connection or a limit. */
const RETRIES = 3;
/** A limit that asks for a longer pause would hold a job up for what it is not worth. */
const LONGEST_PAUSE_SECONDS = 90;
/** What sending once more cannot mend. 404 is GitHub's word for "not allowed" as well. */
const FINAL = [400, 401, 403, 404, 410, 413, 422, 451];
const REQUEST_SECONDS = 60;

export type Client = InstanceType<typeof Base>;
const Base = Octokit.plugin(paginateRest, retry, throttling);

/**
 * Octokit with its own plugins for paging, for retrying, and for GitHub's two limits on rates. A secondary limit answers
 * with 403 or 429 and `retry-after`: https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export function createClient({ apiUrl, token, version, warn, secondMs = 1000, queues = {} }: ClientOptions): Client {
  const again = (pauseSeconds: number, options: { method: string; url: string }, count: number, what: string) => {
    const isWorthIt = count < RETRIES && pauseSeconds <= LONGEST_PAUSE_SECONDS;
    const then = isWorthIt ? `once more in ${pauseSeconds} s` : 'given up';
    warn(`${options.method} ${options.url} met ${what} of the API: ${then}.`);
    return isWorthIt;
  };
  return new Base({
    auth: token,
    baseUrl: apiUrl.replace(/\/+$/, ''),
    userAgent: `wrkbench/${version}`,
    request: {
      fetch: (url: string, init: RequestInit) =>
        fetch(atOrigin(apiUrl, url), { ...init, signal: AbortSignal.timeout(REQUEST_SECONDS * 1000) }),
    },
    retry: { doNotRetry: FINAL, retries: RETRIES, retryAfterBaseValue: secondMs },
    throttle: {
      ...queues,
      retryAfterBaseValue: secondMs,
      fallbackSecondaryRateRetryAfter: 5,
      onRateLimit: (pause: number, options: { method: string; url: string }, _: unknown, count: number) =>
        again(pause, options, count, 'the rate limit'),
      onSecondaryRateLimit: (pause: number, options: { method: string; url: string }, _: unknown, count: number) =>
        again(pause, options, count, 'a secondary limit'),
    },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
}

/**
 * The address, asked for where the API is. The next page is where the answer's `Link` says: a forge behind a proxy may not know its own
 * name, and the token is nobody else's.
 */
function atOrigin(apiUrl: string, url: string): URL {
  const { pathname, search } = new URL(url);
  return new URL(`${pathname}${search}`, new URL(apiUrl).origin);
}
