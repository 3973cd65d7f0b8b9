import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pageFolder } from '../../adapters/files/page-folder.ts';
import { rawTexts } from '../../adapters/files/raw-texts.ts';
import { templateFolder } from '../../adapters/files/template-folder.ts';
import { fetchedPageBranch, pageBranchOf } from '../../adapters/git/page-branch.ts';
import { topOf } from '../../adapters/git/remote.ts';
import { servePages } from '../../adapters/http/page-server.ts';
import { UsageError } from '../../app/failures.ts';
import { memoryBranch } from '../../app/memory-branch.ts';
import type { PageFiles } from '../../app/ports/page-files.ts';
import { publish } from '../../app/publish.ts';
import { storedComparison } from '../../app/report.ts';
import { siteSource } from '../../app/site-source.ts';
import { isBranchName } from '../../core/publication/branch-name.ts';
import { keepAll } from '../../core/publication/change.ts';
import { DATA_FOLDER } from '../../core/publication/place.ts';
import { MOST_RAW, rawPaths, rawText } from '../../core/publication/raw-text.ts';
import { UserError } from '../../core/user-error.ts';
import { EXIT, failureOf } from '../failure.ts';
import { print, printError } from '../output.ts';
import { pagesFrom } from '../pages.ts';
import { isFolder, textOf } from './files.ts';
import { recordAt } from './record-file.ts';

export interface ServeCommandOptions {
  branch?: string;
  remote?: string;
  port?: number;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const INDEX = `${DATA_FOLDER}/index.html`;

/**
 * Shows pages in a browser of this machine until it is ended. Never rejects: this is a bundle of its own, whose errors the command
 * would not know for what they are.
 */
export async function serveCommand(
  folder: string | undefined,
  options: ServeCommandOptions,
  version: string,
): Promise<number> {
  try {
    return await served(folder, options, version);
  } catch (error) {
    const { text, exitCode } = failureOf(error);
    printError(`${text}\n`);
    return exitCode;
  }
}

async function served(folder: string | undefined, options: ServeCommandOptions, version: string): Promise<number> {
  const ended = new AbortController();
  const end = () => ended.abort();
  for (const name of SIGNALS) process.on(name, end);
  try {
    const files = await filesOf(folder, options, { version, signal: ended.signal });
    try {
      const server = await servePages(files, options.port ?? 0);
      print(`${files.place}: ${server.url}${DATA_FOLDER}/\n`);
      printError('Press Ctrl-C to end.\n');
      await new Promise<void>((resolve) => {
        if (ended.signal.aborted) resolve();
        ended.signal.addEventListener('abort', () => resolve());
      });
      await server.close();
    } finally {
      await files.close?.();
    }
    return EXIT.done;
  } finally {
    for (const name of SIGNALS) process.off(name, end);
  }
}

interface ServeJob {
  /** Of this wrkbench. */
  version: string;
  signal: AbortSignal;
}

type ClosableFiles = PageFiles & { close?(): Promise<void> };

async function filesOf(
  folder: string | undefined,
  { branch, remote }: ServeCommandOptions,
  job: ServeJob,
): Promise<ClosableFiles> {
  if (branch === undefined) {
    if (remote !== undefined) throw new UsageError('--remote names where the branch lies that --branch names: add it.');
    return await filesIn(path.resolve(folder ?? '.'), job);
  }
  if (!isBranchName(branch))
    throw new UsageError(`--branch '${branch}' is not a name of a branch; one is as gh-pages.`);
  const files =
    remote === undefined
      ? await pageBranchOf(path.resolve(folder ?? '.'), branch)
      : await fetchedPageBranch(existsSync(remote) ? path.resolve(remote) : remote, branch, job.signal);
  if ((await files.read(INDEX)) !== null) return files;
  await files.close();
  throw new UsageError(`${files.place} holds no ${INDEX}: publish a run with this wrkbench first.`);
}

/** A checkout of the data branch, its folder of ours, or runs. */
async function filesIn(folder: string, job: ServeJob): Promise<ClosableFiles> {
  if (!(await isFolder(folder))) throw new UsageError(`${folder} is not a folder. ${ADVICE}`);
  const tops = path.basename(folder) === DATA_FOLDER ? [folder, path.dirname(folder)] : [folder];
  for (const top of tops) {
    const files = pageFolder(top);
    if ((await files.read(INDEX)) !== null) return files;
  }
  const runs = await runsIn(folder);
  if (runs.length > 0) return await pagesOfRuns(folder, runs, job);
  throw new UsageError(`${folder} holds neither ${INDEX} nor a run.json, itself or in one of its folders. ${ADVICE}`);
}

const ADVICE =
  'Name a checkout of the data branch, the folder of a run or one of several runs; or use --branch gh-pages.';

async function runsIn(folder: string): Promise<string[]> {
  if (existsSync(path.join(folder, 'run.json'))) return [folder];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(folder, name))
    .filter((each) => existsSync(path.join(each, 'run.json')))
    .sort();
}

/** Made as a publication makes them, and kept nowhere. A run that could not be published is told of, and left out. */
async function pagesOfRuns(folder: string, runs: readonly string[], { version, signal }: ServeJob): Promise<PageFiles> {
  const branch = memoryBranch(folder);
  const { pages, diagnostics } = await pagesFrom(templateFolder((await topOf(folder)) ?? folder), version);
  for (const { file, line, column, message } of diagnostics) printError(`${file}:${line}:${column}: ${message}\n`);
  const options = {
    retention: keepAll,
    squash: false,
    pages: { tool: version, server: null, ...siteSource(pages) },
    warn: (text: string) => printError(`${text}\n`),
  };
  let shown = 0;
  for (const run of runs) {
    try {
      const record = await recordAt(run);
      const beside = path.join(run, 'comparison.json');
      const comparison = storedComparison(record, await textOf(beside, '').catch(() => null), beside);
      const raw = rawText(record.id, await rawTexts(run, rawPaths(record.cases), MOST_RAW));
      await publish(record, comparison, branch, { ...options, raw, now: new Date() }, signal);
      shown += 1;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      printError(`${run} is left out: ${error.message}\n`);
    }
  }
  if (shown === 0) throw new UsageError(`${folder} holds no run that can be shown.`);
  return branch;
}
