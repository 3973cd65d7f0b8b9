import type { Endpoint, K6Arrival, Service } from '../spec/resolved.ts';

export type GeneratorName = 'wrk' | 'k6' | 'ab';
export type Route = 'direct' | 'gateway';
export type Variant = 'baseline' | 'candidate';

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

export interface Plan {
  /** Seed of every shuffle, so that an order can be had again. */
  seed: number;
  /** Services in the order that they are put on stage, each with its cases in the order that they are measured. */
  stages: PlannedStage[];
  estimate: PlanEstimate;
}

export interface PlannedStage {
  service: Service;
  cases: Case[];
}

export interface PlanEstimate {
  /** Warm-up and slices. */
  loadSeconds: number;
  /** Everything, stage and verification included. */
  wallSeconds: number;
}
