import type { AskedEndpoint } from '../../core/config/asked-endpoint.ts';
import type { Expectation } from '../../core/config/resolved.ts';
import { judgedAnswer, judgedAnswers, type SeenAnswer } from '../../core/detection/asking/answers.ts';
import type { AskedCandidate, EndpointCandidate } from '../../core/detection/asking/endpoint-candidate.ts';
import type { MeasuringAdapters } from '../measuring/adapters.ts';
import type { Testbed } from '../ports/testbed.ts';

/** Its form alone is needed by who asks. */
const ANY: Expectation = { status: 200, contentType: null, body: null, sizeBytes: null, matches: null };

/** A longer body is looked at, and not kept for a list of its ids. */
const MOST_KEPT_CHARACTERS = 500_000;

type Asked = Pick<EndpointCandidate, 'method' | 'path' | 'headers' | 'body'>;

export interface Requests {
  /** One answer. Rejects only with the reason of the signal, or of the end of the time for asking. */
  seen(asked: Asked): Promise<SeenAnswer>;
  /** Asks twice, unless the first answer says enough, or where the time is over. */
  askedTwice(candidate: EndpointCandidate, nowhere: SeenAnswer | null): Promise<AskedCandidate>;
}

/** What a service is asked until the time is over; `header` goes with each request. */
export function requestsTo(
  testbed: Testbed,
  probe: Pick<MeasuringAdapters['probe'], 'ask'>,
  { signal, time }: { signal: AbortSignal; time: AbortSignal },
  header: { name: string; value: string } | null = null,
): Requests {
  const until = AbortSignal.any([signal, time]);
  const seen = async ({ method, path, headers, body }: Asked): Promise<SeenAnswer> => {
    const all = header === null ? headers : { ...headers, [header.name]: header.value };
    const endpoint: AskedEndpoint = { name: 'asked', method, path, headers: all, body, expect: ANY };
    const answer = await probe.ask(testbed.origins.direct!, testbed.service, endpoint, until);
    if (answer.kind === 'failed') return { failure: answer.message };
    const text = (name: string) => answer.headers[name] ?? '';
    return {
      status: answer.status,
      contentType: text('content-type'),
      body: new TextDecoder().decode(answer.body),
      location: text('location'),
      challenge: text('www-authenticate'),
      cookies: text('set-cookie'),
    };
  };
  return {
    seen,
    async askedTwice(candidate, ofNobody) {
      // The first page of an application is itself, whatever else is answered with it.
      const nowhere = candidate.path === '/' ? null : ofNobody;
      const untold = { candidate, outcome: 'late', usesDatabase: null } as const;
      if (time.aborted) return untold;
      try {
        let own = candidate;
        let first = await seen(own);
        // The first answer of a service may take longer than any after it.
        if (hasNotBegun(first)) first = await seen(own);
        if (own.elsewhere !== null && judgedAnswer(first) === 'missing') {
          own = { ...own, path: own.elsewhere, elsewhere: null };
          first = await seen(own);
        }
        const before = judgedAnswer(first, nowhere, own.path);
        if (typeof before === 'string') return { candidate: own, outcome: before, usesDatabase: null };
        const counted = await withStatements(testbed, () => seen(own));
        const outcome = judgedAnswers(first, counted.result, nowhere, own.path);
        const isLong = typeof outcome !== 'string' && outcome.body.length > MOST_KEPT_CHARACTERS;
        return {
          candidate: own,
          outcome: isLong ? { ...outcome, body: '' } : outcome,
          usesDatabase: counted.usesDatabase,
        };
      } catch (error) {
        if (signal.aborted || !time.aborted) throw error;
        return untold;
      }
    },
  };
}

function hasNotBegun(answer: SeenAnswer): boolean {
  return 'failure' in answer && answer.failure.startsWith('nothing came within');
}

/** With whether the database was asked meanwhile; null where it does not say. */
async function withStatements<T>(
  { database }: Testbed,
  action: () => Promise<T>,
): Promise<{ result: T; usesDatabase: boolean | null }> {
  const isCounting =
    database !== null &&
    (await database
      .resetStatements()
      .then(() => database.markStatements())
      .then(
        () => true,
        () => false,
      ));
  const result = await action();
  if (!isCounting) return { result, usesDatabase: null };
  const statements = await database.statements().catch(() => null);
  return { result, usesDatabase: statements === null ? null : statements.some(({ calls }) => calls > 0) };
}
