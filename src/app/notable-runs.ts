import { MANIFEST_FILE } from '../core/publication/manifest.ts';
import { notableRuns, piecesSince } from '../core/publication/notable-runs.ts';
import { mostPagesBytes, readManifest, readSeriesPiece, UnreadablePages } from '../core/publication/pages-documents.ts';
import { specFiles, specFolder } from '../core/publication/spec-files.ts';
import type { DataBranch } from './ports/data-branch.ts';

/**
 * Ids of the runs from `since` on that failed or accepted something, as the pages have them: a month of runs is a few files. Null where
 * the pages do not hold all of these runs, or cannot be read. Rejects with `DataBranchFailure`.
 */
export async function notableSince(
  { specName, since, paths }: { specName: string; since: string; paths: readonly string[] },
  branch: DataBranch,
  signal: AbortSignal,
): Promise<Set<string> | null> {
  const manifestPath = `${specFolder(specName)}${MANIFEST_FILE}`;
  try {
    const [manifestText] = await textsAt([manifestPath], branch, signal);
    if (manifestText === undefined) return null;
    const manifest = readManifest(manifestText, manifestPath);
    const pieces = piecesSince(since, manifest, specFiles(paths, specName));
    if (pieces === null) return null;
    const texts = await textsAt(pieces, branch, signal);
    if (texts.length < pieces.length) return null;
    return new Set(texts.flatMap((text, index) => notableRuns(readSeriesPiece(text, pieces[index]!, manifest))));
  } catch (error) {
    if (error instanceof UnreadablePages) return null;
    throw error;
  }
}

/** In their order, without those that are not there or are too long. */
async function textsAt(paths: readonly string[], branch: DataBranch, signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  if (paths.length === 0) return found;
  for await (const { text } of branch.texts(paths, mostPagesBytes, signal)) if (text !== null) found.push(text);
  return found;
}
