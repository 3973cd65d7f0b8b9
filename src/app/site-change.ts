import { createHash } from 'node:crypto';
import type { BranchChange, BranchEntry } from '../core/publication/change.ts';
import type { Manifest } from '../core/publication/manifest.ts';
import type { PublishedRun } from '../core/publication/pages-files.ts';
import type { StoredPlace } from '../core/publication/place.ts';
import { isLaterVersion } from '../core/publication/tool-version.ts';

/** What the pages are made by, and of beside the runs. */
export interface PagesSource {
  /** Version of this wrkbench. */
  tool: string;
  /** Of links to commits and pull requests: https://github.com. Null where it is not known. */
  server: string | null;
  /** Static files, by their paths on the branch; written where they differ, unless a later wrkbench made those there. */
  site(request: SiteRequest): readonly SiteFile[];
  /** Of those paths, files of an earlier site that this one has no more. */
  stale?(paths: readonly string[], site: readonly SiteFile[]): string[];
}

export interface SiteRequest {
  /** All of the branch, as the commit leaves it. */
  paths: readonly string[];
  /** What the commit adds; null where it adds none. */
  run: (PublishedRun & { place: StoredPlace }) | null;
  /** Id of the run that stands for its spec: the newest that counts, or the added one where all that are newer measured nothing. */
  newest: string | null;
  /** The run that has become the newest by what the commit takes away; null where none has. */
  becomesNewest: (PublishedRun & { place: StoredPlace }) | null;
}

interface SiteFile {
  path: string;
  content: string | Uint8Array;
}

/** Those that differ from what is there, as long as no later wrkbench made that. */
export function siteChange(
  source: PagesSource,
  found: Manifest | null,
  request: SiteRequest,
  entries: readonly BranchEntry[],
): Pick<BranchChange, 'write' | 'remove'> {
  if (found !== null && isLaterVersion(found.tool, source.tool)) return { write: [], remove: [] };
  const site = source.site(request);
  const blobs = blobsOf(site, entries);
  const write = site.filter(({ path, content }) => {
    const blob = blobs.get(path);
    return blob === undefined || blob !== blobOf(content, blob.length);
  });
  return {
    write,
    remove:
      source.stale?.(
        entries.map(({ path }) => path),
        site,
      ) ?? [],
  };
}

/** Git's name of a content, by the hash that the repository uses. https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
function blobOf(content: string | Uint8Array, length: number): string {
  const bytes = Buffer.from(content);
  return createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

/** Path → blob, of those among all entries. */
export function blobsOf(files: readonly { path: string }[], entries: readonly BranchEntry[]): Map<string, string> {
  const wanted = new Set(files.map(({ path }) => path));
  return new Map(entries.flatMap(({ path, blob }) => (wanted.has(path) ? [[path, blob]] : [])));
}
