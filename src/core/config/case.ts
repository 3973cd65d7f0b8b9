import type { GeneratorName, Route } from '../measurement/names.ts';
import type { Endpoint, K6Arrival, Service } from './resolved.ts';

/**
 * service x endpoint x route x generator x keep-alive x connections (or rate): what one row of a result table stands for.
 * `key` is unique in a plan, stable between runs of the same spec, and made of its parts:
 *
 *     go/db-ping/direct/wrk/keep-alive/100        go/ping/gateway/k6/close/100@60%
 */
export interface Case {
  key: string;
  service: Service;
  endpoint: Endpoint;
  route: Route;
  generator: GeneratorName;
  keepAlive: boolean;
  connections: number;
  load: CaseLoad;
}

/** What the generator is told, besides the case's own parts. */
export type CaseLoad =
  | { generator: 'wrk'; threads: number; durationSeconds: number; timeoutSeconds: number }
  | { generator: 'k6'; arrival: K6Arrival; durationSeconds: number; timeoutSeconds: number; script: string | null }
  | { generator: 'ab'; requests: number; timeoutSeconds: number };
