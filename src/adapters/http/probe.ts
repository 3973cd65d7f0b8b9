import type { HttpProbe } from '../../app/ports/http-probe.ts';
import type { AskedEndpoint } from '../../core/config/asked-endpoint.ts';
import type { Service } from '../../core/config/resolved.ts';
import { requestAt } from '../../core/requests/request-set.ts';
import { isHttp2, isOverTls } from '../../core/values/protocol.ts';
import type { Answer } from '../../core/verification/answer.ts';
import { runTrust } from '../tls/run-certificate.ts';
import type { Connection, ProbeLimits, ProbeRequest } from './connection.ts';
import { openHttp1Connection } from './http1-connection.ts';
import { openHttp2Connection } from './http2-connection.ts';

const LIMITS: ProbeLimits = { timeoutSeconds: 5, answerBytes: 64 * 1024 ** 2 };

/** What `askInTurn` found. `answers` and `failures` add up to the requests. */
interface AnswersInTurn {
  /** Whole answers with the status that the endpoint expects. */
  answers: number;
  failures: number;
  /** Of `answers`, on the wire. */
  bytes: number;
  /** All of `answers` were of one length on the wire. */
  constantSize: boolean;
  /** More than 1 where the server closed and a new one had to be opened. */
  connections: number;
}

export interface Probe extends HttpProbe {
  askInTurn(
    origin: string,
    service: Service,
    endpoint: AskedEndpoint,
    count: number,
    signal: AbortSignal,
  ): Promise<AnswersInTurn>;
}

/**
 * Asks over a connection of its own, as wrk writes a request, or h2load where the service speaks HTTP/2: no redirect is followed, no encoding asked for, no proxy
 * of the environment used. Rejects only with the signal's reason when aborted; all else is an answer that `failed`.
 */
export function createHttpProbe(limits: Partial<ProbeLimits> = {}): Probe {
  const all = { ...LIMITS, ...limits };
  return {
    async ask(origin, service, endpoint, signal) {
      const connection = connectionTo(service);
      try {
        return (await connection.exchange(requestOf(origin, service, placeOf(endpoint, 0)), all, signal)).answer;
      } finally {
        connection.close();
      }
    },

    async askInTurn(origin, service, endpoint, count, signal) {
      const connection = connectionTo(service);
      const sizes: number[] = [];
      let connections = 0;
      try {
        for (let asked = 0; asked < count; asked += 1) {
          const each = placeOf(endpoint, asked);
          const request = requestOf(origin, service, each);
          let { answer, opened, unread } = await connection.exchange(request, all, signal);
          connections += opened;
          // The server closed a connection at rest: nobody's fault, and the request never reached it.
          if (unread) {
            ({ answer, opened } = await connection.exchange(request, all, signal));
            connections += opened;
          }
          if (isExpected(answer, each)) sizes.push(answer.wireBytes);
        }
      } finally {
        connection.close();
      }
      return {
        answers: sizes.length,
        failures: count - sizes.length,
        bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
        constantSize: new Set(sizes).size <= 1,
        connections,
      };
    },
  };
}

/** In the protocol that the service speaks; opened with the first request. Over TLS it takes the certificate of the run alone. */
export function connectionTo({ protocol }: Pick<Service, 'protocol'>): Connection {
  const trust = isOverTls(protocol) ? runTrust() : null;
  return isHttp2(protocol) ? openHttp2Connection(trust) : openHttp1Connection(trust);
}

/** Of requests that differ the one whose turn it is. */
function placeOf(endpoint: AskedEndpoint, place: number): AskedEndpoint {
  return endpoint.requestSet === undefined ? endpoint : requestAt(endpoint.requestSet, place);
}

function requestOf(origin: string, { basePath }: Service, asked: AskedEndpoint): ProbeRequest {
  const { method, path, headers, body, bodyBytes } = asked;
  return { origin, method, path: `${basePath}${path}`, headers, body: bodyBytes ?? body };
}

function isExpected(answer: Answer, { expect }: AskedEndpoint): answer is Extract<Answer, { kind: 'answered' }> {
  return answer.kind === 'answered' && answer.status === expect.status;
}
