import type { Endpoint } from '../../core/config/resolved.ts';
import type { EndpointContent } from '../../core/requests/content/content.ts';
import {
  filledPartly,
  filledRequest,
  RequestValueError,
  type RequestValues,
} from '../../core/requests/request-values.ts';
import type { Testbed } from '../ports/testbed.ts';

/**
 * An endpoint as a testbed is asked: with what its login has taken, and the caller's variables. Those of another start are others, so that
 * plans, journals and records have the written ones, and only what is asked is filled in. One that cannot be filled in is asked as it is
 * written, which `withLogin` has warned of: its own cases are lost with it, and no others.
 */
export function filledEndpoint(endpoint: Endpoint, { values }: Pick<Testbed, 'values'>): Endpoint {
  const [first] = values ?? [];
  if (first === undefined) return endpoint;
  try {
    const filled = filledRequest(endpoint, first);
    return filled.content === undefined ? filled : { ...filled, content: filledContent(filled.content, first) };
  } catch (error) {
    if (!(error instanceof RequestValueError)) throw error;
    return endpoint;
  }
}

/** Files are sent byte for byte. */
function filledContent(content: EndpointContent, values: RequestValues): EndpointContent {
  if (content.kind === 'file') return content;
  const parts = content.parts.map((part) =>
    'text' in part ? { ...part, text: filledPartly(part.text, values) } : part,
  );
  return { ...content, parts };
}
