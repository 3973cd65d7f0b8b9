import type { Endpoint, Service } from '../../core/config/resolved.ts';
import type { Answer } from '../../core/verification/answer.ts';

/** Asks for an endpoint as a client would, without load. */
export interface HttpProbe {
  ask(origin: string, service: Service, endpoint: Endpoint, signal: AbortSignal): Promise<Answer>;
  /** `count` requests, one after the other on one connection; bytes are those of the wire, headers included. */
  askInTurn(
    origin: string,
    service: Service,
    endpoint: Endpoint,
    count: number,
    signal: AbortSignal,
  ): Promise<{ answers: number; failures: number; bytes: number; constantSize: boolean }>;
}
