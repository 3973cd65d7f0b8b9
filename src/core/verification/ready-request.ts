import { isAsked } from '../config/glob.ts';
import type { Endpoint, Service } from '../config/resolved.ts';
import { isOfAnswers } from '../requests/request-values.ts';

/** What a service is asked until it is up. */
export interface ReadyRequest {
  method: string;
  /** Base path included. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
  /** Whose request it is; null for a bare `GET`. */
  endpoint: string | null;
  /** It is up at once with this status, with a good one (below 400), or with any that is no failure of its own (below 500). */
  expected: number | 'good' | 'answered';
}

/**
 * Null where an open port is enough. Only `GET` is asked: it is sent again and again, and must write nothing. So an endpoint's own
 * request is sent where it is a `GET`; where only other methods are known of the path, any answer of the service shows that it is up.
 */
export function readyRequestOf(
  { ready: { path }, basePath, endpoints: own }: Pick<Service, 'ready' | 'basePath' | 'endpoints'>,
  all: readonly Endpoint[],
): ReadyRequest | null {
  if (path === null) return null;
  const endpoints = all.filter((endpoint) => isAsked(own, endpoint));
  const ofPath = endpoints.filter((endpoint) => `${basePath}${endpoint.path}` === path);
  const get = ofPath.find(({ method }) => method === 'GET');
  // Nobody has logged in yet, nor asked for what its data are made of: that it refuses shows that it is up.
  if (get !== undefined && !isOfAnswers(get)) {
    const { method, headers, body, name, expect } = get;
    return { method, path, headers, body, endpoint: name, expected: expect.status };
  }
  const bare = { method: 'GET', path, headers: {}, body: null, endpoint: null };
  // The path that is asked where nobody names one, and no endpoint is a GET.
  const isFallback = path === `${basePath}/` && endpoints.every(({ method }) => method !== 'GET');
  return { ...bare, expected: ofPath.length > 0 || isFallback ? 'answered' : 'good' };
}

/** Whether the status is what the service answers with when it is up. */
export function isUp(status: number, { expected }: ReadyRequest): boolean {
  switch (expected) {
    case 'good':
      return status < 400;
    case 'answered':
      return status < 500;
    default:
      return status === expected;
  }
}

/** Whether the service answers by itself, though not as expected: it refuses, or does not know the path. */
export function isAnswer(status: number): boolean {
  return status < 500;
}

/** `go was asked for http://…/ping for 30 s`, and what to do about it. */
export function readinessWords(
  { name, ready: { timeoutSeconds } }: Pick<Service, 'name' | 'ready'>,
  request: ReadyRequest | null,
  origin: string,
): { asked: string; answers: (status: number) => string; more: string } {
  if (request === null) {
    return {
      asked: `${name} was to open its port at ${origin} within ${timeoutSeconds} s`,
      answers: () => '',
      more: 'Correct its port, or raise ready.timeout in the spec.',
    };
  }
  const { path, endpoint, expected } = request;
  const as = endpoint === null ? '' : `, with the request of endpoint ${endpoint},`;
  const instead = typeof expected === 'number' ? ` instead of ${expected}` : '';
  return {
    asked: `${name} was asked for ${origin}${path}${as} for ${timeoutSeconds} s`,
    answers: (status) => `answers with status ${status}${instead}`,
    more:
      expected === 'good'
        ? 'Correct ready.path, or raise ready.timeout in the spec.'
        : 'Set ready.path to a path that it answers when it is up, or raise ready.timeout in the spec.',
  };
}
