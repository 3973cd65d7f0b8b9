import { spawn } from 'node:child_process';
import path from 'node:path';

/** In words, for whoever reads a recording. */
export const DISTURBANCE =
  "a process pinned to the server's first CPU: quiet stretches and bursts in turn, each 0.2 to 5 s; in a burst it takes 10 ms of CPU time in every 20 ms";

export interface Disturbance {
  /** What it took of the core; null where it did not say. */
  stop(): Promise<{ wallSeconds: number; burstSeconds: number; cpuSeconds: number; bursts: number } | null>;
}

/** Starts `disturb.mjs` on a CPU. It ends with this process, however that ends. */
export function disturb(seed: number, cpu: string): Disturbance {
  const script = path.resolve('research/noise/disturb.mjs');
  const child = spawn('taskset', ['-c', cpu, process.execPath, script, String(seed)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`taskset could not be started: ${error.message}`)));
    child.once('close', () => resolve());
  });
  ended.catch(() => {});
  return {
    async stop() {
      child.stdin.end();
      await ended;
      return said === '' ? null : JSON.parse(said);
    },
  };
}
