import { isTelling, proposal, type RepositoryFile } from '../core/spec/proposal.ts';

export { AlreadyThere, isTelling } from '../core/spec/proposal.ts';

export interface InitReport {
  /** To be written, none of them there yet. */
  files: RepositoryFile[];
  /** For a person. */
  text: string;
}

/**
 * `init`: the files to write, from those of the repository that `isTelling` picks. Throws `AlreadyThere` where one of
 * them is there; nothing is overwritten.
 */
export function initialFiles(files: readonly RepositoryFile[], folderName: string): InitReport {
  const written = proposal(files, folderName);
  const seen = files.filter(({ path }) => isTelling(path)).map(({ path }) => path);
  const from = seen.length === 0 ? 'nothing in this folder says how to start a server' : `from ${seen.join(', ')}`;
  const lines = written.map(({ path }) => `${path} is written (${from}).`);
  return { files: written, text: `${lines.join('\n')}\nRead it, then: wrkbench validate\n` };
}
