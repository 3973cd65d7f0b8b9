import type { Case } from '../config/case.ts';
import { requestText } from '../config/request-text.ts';
import { GENERATOR_NAMES, generators } from '../generators/registry.ts';
import type { Reason } from '../measurement/names.ts';
import type { Answer } from '../verification/answer.ts';

/** Of a case whose generator takes each answer for a failed one, although it is what the spec expects. */
const UNREADABLE_BODY = 'unreadable-body';

/** Why the case cannot be loaded by its generator, by an answer of its endpoint; null where it can. */
export function unreadableBody(
  answer: Answer,
  { generator, service, endpoint, route }: Pick<Case, 'generator' | 'service' | 'endpoint' | 'route'>,
): Reason | null {
  if (answer.kind === 'failed' || answer.endsWithConnection === undefined) return null;
  if (generators[generator].readsUntilClosed) return null;
  const where = `${requestText(endpoint, service)}${route === 'gateway' ? ' through the gateway' : ''}`;
  return {
    code: UNREADABLE_BODY,
    message: `not loaded: ${service.name} answers ${where} with a body that only the end of the connection ends (no Content-Length, not chunked), and ${generator} counts each such answer as a failed request; ${readableAdvice()}`,
  };
}

/** What to do instead. */
export function readableAdvice(): string {
  const others = GENERATOR_NAMES.filter((name) => generators[name].readsUntilClosed).join(' or ');
  return `load it with ${others} and keep-alive off, or let the service send a Content-Length`;
}
