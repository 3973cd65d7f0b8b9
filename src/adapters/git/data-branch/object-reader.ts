import { spawn } from 'node:child_process';
import { type GitCall, invocation, saidInTheEnd } from '../git.ts';

export interface GitObject {
  hash: string;
  /** `blob`, `tree` or `commit`. */
  kind: string;
  /** Null where it is longer than it may be. */
  content: Buffer | null;
}

/** One git that answers as long as it is asked: starting one for each object takes longer than all of its answers. */
export interface ObjectReader {
  /**
   * By its hash, or as `TIP:folder`; null where there is none. Rejects with the signal's reason, and with `Error` where git gives up,
   * with what it said.
   */
  read(name: string, mostBytes: number, signal: AbortSignal): Promise<GitObject | null>;
  /** Never rejects; what is asked still does. */
  close(): Promise<void>;
}

interface Question {
  mostBytes: number;
  resolve(object: GitObject | null): void;
  reject(error: Error): void;
}

const LINE_FEED = 0x0a;
const MOST_SAID_CHARACTERS = 4_000;

/**
 * Sees what other calls of git add to the repository meanwhile. It ends when its input does, and so with this process.
 * https://git-scm.com/docs/git-cat-file#_batch_output
 */
export async function openObjectReader(
  directory: string,
  call: Required<Pick<GitCall, 'env' | 'timeoutSeconds'>>,
): Promise<ObjectReader> {
  const { args, env } = await invocation(directory, ['cat-file', '--batch'], call);
  const child = spawn('git', args, { env, stdio: 'pipe' });
  const waiting: Question[] = [];
  let said = '';
  let ended: Error | null = null;

  const end = (reason: string) => {
    ended ??= new Error(reason);
    for (const { reject } of waiting.splice(0)) reject(ended);
    child.kill();
  };
  const closed = new Promise<void>((resolve) => {
    child.on('error', ({ message }) => {
      end(message);
      resolve();
    });
    child.on('close', () => {
      end(saidInTheEnd(said));
      resolve();
    });
  });
  child.stdin.on('error', () => undefined);
  child.stderr.on('data', (text: Buffer) => {
    said = `${said}${text.toString('utf8')}`.slice(-MOST_SAID_CHARACTERS);
  });

  const answers = answersOf((object) => waiting.shift()?.resolve(object));
  child.stdout.on('data', (bytes: Buffer) => answers.take(bytes, () => waiting[0]?.mostBytes ?? 0));

  return {
    read: (name, mostBytes, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted || ended !== null) {
          reject(signal.aborted ? signal.reason : ended);
          return;
        }
        // Its answer still comes, and is for nobody.
        const interrupted = () => reject(signal.reason);
        const late = () => end(`git did not answer within ${call.timeoutSeconds} s`);
        const timer = setTimeout(late, call.timeoutSeconds * 1000);
        signal.addEventListener('abort', interrupted, { once: true });
        const settled =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer);
            signal.removeEventListener('abort', interrupted);
            settle(value);
          };
        waiting.push({ mostBytes, resolve: settled(resolve), reject: settled(reject) });
        child.stdin.write(`${name}\n`);
      }),
    async close() {
      child.stdin.end();
      child.kill();
      await closed;
    },
  };
}

/**
 * `SHA blob BYTES`, a line feed, the content and another line feed, or `NAME missing` and a line feed, of each question. What is longer
 * than it may be is thrown away as it comes.
 */
function answersOf(onObject: (object: GitObject | null) => void) {
  let head: Buffer = Buffer.alloc(0);
  let body: (Pick<GitObject, 'hash' | 'kind'> & { parts: Buffer[] | null; leftBytes: number }) | null = null;
  return {
    take(bytes: Buffer, mostBytes: () => number): void {
      let rest = bytes;
      while (rest.length > 0) {
        if (body === null) {
          const at = rest.indexOf(LINE_FEED);
          head = Buffer.concat([head, at < 0 ? rest : rest.subarray(0, at)]);
          if (at < 0) return;
          rest = rest.subarray(at + 1);
          const [, hash, kind, length] = /^([0-9a-f]{40,64}) ([a-z]+) ([0-9]+)$/.exec(head.toString('utf8')) ?? [];
          head = Buffer.alloc(0);
          if (hash === undefined) {
            onObject(null);
            continue;
          }
          const parts = Number(length) > mostBytes() ? null : [];
          // The line feed that ends it is no part of it.
          body = { hash, kind: kind!, parts, leftBytes: Number(length) + 1 };
          continue;
        }
        const part = rest.subarray(0, body.leftBytes);
        rest = rest.subarray(part.length);
        body.parts?.push(part);
        body.leftBytes -= part.length;
        if (body.leftBytes > 0) return;
        const { hash, kind, parts } = body;
        body = null;
        onObject({ hash, kind, content: parts === null ? null : Buffer.concat(parts).subarray(0, -1) });
      }
    },
  };
}

/** Names of the files in a folder, with their blobs: mode, space, name, NUL and the hash in bytes, of each. */
export function filesOfTree({ hash, kind, content: tree }: GitObject): { name: string; blob: string }[] {
  if (kind !== 'tree' || tree === null) return [];
  const hashBytes = hash.length / 2;
  const files: { name: string; blob: string }[] = [];
  for (let at = 0; at < tree.length; ) {
    const end = tree.indexOf(0, at);
    const [mode, name] = /^([0-7]+) (.+)$/s.exec(tree.toString('utf8', at, end))?.slice(1) ?? [];
    if (end < 0 || mode === undefined) break;
    at = end + 1 + hashBytes;
    if (mode.startsWith(FILE_MODE)) files.push({ name: name!, blob: tree.toString('hex', end + 1, at) });
  }
  return files;
}

/** Of files that can be run as well, and not of links: those are 120000. */
const FILE_MODE = '100';
