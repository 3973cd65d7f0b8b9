import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type ReplayOptions, replaying } from './replay.ts';
import type { SourceResult } from './source-result.ts';

/** Of a source, which draws and cannot be sent. */
export type Shown = Omit<SourceResult, 'source'>;

type Message = { said: string } | { index: number; shown: Shown };

/** What the sources at these places show, in that order, calculated on all CPUs: a worker for each takes one after the other. */
export async function resultsByWorkers(
  indices: readonly number[],
  options: ReplayOptions,
  say: (line: string) => void,
): Promise<Shown[]> {
  const left = [...indices];
  const shown = new Map<number, Shown>();
  const count = Math.min(availableParallelism(), indices.length);
  await Promise.all(Array.from({ length: count }, () => untilNoneIsLeft(left, shown, options, say)));
  return indices.map((index) => shown.get(index)!);
}

function untilNoneIsLeft(
  left: number[],
  shown: Map<number, Shown>,
  options: ReplayOptions,
  say: (line: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // Bundled into one file, which is the worker's as well.
    const worker = new Worker(new URL(import.meta.url), { workerData: { replay: options } });
    // From the end: of those that are left last, none takes much longer than the others.
    const next = () => worker.postMessage(left.pop() ?? null);
    worker.on('message', (message: Message) => {
      if ('said' in message) return say(message.said);
      shown.set(message.index, message.shown);
      next();
    });
    worker.on('error', (error) => {
      // The other workers end with what they are at.
      left.length = 0;
      reject(error);
    });
    worker.on('exit', (status) => (status === 0 ? resolve() : reject(new Error(`A worker ended with ${status}.`))));
    next();
  });
}

/** In a worker: calculates what it is asked for, until that is null. */
export function workIfWorker(): void {
  const options: ReplayOptions | undefined = workerData?.replay;
  if (isMainThread || parentPort === null || options === undefined) return;
  const port = parentPort;
  const resultAt = replaying(options, (said) => port.postMessage({ said } satisfies Message));
  port.on('message', (index: number | null) => {
    if (index === null) return port.close();
    const { source: _, ...shown } = resultAt(index);
    port.postMessage({ index, shown } satisfies Message);
  });
}
