import { stat } from 'node:fs/promises';
import { dataFolder } from '../../adapters/files/data-folder.ts';
import { dataBranch } from '../../adapters/git/data-branch/branch.ts';
import { UsageError } from '../../app/failures.ts';
import { importRuns } from '../../app/import-runs.ts';
import { siteSource } from '../../app/site-source.ts';
import { mostBenchmarkData, readBenchmarkData } from '../../core/publication/benchmark-data.ts';
import { isBranchName } from '../../core/publication/branch-name.ts';
import { importedText } from '../../core/publication/imported-text.ts';
import { serverOf } from '../../core/publication/page-address.ts';
import { EXIT } from '../failure.ts';
import { interruption } from '../interruption.ts';
import { print, printError, printJson } from '../output.ts';
import { isFolder, textOf } from './files.ts';
import { ownPages, remoteNamed } from './publish.ts';

export interface ImportCommandOptions {
  spec: string;
  branch: string;
  remote?: string;
  into?: string;
  json?: boolean;
}

/** Adds a `data.js` of github-action-benchmark to the pages of a spec, on a branch or in a folder. */
export async function importCommand(file: string, options: ImportCommandOptions, version: string): Promise<number> {
  const { spec, branch: name, into, json } = options;
  if (!isBranchName(name)) {
    throw new UsageError(`--branch '${name}' is not a name of a branch; one is as gh-pages.`);
  }
  if (into !== undefined && !(await isFolder(into))) {
    throw new UsageError(`--into ${into}: there is no such folder. Name one that holds what the branch holds.`);
  }
  const data = readBenchmarkData(await dataText(file), file);
  const remote = into === undefined ? await remoteNamed(options.remote) : null;
  const { signal, release } = interruption();
  const branch = remote === null ? dataFolder(into!) : dataBranch({ remote, branch: name, token: null });
  const pages = {
    tool: version,
    server: remote === null ? null : serverOf(remote),
    ...siteSource(await ownPages(version)),
  };
  const warn = (text: string) => printError(`${text}\n`);
  try {
    const imported = await importRuns(data, { specName: spec, pages, warn }, branch, signal);
    if (json) printJson(imported);
    else print(`${importedText(data, imported, { file, spec, place: branch.place, commit: imported.commit })}\n`);
    return EXIT.done;
  } catch (error) {
    if (!signal.aborted) throw error;
    return EXIT.interrupted;
  } finally {
    await branch.close();
    release();
  }
}

async function dataText(file: string): Promise<string> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  // A character takes up to three bytes of UTF-8 for each unit that it is counted by.
  if (size > 3 * mostBenchmarkData) {
    throw new UsageError(`${file} has ${size} bytes, where at most ${3 * mostBenchmarkData} are read.`);
  }
  return textOf(file, 'Name a data.js of github-action-benchmark.');
}
