import { appendFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { type BranchText, DataBranchFailure, type ReadAhead } from '../../../app/ports/data-branch.ts';
import { ended } from '../../../core/format/sentence.ts';
import type { BranchChange, BranchEntry } from '../../../core/publication/change.ts';
import { DATA_FOLDER } from '../../../core/publication/place.ts';
import { makeTemporaryFolder } from '../../process/temporary-folder.ts';
import { type GitCall, type GitResult, git } from '../git.ts';
import { commitStream } from './commit-stream.ts';
import { acrossCuts, isCut, PAUSES_MS, triesText } from './network.ts';
import { filesOfTree, type ObjectReader, openObjectReader } from './object-reader.ts';
import type { DataBranchOptions } from './options.ts';
import { hint, isLostRace, isThereAlready, plain, reasonOf } from './refusals.ts';

/** A bare repository that knows the tip of one branch: its trees, and none of its files but those that are asked for. */
export interface BranchRepository {
  /**
   * The newest tip; null where there is no such branch. What `texts` will be asked for is fetched meanwhile and afterwards; a failure of
   * that is left to `texts`.
   */
  fetch(signal: AbortSignal, ahead?: ReadAhead): Promise<string | null>;
  entries(tip: string | null): Promise<BranchEntry[]>;
  /** Of the tip that was fetched last. */
  known(): Promise<BranchEntry[]>;
  texts(
    entries: readonly BranchEntry[],
    paths: readonly string[],
    mostBytes: number,
    signal: AbortSignal,
  ): AsyncIterable<BranchText>;
  commit(change: BranchChange, tip: string | null, signal: AbortSignal): Promise<string>;
  /** `refused`: the branch is no longer at `tip`. `cut`: the network failed, and the commit may be there all the same. */
  push(sha: string, tip: string | null, signal: AbortSignal): Promise<PushResult>;
  /** Whether a commit is the tip that was fetched last, or among those before it that the server still has. */
  holds(sha: string, signal: AbortSignal): Promise<boolean>;
  remove(): Promise<void>;
}

type PushResult = { end: 'pushed' | 'refused' } | { end: 'cut'; failure: DataBranchFailure };

const TIP = 'refs/wrkbench/tip';
const NEXT = 'refs/wrkbench/next';
/** What stands before a file's name in a listing, behind its mode of six digits. */
const BLOB = ' blob ';
const MODE_LENGTH = 6;
/** Of what goes over the network. */
const NETWORK_SECONDS = 120;
/** Of one object that is here: tens of megabytes at most. */
const READ_SECONDS = 120;
/** The reader has no token to fetch with: it tells what is not here, and dies of nothing. */
const NO_LAZY_FETCH = { GIT_NO_LAZY_FETCH: '1' };
/** Of a listing: some 400,000 runs. */
const MOST_LISTED_BYTES = 64 * 1024 * 1024;

/** Published by others between a push and a look at what became of it. */
const MOST_COMMITS_MEANWHILE = 100;
/** Of what is read ahead, each. */
const MOST_BYTES_AHEAD = 1024 * 1024;

/** What `git clone --filter` writes, without the clone. */
const PARTIAL_CLONE = `
[core]
	repositoryFormatVersion = 1
	# It is gone afterwards: nothing in it must outlive a loss of power.
	# https://git-scm.com/docs/git-config#Documentation/git-config.txt-corefsync
	fsync = none
[extensions]
	partialClone = origin
[remote "origin"]
	promisor = true
	partialCloneFilter = blob:none
`;

/** Rejects with `DataBranchFailure` where git is missing or the folder cannot be made. */
export async function openBranchRepository(
  options: DataBranchOptions,
  place: string,
  signal: AbortSignal,
): Promise<BranchRepository> {
  const directory = await makeTemporaryFolder('branch');
  const call = async (args: string[], more: GitCall = {}): Promise<GitResult> =>
    await git(directory, args, { signal, ...more });
  // These alone are given the token, and end: what lives on has its environment in `/proc`, for every process of this user to read.
  const overNetwork = (args: string[], aborted: AbortSignal, more: GitCall = {}): Promise<GitResult> =>
    call(args, { ...more, timeoutSeconds: NETWORK_SECONDS, signal: aborted, env: tokenEnvironment(options) });
  const { pausesMs = PAUSES_MS } = options;
  const fetching = (args: string[], aborted: AbortSignal, more: GitCall = {}) =>
    acrossCuts(() => overNetwork(['fetch', '--quiet', '--no-tags', ...args], aborted, more), pausesMs, aborted);
  const done = async (what: string, args: string[], more?: GitCall): Promise<string> => {
    const { failure, stdout, said } = await call(args, more);
    if (failure !== null) throw new DataBranchFailure(ended(`${place} ${what}: ${said}`));
    return stdout.trim();
  };
  let reader: ObjectReader;
  try {
    await done('cannot be worked on', ['init', '--quiet', '--bare', '--template=', '.']);
    await appendFile(path.join(directory, 'config'), PARTIAL_CLONE);
    await done('cannot be worked on', ['config', 'remote.origin.url', options.remote]);
    reader = await openObjectReader(directory, { env: NO_LAZY_FETCH, timeoutSeconds: READ_SECONDS });
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
  /** `notFetched`: what git said where it could not be fetched. */
  const objectOf = async (
    name: string,
    mostBytes: number,
    aborted: AbortSignal,
    what: string,
    notFetched: string | null = null,
  ) => {
    const object = await reader.read(name, mostBytes, aborted).catch((error: Error) => error);
    aborted.throwIfAborted();
    if (object !== null && !(object instanceof Error)) return object;
    if (notFetched !== null) {
      throw new DataBranchFailure(`${what}: ${notFetched}.${hint(notFetched, options)}`);
    }
    throw new DataBranchFailure(`${what}: ${object?.message ?? `git has no ${name}`}.`);
  };

  const entriesAt = async (tip: string): Promise<BranchEntry[]> => {
    const asked = ['ls-tree', '-r', '-z', '--full-tree', tip, '--', `${DATA_FOLDER}/`];
    const listed = await done('cannot be read', asked, { maxOutputBytes: MOST_LISTED_BYTES });
    const entries: BranchEntry[] = [];
    // `100644 blob SHA<tab>PATH`; a branch of 10,000 runs has as many, so they are not searched by a pattern.
    for (const line of listed.split('\0')) {
      const tab = line.indexOf('\t');
      if (line.startsWith(BLOB, MODE_LENGTH))
        entries.push({ path: line.slice(tab + 1), blob: line.slice(MODE_LENGTH + BLOB.length, tab) });
    }
    return entries;
  };

  const fetched = new Set<string>();
  /** Those that were not before, all at once. Gives what git said where it failed: a server that knows no filter has sent them before. */
  const fetchBlobs = async (blobs: readonly string[], aborted: AbortSignal): Promise<string | null> => {
    const wanted = [...new Set(blobs)].filter((blob) => !fetched.has(blob));
    if (wanted.length === 0) return null;
    const into = ['--no-write-fetch-head', '--filter=blob:none', '--stdin'];
    const { failure, said, tries } = await fetching([...into, 'origin'], aborted, {
      input: `${wanted.join('\n')}\n`,
      config: ['fetch.negotiationAlgorithm=noop'],
    });
    if (failure !== null) return `${plain(said)}${triesText(tries)}`;
    for (const blob of wanted) fetched.add(blob);
    return null;
  };

  /** Of the tip that was just fetched: blob → content. */
  const readAhead = async ({ folders, pathsOf }: ReadAhead, aborted: AbortSignal): Promise<Map<string, Buffer>> => {
    const found = await Promise.all(
      folders.map(async (folder) => {
        const tree = await reader.read(`${TIP}:${folder.replace(/\/$/, '')}`, MOST_LISTED_BYTES, aborted);
        return tree === null ? [] : filesOfTree(tree).map(({ name, blob }) => [`${folder}${name}`, blob] as const);
      }),
    );
    const blobs = new Map(found.flat());
    const wanted = pathsOf([...blobs.keys()]).flatMap((path) => blobs.get(path) ?? []);
    const contents = new Map<string, Buffer>();
    if ((await fetchBlobs(wanted, aborted)) !== null) return contents;
    for (const blob of wanted) {
      const content = (await reader.read(blob, MOST_BYTES_AHEAD, aborted))?.content;
      if (content != null) contents.set(blob, content);
    }
    return contents;
  };

  /** Blob → content. A blob's content is the same at every tip. */
  let readBefore: Promise<ReadonlyMap<string, Buffer>> = Promise.resolve(new Map());

  return {
    async fetch(aborted, ahead) {
      const branch = `+refs/heads/${options.branch}:${TIP}`;
      const args = ['--depth=1', '--filter=blob:none', 'origin', branch];
      const { failure, said, tries } = await fetching(args, aborted);
      if (failure === null) {
        const tip = objectOf(TIP, 0, aborted, `${place} cannot be read`);
        if (ahead !== undefined) readBefore = readAhead(ahead, aborted).catch(() => new Map());
        return (await tip).hash;
      }
      if (/couldn't find remote ref/i.test(said)) return null;
      throw new DataBranchFailure(`${place} cannot be read: ${plain(said)}${triesText(tries)}.${hint(said, options)}`);
    },

    entries: async (tip) => (tip === null ? [] : entriesAt(tip)),

    known: () => entriesAt(TIP),

    async *texts(entries, paths, mostBytes, aborted) {
      const asked = new Set(paths);
      const blobs = new Map(entries.flatMap(({ path, blob }) => (asked.has(path) ? [[path, blob] as const] : [])));
      const wanted = paths.flatMap((path) => {
        const blob = blobs.get(path);
        return blob === undefined ? [] : [{ path, blob }];
      });
      if (wanted.length === 0) return;
      const before = await readBefore;
      const missing = wanted.map(({ blob }) => blob).filter((blob) => !before.has(blob));
      const notFetched = await fetchBlobs(missing, aborted);
      for (const { path, blob } of wanted) {
        const what = `${path} on ${place} cannot be read`;
        const content = before.get(blob) ?? (await objectOf(blob, mostBytes, aborted, what, notFetched)).content;
        // Without its last line feed.
        const text =
          content === null || content.length > mostBytes ? null : content.toString('utf8').replace(/\r?\n$/, '');
        yield { path, text };
      }
    },

    async commit(change, tip, aborted) {
      const what = 'cannot be added to';
      const author = await committer(directory, options);
      const isTaken = tip !== null && change.squash;
      const tree = isTaken ? await done(what, ['rev-parse', '--verify', `${tip}^{tree}`]) : null;
      const start = tree === null ? tip : { tree };
      const stream = commitStream(change, { start, author, atSeconds: Math.floor(Date.now() / 1000), ref: NEXT });
      // One pack, as it is written, is also what is pushed: objects that lie each in a file of their own are compressed twice more.
      const config = ['fastimport.unpackLimit=1'];
      await done(what, ['fast-import', '--quiet', '--force'], { signal: aborted, input: stream, config });
      return (await objectOf(NEXT, 0, aborted, `${place} ${what}`)).hash;
    },

    async push(sha, tip, aborted) {
      // Exactly what was read must still be there; an empty value means that there must be no such branch.
      const lease = `--force-with-lease=refs/heads/${options.branch}:${tip ?? ''}`;
      const args = ['push', '--porcelain', lease, 'origin', `${sha}:refs/heads/${options.branch}`];
      const result = await overNetwork(args, aborted);
      const { failure, stdout, said } = result;
      if (failure === null) return { end: isThereAlready(stdout) ? 'refused' : 'pushed' };
      if (isLostRace(`${stdout}\n${said}`)) return { end: 'refused' };
      const why = reasonOf(stdout) ?? plain(said);
      const refusal = new DataBranchFailure(`${place} cannot be written: ${why}.${hint(said, options)}`);
      if (isCut(result)) return { end: 'cut', failure: refusal };
      throw refusal;
    },

    async holds(sha, aborted) {
      const isOwn = async () => {
        const listed = await call(['rev-list', TIP], { signal: aborted, env: NO_LAZY_FETCH });
        return listed.stdout.split('\n').includes(sha);
      };
      if (await isOwn()) return true;
      // Others may have published on top of it meanwhile.
      const branch = `+refs/heads/${options.branch}:${TIP}`;
      const args = [`--depth=${MOST_COMMITS_MEANWHILE}`, '--filter=blob:none', 'origin', branch];
      return (await fetching(args, aborted)).failure === null && (await isOwn());
    },

    async remove() {
      await readBefore;
      await reader.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The name that GitHub shows for what its own workflows do. */
const WORKFLOW = { name: 'github-actions[bot]', email: '41898282+github-actions[bot]@users.noreply.github.com' };
const NOBODY = { name: 'wrkbench', email: 'wrkbench@localhost' };

/** `Name <address>` for a commit: a workflow's, where there is its token; else of whoever git is set up for here. */
async function committer(directory: string, { token }: Pick<DataBranchOptions, 'token'>): Promise<string> {
  const { name, email } = token === null ? ((await configured(directory)) ?? NOBODY) : WORKFLOW;
  const plain = (text: string) => text.replaceAll(/[<>\p{Cc}]/gu, '');
  return `${plain(name)} <${plain(email)}>`;
}

async function configured(directory: string): Promise<typeof NOBODY | null> {
  const value = async (key: string) => (await git(directory, ['config', '--get', key])).stdout.trim();
  const [name, email] = await Promise.all([value('user.name'), value('user.email')]);
  return name === '' || email === '' ? null : { name, email };
}

/**
 * What lets git in. Through its environment: what stands in arguments every process of the machine can read, and what
 * stands in a configuration file stays there. The header is sent to the server of the address alone.
 */
function tokenEnvironment({ remote, token }: Pick<DataBranchOptions, 'remote' | 'token'>): Record<string, string> {
  if (token === null || !/^https?:\/\//i.test(remote)) return {};
  const { origin } = new URL(remote);
  const basic = Buffer.from(`x-access-token:${token}`, 'utf8').toString('base64');
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
}
