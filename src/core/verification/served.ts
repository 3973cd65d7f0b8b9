import { isUnread } from '../config/asked-endpoint.ts';
import type { Endpoint } from '../config/resolved.ts';
import type { Answer } from './answer.ts';

/**
 * Whether a service still does what the endpoint needs, by an answer to it as it is written. One that it refuses, for want of a login, it
 * has answered by itself. What it does not find may have been lost with the data, unless the request has a value still to be filled in.
 */
export function isServed(answer: Answer, endpoint: Endpoint): boolean {
  if (answer.kind === 'failed') return false;
  const { status } = answer;
  if (status === endpoint.expect.status) return true;
  return status === 404 ? isUnread(endpoint) || endpoint.path.includes('${') : status < 500;
}
