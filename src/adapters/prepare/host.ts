import type { JobStep } from '../../core/config/prepare.ts';
import type { Service } from '../../core/config/resolved.ts';

/** Where steps of `prepare` run: a runtime's own ways to start things beside a database that is up. */
export interface PrepareHost {
  service: Service;
  /** Runs a job to its end, within its time. `number` is that of its step. Rejects where it cannot be started. */
  job(step: JobStep, number: number, signal: AbortSignal): Promise<JobEnd>;
  /** Rejects with `TestbedError` 'init-sql-failed'. */
  sql(files: string[], signal: AbortSignal): Promise<void>;
  /** Starts the service and waits until it is ready. Rejects with `TestbedError`, with nothing left of it. */
  start(signal: AbortSignal): Promise<StartedService>;
}

export interface JobEnd {
  /** The rest of a sentence about it: `exited with status 1`. Null where it did what it should. */
  failure: string | null;
  /** What it printed last, oldest first. */
  logLines: string[];
}

export interface StartedService {
  /** `http://172.18.0.3:8080` */
  origin: string;
  /** The last lines that it printed, oldest first. */
  logLines(): Promise<string[]>;
  /** Asks it to end, and ends it where it does not; never rejects. */
  stop(): Promise<void>;
}
