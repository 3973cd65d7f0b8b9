import type { Protocol } from '../generators/definition.ts';
import type { ReadyRequest } from '../verification/ready-request.ts';

/** How asking a part for an answer ended. Only `ready` is good. */
export type Readiness =
  | { kind: 'ready' }
  /** Nobody has ever taken a connection. */
  | { kind: 'refused' }
  /** Connections were taken, and this is what came of the last one. */
  | { kind: 'answered'; status: number }
  | { kind: 'failed'; message: string }
  /** The process has ended meanwhile. */
  | { kind: 'ended' };

/** What shows that a part is up, and what is said of one that does not get there. */
export type PartReadiness =
  | {
      kind: 'answer';
      /** Null where an open port is enough. */
      asked: ReadyRequest | null;
      protocol: Protocol;
      /** It speaks as Redis does, which may still be reading its data when its port is open. */
      isRedis?: true;
      timeoutSeconds: number;
      /** `origin`: what was asked; `refused`: what is known of a port that nothing listens on, as the end of a sentence. */
      failure(outcome: NotReady, origin: string, refused: (whose: string) => string): NotReadyFailure;
    }
  | {
      kind: 'query';
      user: string;
      password: string;
      database: string;
      timeoutSeconds: number;
      failure(at: string, why: string): NotReadyFailure;
    }
  | {
      kind: 'command';
      /** `port`: where the part listens; null for one that does not. */
      commandAt(port: number | null): readonly string[];
      timeoutSeconds: number;
      /** `said`: the line that it printed last. */
      failure(said: string): NotReadyFailure;
    }
  /** It is up when it runs. */
  | { kind: 'running' };

type NotReady = Exclude<Readiness, { kind: 'ready' }>;

export interface NotReadyFailure {
  code: 'not-ready' | 'nothing-listens' | 'exited' | 'pooler-failed' | 'gateway-failed' | 'dependency-failed';
  message: string;
}

/** The same, given up sooner or later. */
export function withinSeconds(ready: PartReadiness, timeoutSeconds: number): PartReadiness {
  return ready.kind === 'running' ? ready : { ...ready, timeoutSeconds };
}
