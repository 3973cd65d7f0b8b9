import type { CaseLoad, GeneratorName } from '../generators/registry.ts';
import type { Route } from '../measurement/names.ts';
import type { AskedEndpoint } from './asked-endpoint.ts';
import type { Service } from './resolved.ts';

/**
 * service x endpoint x route x generator x keep-alive x connections (or rate): what one row of a result table stands for.
 * `key` is unique in a plan, stable between runs of the same spec, and made of its parts:
 *
 *     go/db-ping/direct/wrk/keep-alive/100        go/ping/gateway/k6/keep-alive-off/100@60%
 */
export interface Case {
  key: string;
  service: Service;
  endpoint: AskedEndpoint;
  route: Route;
  generator: GeneratorName;
  keepAlive: boolean;
  connections: number;
  load: CaseLoad;
}

/** Whether each request takes a connection of its own: the generator closes it, or the service does. */
export function closesEach({ keepAlive, service }: Pick<Case, 'keepAlive' | 'service'>): boolean {
  return !keepAlive || service.keepAlive === 'closes';
}
