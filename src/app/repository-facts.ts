import type { ReadProject } from '../core/detection/compose-project.ts';
import { composeSources } from '../core/detection/compose-source.ts';
import { withoutOwnEnvironment } from '../core/detection/compose-variables.ts';
import type { RepositoryFile } from '../core/detection/files.ts';
import type { ComposeReader } from './ports/compose-reader.ts';

/** What others know of a repository, and no file of it says. */
export interface RepositoryFacts {
  /** Its compose files as Compose reads them; without those that it does not read. */
  compose: readonly ReadProject[];
  /** Paths of what is checked in; null where that is not known. */
  checkout: readonly string[] | null;
}

/** A repository has few; with more, those near its top are read by Compose. */
const MOST_PROJECTS = 10;

export async function repositoryFacts(
  files: readonly RepositoryFile[],
  checkout: readonly string[] | null,
  reader: ComposeReader,
): Promise<RepositoryFacts> {
  const sources = composeSources(withoutOwnEnvironment(files, checkout)).slice(0, MOST_PROJECTS);
  const compose: ReadProject[] = [];
  for (const source of sources.filter(({ leadsOutside }) => !leadsOutside)) {
    const read = await reader.read(source);
    if (read !== null) compose.push(read);
  }
  return { compose, checkout };
}
