import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type GitServer, gitServer } from '../../tests/support/git-server/server.ts';

/** As `GitServer`, in a thread of its own. */
export interface SeparateGitServer extends Pick<GitServer, 'url'> {
  /** Makes a bare repository `NAME.git`; resolves to its path. */
  create(name: string): Promise<string>;
  /** Bytes of the bodies that went out so far. */
  sentBytes(): Promise<number>;
  close(): Promise<void>;
}

type Question = { create: string } | 'sentBytes' | 'close';

const ROLE = 'git server';
// The bench is one bundle: the thread runs it again, and does this alone.
if (!isMainThread && workerData === ROLE) await serve();

async function serve(): Promise<void> {
  const server = await gitServer();
  const port = parentPort!;
  port.on('message', async (question: Question) => {
    if (question === 'sentBytes') port.postMessage(server.bytes.sent);
    else if (question === 'close') {
      await server.close();
      port.postMessage(null);
      port.close();
    } else port.postMessage(server.create(question.create));
  });
  port.postMessage(server.url);
}

/**
 * Git's server with an event loop of its own: in that of the publisher, as tests have it, it answers only while the
 * publisher computes nothing, so that what is computed while waiting for the server would delay its answer.
 */
export async function separateGitServer(): Promise<SeparateGitServer> {
  const worker = new Worker(new URL(import.meta.url), { workerData: ROLE });
  let last: Promise<unknown> = Promise.resolve();
  const answer = <T>(question: Question | null) => {
    const next = last.then(
      () =>
        new Promise<T>((resolve, reject) => {
          worker.once('error', reject);
          worker.once('message', (value: T) => {
            worker.off('error', reject);
            resolve(value);
          });
          if (question !== null) worker.postMessage(question);
        }),
    );
    last = next;
    return next;
  };
  return {
    url: await answer<string>(null),
    create: (name) => answer<string>({ create: name }),
    sentBytes: () => answer<number>('sentBytes'),
    close: () => answer<void>('close'),
  };
}
