import { join } from 'node:path';
import { containerFilesOf, dataFilesOf, measuringFilesOf, scriptsOf } from '../../core/config/paths.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { JournalHeader } from '../../core/record/journal.ts';
import type { BaselineAdapters } from '../baseline/baseline-plan.ts';
import { UsageError } from '../failures.ts';
import type { ResumedRun } from './resume.ts';

/** Tells whether the candidate's files are the same when a run is gone on with. What cannot be read is left out. */
export type CandidateFiles = Pick<JournalHeader['selection'], 'checkout' | 'files'>;

/** `ownFolders`, absolute, are no change of the author's. */
export async function candidateFiles(
  { spec, specDirectory }: { spec: ResolvedSpec; specDirectory: string },
  ownFolders: string[],
  { repositories, files }: Pick<BaselineAdapters, 'repositories' | 'files'>,
): Promise<CandidateFiles> {
  const repository = await repositories.at(specDirectory);
  const checkout = 'code' in repository ? null : await repository.fingerprint(ownFolders);
  const companions = await Promise.all(
    scriptsOf(spec).map(({ script, generator }) => files.companions(specDirectory, script, generator)),
  );
  const names = [...new Set([...filesBesidePrograms(spec), ...companions.flat()])];
  const hashes = await Promise.all(
    names.map(async (path) => [path, await files.hash(join(specDirectory, path))] as const),
  );
  const known = hashes.filter((each): each is [string, string] => each[1] !== null);
  return { ...(checkout === null ? {} : { checkout }), files: Object.fromEntries(known) };
}

/** Read from the checkout at each start and trial, in containers as well. */
function filesBesidePrograms(spec: ResolvedSpec): string[] {
  return [...new Set([...dataFilesOf(spec), ...containerFilesOf(spec), ...measuringFilesOf(spec)])];
}

/**
 * Throws `UsageError` where a run would go on with other files than before. Images tell by themselves what is in them; processes are
 * started from the whole checkout, and so is taken what names files of which the journal says nothing. A state that is unknown on
 * either side tells nothing.
 */
export function refuseOtherFiles({ header, directory }: ResumedRun, now: CandidateFiles): void {
  const { checkout, files } = header.selection;
  const changed = Object.entries(files ?? {}).flatMap(([path, hash]) => (now.files?.[path] === hash ? [] : [path]));
  if (changed.length > 0) {
    throw new UsageError(
      `Changed since ${directory} was measured: ${changed.join(', ')}. Figures from before and after the change cannot be mixed. ${PUT_BACK}`,
    );
  }
  const isAllTold = files !== undefined || filesBesidePrograms(header.spec).length === 0;
  if (header.environment.runtime === 'docker' && isAllTold) return;
  if (checkout === undefined || now.checkout === undefined || checkout === now.checkout) return;
  throw new UsageError(
    `The files of the candidate were changed since ${directory} was measured (git status shows how): two programs cannot be mixed in one record. ${PUT_BACK}`,
  );
}

const PUT_BACK = 'Put them back as they were, or start a new run in another folder (--out).';
