import { existsSync } from 'node:fs';
import path from 'node:path';
import { rawTexts } from '../../adapters/files/raw-texts.ts';
import { templateFolder } from '../../adapters/files/template-folder.ts';
import { dataBranch } from '../../adapters/git/data-branch/branch.ts';
import { remoteOf, topOf } from '../../adapters/git/remote.ts';
import { tagOf } from '../../adapters/git/tags.ts';
import { UsageError } from '../../app/failures.ts';
import { hide, publish, rebuildPages } from '../../app/publish.ts';
import { storedComparison } from '../../app/report.ts';
import { siteSource } from '../../app/site-source.ts';
import { counted } from '../../core/format/figures.ts';
import type { Pages } from '../../core/pages/pages.ts';
import { isBranchName } from '../../core/publication/branch-name.ts';
import { serverOf } from '../../core/publication/page-address.ts';
import { MOST_RAW, rawPaths, rawText } from '../../core/publication/raw-text.ts';
import { EXIT } from '../failure.ts';
import { interruption } from '../interruption.ts';
import { print, printError, printJson } from '../output.ts';
import { pagesFrom } from '../pages.ts';
import { textOf } from './files.ts';
import { recordAt } from './record-file.ts';

export interface PublishCommandOptions {
  branch: string;
  remote?: string;
  keep?: number;
  keepDays?: number;
  squash?: boolean;
  hide?: string;
  rebuild?: boolean;
  json?: boolean;
}

/** `run` is `run.json` or the folder of a run; with `--hide` or `--rebuild`, the name of a spec. */
export async function publishCommand(run: string, options: PublishCommandOptions, version: string): Promise<number> {
  const remote = await remoteNamed(options.remote);
  if (!isBranchName(options.branch)) {
    throw new UsageError(`--branch '${options.branch}' is not a name of a branch; one is as gh-pages.`);
  }
  const { signal, release } = interruption();
  const branch = dataBranch({ remote, branch: options.branch, token: null });
  const show = (text: string, json: unknown) => (options.json ? printJson(json) : print(`${text}\n`));
  const pages = { tool: version, server: serverOf(remote), ...siteSource(await ownPages(version)) };
  const made = { pages, warn: (text: string) => printError(`${text}\n`) };
  try {
    if (options.rebuild) {
      const { commit, runs } = await rebuildPages(run, branch, made, signal);
      show(`The series of ${run} are made anew from ${counted(runs, 'run')}: ${commit}.`, { commit, runs });
      return EXIT.done;
    }
    if (options.hide !== undefined) {
      const { id, reason } = hiding(options.hide);
      const { commit } = await hide({ specName: run, id, reason }, branch, made, signal);
      show(commit === null ? `Run ${id} is hidden already.` : `Run ${id} is hidden: ${commit}.`, { id, commit });
      return EXIT.done;
    }
    const record = await recordAt(run);
    const beside = path.join(run, 'comparison.json');
    const comparison = storedComparison(record, await textOf(beside, '').catch(() => null), beside);
    const retention = { count: options.keep ?? null, days: options.keepDays ?? null };
    const squash = options.squash ?? false;
    const release = record.source.sha === null ? null : await tagOf(process.cwd(), record.source.sha);
    const raw = rawText(record.id, await rawTexts(run, rawPaths(record.cases), MOST_RAW));
    const publishing = { ...made, retention, squash, release, raw, now: new Date() };
    const published = await publish(record, comparison, branch, publishing, signal);
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

/** With what the checkout that this is called in says of itself. Throws `UsageError` with every mistake in that. */
export async function ownPages(version: string): Promise<Pages> {
  const top = (await topOf(process.cwd())) ?? process.cwd();
  const { pages, diagnostics } = await pagesFrom(templateFolder(top), version);
  if (diagnostics.length === 0) return pages;
  const lines = diagnostics.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
  throw new UsageError(`${lines.join('\n')}\nNothing was published.`);
}

/** Git runs in a folder of its own: what is a path from here has to be one from there. */
export async function remoteNamed(given: string | undefined): Promise<string> {
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
