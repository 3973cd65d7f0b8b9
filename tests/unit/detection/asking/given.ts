import type { GoodAnswer, SeenAnswer, WayOut } from '../../../../src/core/detection/asking/answers.ts';
import type { AskedCandidate, EndpointCandidate } from '../../../../src/core/detection/asking/endpoint-candidate.ts';

export type Whole = Extract<SeenAnswer, { status: number }>;

/** An answer of JSON with status 200, but for what is said. */
export function answer(part: Partial<Whole> = {}): Whole {
  const usual = { status: 200, contentType: 'application/json; charset=utf-8', body: '{"ok": true}' };
  return { ...usual, location: '', challenge: '', cookies: '', ...part };
}

export function candidate(path: string, part: Partial<EndpointCandidate> = {}): EndpointCandidate {
  return { method: 'GET', path, elsewhere: null, headers: {}, body: null, from: 'openapi.yaml', ...part };
}

/** Asked for and answered well with JSON, but for what is said. */
export function asked(
  path: string,
  outcome: Partial<GoodAnswer> | WayOut = {},
  { usesDatabase = null, ...part }: Partial<EndpointCandidate> & { usesDatabase?: boolean | null } = {},
): AskedCandidate {
  const good: GoodAnswer = {
    status: 200,
    contentType: 'application/json',
    form: 'json',
    isEmpty: false,
    isAnywhere: false,
    body: `{"of": "${path}"}`,
  };
  return {
    candidate: candidate(path, part),
    outcome: typeof outcome === 'string' ? outcome : { ...good, ...outcome },
    usesDatabase,
  };
}
