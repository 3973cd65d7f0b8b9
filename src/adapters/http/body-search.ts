import { Worker } from 'node:worker_threads';
import type { BodySearch } from '../../app/ports/body-search.ts';
import type { SearchResult } from '../../core/verification/expectation.ts';

/** An ordinary expression takes milliseconds on the longest body that is looked at. */
const LIMIT_SECONDS = 1;

/** As text, since a bundle has no second file. It says when it begins: neither its start nor the copying counts. */
const WORKER = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ expression, body }) => {
  parentPort.postMessage({ kind: 'begun' });
  try {
    parentPort.postMessage({ kind: new RegExp(expression).test(body) ? 'found' : 'absent' });
  } catch (error) {
    parentPort.postMessage({ kind: 'failed', message: error.message });
  }
});
`;

/**
 * In a thread of its own, which the end of the time or an abort ends in the middle of an expression. It is started for the
 * first search, kept for the next ones, and no reason for this process to go on running.
 */
export function createBodySearch({ limitSeconds = LIMIT_SECONDS } = {}): BodySearch {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const searched = async (expression: string, body: string, signal: AbortSignal): Promise<SearchResult> => {
    signal.throwIfAborted();
    worker ??= new Worker(WORKER, { eval: true, env: {}, execArgv: [] });
    const own = worker;
    let ended = false;
    try {
      const result = await oneSearch(own, { expression, body }, limitSeconds, signal);
      ended = result.kind === 'found' || result.kind === 'absent';
      return result;
    } finally {
      // It may be in the middle of the expression, or no more.
      if (!ended) {
        worker = null;
        await own.terminate();
      }
    }
  };
  return {
    search(expression, body, signal) {
      const result = last.then(() => searched(expression, body, signal));
      last = result.catch(() => undefined);
      return result;
    },
  };
}

/** Rejects with the signal's reason alone. */
function oneSearch(
  worker: Worker,
  request: { expression: string; body: string },
  limitSeconds: number,
  signal: AbortSignal,
): Promise<SearchResult> {
  return new Promise<SearchResult>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const settle = (end: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      worker.off('message', onMessage).off('error', onError).unref();
      end();
    };
    const onAbort = () => settle(() => reject(signal.reason));
    const onError = ({ message }: Error) => settle(() => resolve({ kind: 'failed', message }));
    const onTime = () => settle(() => resolve({ kind: 'stopped', seconds: limitSeconds }));
    const onMessage = (said: SearchResult | { kind: 'begun' }) => {
      if (said.kind === 'begun') timer = setTimeout(onTime, limitSeconds * 1000);
      else settle(() => resolve(said));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    worker.on('message', onMessage).on('error', onError);
    worker.ref();
    worker.postMessage(request);
  });
}
