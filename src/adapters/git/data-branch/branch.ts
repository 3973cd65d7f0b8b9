import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BranchCommit,
  type DataBranch,
  DataBranchFailure,
  type MakeChange,
  type ReadAhead,
} from '../../../app/ports/data-branch.ts';
import { counted } from '../../../core/format/figures.ts';
import { assertOwn } from '../../../core/publication/change.ts';
import { withoutCredentials } from '../git.ts';
import { PAUSES_MS } from './network.ts';
import type { DataBranchOptions } from './options.ts';
import { type BranchRepository, openBranchRepository } from './repository.ts';

/** With 50 publishers at once each waits for its turn: a push takes about a second of GitHub's. */
const PATIENCE_SECONDS = 180;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 4_000;

/** A branch of a git repository anywhere, through plumbing in a bare repository of its own. */
export function dataBranch(options: DataBranchOptions): DataBranch {
  const place = `${options.branch} of ${withoutCredentials(options.remote)}`;
  let opened: Promise<BranchRepository> | null = null;
  const repository = (signal: AbortSignal) => {
    opened ??= openBranchRepository(options, place, signal);
    return opened;
  };
  return {
    place,
    async entries(signal) {
      const own = await repository(signal);
      return await own.entries(await own.fetch(signal));
    },
    async *texts(paths, mostBytes, signal) {
      const own = await repository(signal);
      yield* own.texts(await own.known(), paths, mostBytes, signal);
    },
    commit: async (change, signal, ahead) =>
      committed(await repository(signal), { change, ahead }, options, place, signal),
    async close() {
      await opened?.then((own) => own.remove()).catch(() => undefined);
      opened = null;
    },
  };
}

async function committed(
  repository: BranchRepository,
  { change, ahead }: { change: MakeChange; ahead: ReadAhead | undefined },
  { patienceSeconds = PATIENCE_SECONDS, pausesMs = PAUSES_MS }: DataBranchOptions,
  place: string,
  signal: AbortSignal,
): Promise<BranchCommit> {
  const started = performance.now();
  const isLate = () => (performance.now() - started) / 1000 > patienceSeconds;
  let retries = 0;
  /** Pushed, and cut off before the server had answered. */
  const uncertain: string[] = [];
  let cut: DataBranchFailure | null = null;
  while (true) {
    const tip = await repository.fetch(signal, ahead).catch((error) => {
      throw cut === null || !(error instanceof DataBranchFailure) ? error : untold(cut, error);
    });
    for (const sha of tip === null ? [] : uncertain) {
      if (await repository.holds(sha, signal)) return { sha, retries };
    }
    if (cut !== null && (uncertain.length > pausesMs.length || isLate())) throw notThere(cut, uncertain.length);
    const entries = await repository.entries(tip);
    const wanted = await change(entries, (paths, mostBytes) => repository.texts(entries, paths, mostBytes, signal));
    if (wanted === null) return { sha: null, retries };
    assertOwn(wanted);
    const sha = await repository.commit(wanted, tip, signal);
    const pushed = await repository.push(sha, tip, signal);
    if (pushed.end === 'pushed') return { sha, retries };
    if (pushed.end === 'cut') {
      cut = pushed.failure;
      // Behind the last try, too: the server may still be writing what it was sent.
      await sleep(pausesMs[uncertain.length] ?? pausesMs.at(-1) ?? 0, undefined, { signal });
      uncertain.push(sha);
      continue;
    }
    // A push that was thought lost may be who was first, which the next look shows.
    if (isLate() && cut === null) {
      throw new DataBranchFailure(
        `${place} was written by others ${counted(retries + 1, 'time')} while this run wanted to, for ${patienceSeconds} s. Nothing was added; run it again.`,
      );
    }
    await sleep(pauseMs(retries), undefined, { signal });
    retries += 1;
  }
}

function notThere({ message }: DataBranchFailure, tries: number): DataBranchFailure {
  return new DataBranchFailure(
    `${message} The network failed in ${counted(tries, 'try', 'tries')}, and nothing was added: run it again.`,
  );
}

function untold({ message }: DataBranchFailure, look: DataBranchFailure): DataBranchFailure {
  return new DataBranchFailure(
    `${message} Whether it was added all the same is not known, since the network fails still (${look.message.replace(/\.$/, '')}). Run it again: what is there is not added a second time.`,
  );
}

/** Anywhere up to a length that doubles: those that were refused together must not come back together. */
function pauseMs(retries: number): number {
  return randomInt(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(retries, 6)));
}
