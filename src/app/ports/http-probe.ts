import type { AskedEndpoint } from '../../core/config/asked-endpoint.ts';
import type { Service } from '../../core/config/resolved.ts';
import type { Answer } from '../../core/verification/answer.ts';

/** Asks for an endpoint as a client would, without load; of one whose requests differ for each in turn, from the first on. */
export interface HttpProbe {
  ask(origin: string, service: Service, endpoint: AskedEndpoint, signal: AbortSignal): Promise<Answer>;
  /** `count` requests, one after the other on one connection; bytes are those of the wire, headers included, and `connections` those that it took. */
  askInTurn(
    origin: string,
    service: Service,
    endpoint: AskedEndpoint,
    count: number,
    signal: AbortSignal,
  ): Promise<{ answers: number; failures: number; bytes: number; constantSize: boolean; connections: number }>;
}
