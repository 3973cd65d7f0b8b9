import type { HttpProbe } from '../../app/ports/http-probe.ts';
import type { Endpoint, Service } from '../../core/config/resolved.ts';
import type { Answer } from '../../core/verification/answer.ts';
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
    endpoint: Endpoint,
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
        return (await connection.exchange(requestOf(origin, service, endpoint), all, signal)).answer;
      } finally {
        connection.close();
      }
    },

    async askInTurn(origin, service, endpoint, count, signal) {
      const request = requestOf(origin, service, endpoint);
      const connection = connectionTo(service);
      const sizes: number[] = [];
      let connections = 0;
      try {
        for (let asked = 0; asked < count; asked += 1) {
          let { answer, opened, unread } = await connection.exchange(request, all, signal);
          connections += opened;
          // The server closed a connection at rest: nobody's fault, and the request never reached it.
          if (unread) {
            ({ answer, opened } = await connection.exchange(request, all, signal));
            connections += opened;
          }
          if (isExpected(answer, endpoint)) sizes.push(answer.wireBytes);
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

/** In the protocol that the service speaks; opened with the first request. */
export function connectionTo({ protocol }: Pick<Service, 'protocol'>): Connection {
  switch (protocol) {
    case 'h1':
      return openHttp1Connection();
    case 'h2':
      return openHttp2Connection();
  }
}

function requestOf(origin: string, service: Service, { method, path, headers, body }: Endpoint): ProbeRequest {
  return { origin, method, path: `${service.basePath}${path}`, headers, body };
}

function isExpected(answer: Answer, { expect }: Endpoint): answer is Extract<Answer, { kind: 'answered' }> {
  return answer.kind === 'answered' && answer.status === expect.status;
}
