import { existsSync } from 'node:fs';
import path from 'node:path';
import { dataBranch } from '../../adapters/git/data-branch/branch.ts';
import { remoteOf } from '../../adapters/git/remote.ts';
import { UsageError } from '../../app/failures.ts';
import { hide, publish } from '../../app/publish.ts';
import { storedComparison } from '../../app/report.ts';
import { counted } from '../../core/format/figures.ts';
import { isBranchName } from '../../core/publication/branch-name.ts';
import { EXIT } from '../failure.ts';
import { interruption } from '../interruption.ts';
import { print, printJson } from '../output.ts';
import { textOf } from './files.ts';
import { recordAt } from './record-file.ts';

export interface PublishCommandOptions {
  branch: string;
  remote?: string;
  keep?: number;
  keepDays?: number;
  squash?: boolean;
  hide?: string;
  json?: boolean;
}

/** `run` is `run.json` or the folder of a run; with `--hide`, the name of a spec. */
export async function publishCommand(run: string, options: PublishCommandOptions): Promise<number> {
  const remote = await remoteNamed(options.remote);
  if (!isBranchName(options.branch)) {
    throw new UsageError(`--branch '${options.branch}' is not a name of a branch; one is as gh-pages.`);
  }
  const { signal, release } = interruption();
  const branch = dataBranch({ remote, branch: options.branch, token: null });
  const show = (text: string, json: unknown) => (options.json ? printJson(json) : print(`${text}\n`));
  try {
    if (options.hide !== undefined) {
      const { id, reason } = hiding(options.hide);
      const { commit } = await hide({ specName: run, id, reason }, branch, signal);
      show(commit === null ? `Run ${id} is hidden already.` : `Run ${id} is hidden: ${commit}.`, { id, commit });
      return EXIT.done;
    }
    const record = await recordAt(run);
    const beside = path.join(run, 'comparison.json');
    const comparison = storedComparison(record, await textOf(beside, '').catch(() => null), beside);
    const retention = { count: options.keep ?? null, days: options.keepDays ?? null };
    const squash = options.squash ?? false;
    const published = await publish(record, comparison, branch, { retention, squash, now: new Date() }, signal);
    const { path: at, commit, retries } = published;
    const others = retries === 0 ? '' : ` (others were first ${counted(retries, 'time')})`;
    show(
      commit === null ? `${at} is on ${branch.place} already.` : `${at} is on ${branch.place}: ${commit}${others}.`,
      published,
    );
    return EXIT.done;
  } catch (error) {
    if (!signal.aborted) throw error;
    return EXIT.interrupted;
  } finally {
    await branch.close();
    release();
  }
}

/** Git runs in a folder of its own: what is a path from here has to be one from there. */
async function remoteNamed(given: string | undefined): Promise<string> {
  const remote = given ?? (await remoteOf(process.cwd()));
  if (remote === null) {
    throw new UsageError('This folder has no git remote named origin. Say where to publish to: --remote URL');
  }
  return existsSync(remote) ? path.resolve(remote) : remote;
}

/** `20261120-092802-0a1b2c=the runner was being updated` */
function hiding(text: string): { id: string; reason: string } {
  const [id = '', ...reason] = text.split('=');
  if (id === '' || reason.join('=').trim() === '') {
    throw new UsageError(`--hide '${text}' is not understood: expected ID=REASON.`);
  }
  return { id, reason: reason.join('=').trim() };
}
