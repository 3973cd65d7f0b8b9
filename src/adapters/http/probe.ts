import { Agent } from 'node:http';
import type { HttpProbe } from '../../app/ports/http-probe.ts';
import type { Endpoint, Service } from '../../core/config/resolved.ts';
import type { Answer } from '../../core/verification/answer.ts';
import { exchange, type ProbeLimits, type ProbeRequest } from './exchange.ts';

const LIMITS: ProbeLimits = { timeoutSeconds: 5, answerBytes: 64 * 1024 ** 2 };

/** What `askInTurn` found. `answers` and `failures` add up to the requests. */
export interface AnswersInTurn {
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
 * Asks over a connection of its own, as wrk writes a request: no redirect is followed, no encoding asked for, no proxy
 * of the environment used. Rejects only with the signal's reason when aborted; all else is an answer that `failed`.
 */
export function createHttpProbe(limits: Partial<ProbeLimits> = {}): Probe {
  const all = { ...LIMITS, ...limits };
  return {
    async ask(origin, service, endpoint, signal) {
      const connection = openConnection();
      try {
        return (await exchange(requestOf(origin, service, endpoint), connection, all, signal)).answer;
      } finally {
        connection.destroy();
      }
    },

    async askInTurn(origin, service, endpoint, count, signal) {
      const request = requestOf(origin, service, endpoint);
      const connection = openConnection();
      const sizes: number[] = [];
      let connections = 0;
      try {
        for (let asked = 0; asked < count; asked += 1) {
          let { answer, opened, unread } = await exchange(request, connection, all, signal);
          connections += opened;
          // The server closed a connection at rest: nobody's fault, and the request never reached it.
          if (unread) {
            ({ answer, opened } = await exchange(request, connection, all, signal));
            connections += opened;
          }
          if (isExpected(answer, endpoint)) sizes.push(answer.wireBytes);
        }
      } finally {
        connection.destroy();
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

/** One socket at a time, kept from request to request for as long as the server keeps it. */
function openConnection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1, maxFreeSockets: 1 });
}

function requestOf(origin: string, service: Service, { method, path, headers, body }: Endpoint): ProbeRequest {
  return { origin, method, path: `${service.basePath}${path}`, headers, body };
}

function isExpected(answer: Answer, { expect }: Endpoint): answer is Extract<Answer, { kind: 'answered' }> {
  return answer.kind === 'answered' && answer.status === expect.status;
}
