import type { BenchmarkData } from '../core/publication/benchmark-data.ts';
import { type ImportedPages, piecesToRead, withImported } from '../core/publication/imported-pages.ts';
import { MANIFEST_FILE } from '../core/publication/manifest.ts';
import { mostPagesBytes, readManifest, readSeriesPiece, UnreadablePages } from '../core/publication/pages-documents.ts';
import { placeOf } from '../core/publication/place.ts';
import { specFolder } from '../core/publication/spec-files.ts';
import { UserError } from '../core/user-error.ts';
import type { BranchReader, DataBranch } from './ports/data-branch.ts';
import { withPages } from './published-pages.ts';
import type { PagesSource } from './site-change.ts';

export interface ImportOptions {
  specName: string;
  pages: PagesSource;
  warn(text: string): void;
}

export interface Imported extends Omit<ImportedPages, 'files'> {
  /** Null where nothing was new. */
  commit: string | null;
}

/**
 * Adds what another tool measured to the pages of a spec. What is there already is not added again. Throws `UserError` for a name
 * that is none of a spec and for pages that cannot be read, and rejects with `DataBranchFailure`.
 */
export async function importRuns(
  data: BenchmarkData,
  { specName, pages, warn }: ImportOptions,
  branch: DataBranch,
  signal: AbortSignal,
): Promise<Imported> {
  if (placeOf({ specName, id: '19700101-000000-000000', sha: null }) === null) {
    throw new UserError(
      `--spec ${JSON.stringify(specName.slice(0, 80))} is not a name of a spec: one has lower-case letters, digits, dots, dashes and underscores.`,
    );
  }
  const folder = specFolder(specName);
  const manifestPath = `${folder}${MANIFEST_FILE}`;
  let result: Omit<ImportedPages, 'files'> = { added: 0, known: 0, leftOut: 0 };
  const { sha } = await branch.commit(async (entries, read) => {
    const message = `Import runs of github-action-benchmark into ${specName}`;
    const nothing = { message, write: [], move: [], remove: [], squash: false };
    const change = await withPages(nothing, { specName, run: null, source: pages }, { entries, read }, warn);
    const made = new Map(change.write.map(({ path, content }) => [path, content]));
    const manifestText = made.get(manifestPath);
    if (typeof manifestText !== 'string') {
      throw new UserError(`The pages of ${specName} are of a later wrkbench: update this one, and import again.`);
    }
    const manifest = readManifest(manifestText, manifestPath);
    const paths = piecesToRead(manifest, data).map((file) => `${folder}${file}`);
    const texts = await piecesAt(paths, made, read);
    const pieces = texts.map(({ path, text }) => readSeriesPiece(text, path, manifest));
    const { files, ...counts } = withImported(manifest, pieces, data);
    result = counts;
    if (files.length === 0) return null;
    for (const { file, content } of files) {
      // Behind all others: what it names is there before it.
      made.delete(`${folder}${file}`);
      made.set(`${folder}${file}`, content);
    }
    const write = [...made].map(([path, content]) => ({ path, content }));
    return { ...change, write, remove: change.remove.filter((path) => !made.has(path)) };
  }, signal);
  return { ...result, commit: sha };
}

/** As the same commit writes them, or as the branch has them. Throws `UnreadablePages` where one is not there. */
async function piecesAt(
  paths: readonly string[],
  made: ReadonlyMap<string, string | Uint8Array>,
  read: BranchReader,
): Promise<{ path: string; text: string }[]> {
  const texts = new Map([...made].flatMap(([path, content]) => (typeof content === 'string' ? [[path, content]] : [])));
  const wanted = paths.filter((path) => !made.has(path));
  if (wanted.length > 0) {
    for await (const { path, text } of read(wanted, mostPagesBytes)) if (text !== null) texts.set(path, text);
  }
  return paths.map((path) => {
    const text = texts.get(path);
    if (text !== undefined) return { path, text };
    throw new UnreadablePages(`${path} cannot be read: \`wrkbench publish --rebuild\` makes it anew from the runs.`);
  });
}
