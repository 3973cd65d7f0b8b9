import type { Checkout } from './checkout.ts';
import { pathsOf, type Recipe, stagesOf } from './dockerfile.ts';
import { folderOf, type RepositoryFile } from './files.ts';

/** No Dockerfile copies from more places. */
const MOST_SOURCES = 1_000;
/** Nor from deeper folders. */
const DEEPEST = 20;

/** The files of a repository and their folders. */
export function pathsIn(files: readonly RepositoryFile[]): Set<string> {
  const paths = new Set<string>();
  for (const { path } of files) {
    const parts = path.split('/');
    for (let depth = 1; depth <= Math.min(parts.length, DEEPEST); depth += 1)
      paths.add(parts.slice(0, depth).join('/'));
    paths.add(path);
  }
  return paths;
}

/**
 * The folder that a Dockerfile is built from which copies its own folder by a longer path, as Visual Studio and monorepos have it:
 * `COPY MyApi/MyApi.csproj` in `MyApi/Dockerfile` is meant from above; or the root, where that alone has what it copies. Null where it
 * copies nothing so.
 */
export function contextAbove({ path, content }: Recipe, paths: ReadonlySet<string>): string | null {
  const folder = folderOf(path);
  if (folder === '.') return null;
  const sources = sourcesOf(content);
  const parts = folder.split('/');
  for (const [depth] of parts.entries()) {
    const context = parts.slice(0, depth).join('/');
    const own = parts.slice(depth).join('/');
    const at = (base: string, source: string) => paths.has(base === '' ? source : `${base}/${source}`);
    const isMeant = (source: string) =>
      (source === own || source.startsWith(`${own}/`)) &&
      (!at(folder, own) || (at(context, source) && !at(folder, source)));
    if (sources.some(isMeant)) return context === '' ? '.' : context;
  }
  // `COPY go.mod go.sum ./` in `scripts/Dockerfile`, where only the root has them.
  const named = sources.filter((source) => /^\w[\w.-]*$/.test(source));
  const isHere = named.some((source) => paths.has(`${folder}/${source}`));
  const isAbove = !isHere && named.some((source) => paths.has(source));
  return isAbove ? '.' : null;
}

/** What a Dockerfile copies from its context, each as far as it is no pattern. */
function sourcesOf(dockerfile: string): string[] {
  return stagesOf(dockerfile)
    .flat()
    .filter(({ name, value }) => (name === 'COPY' || name === 'ADD') && !/^(?:--\S+\s+)*--from=/.test(value))
    .slice(0, MOST_SOURCES)
    .flatMap(({ value }) => pathsOf(value).slice(0, -1))
    .slice(0, MOST_SOURCES)
    .map((source) =>
      source
        .replace(/^(?:\.?\/)+/, '')
        .replace(/(?:^|\/)[^/]*[*?[].*/, '')
        .replace(/(?<!\/)\/+$/, ''),
    );
}

/** What it copies from its context and no checkout has: it stands in .gitignore, or is made by another build. */
export function absentSources({ content }: Recipe, context: string, checkout: Checkout): string[] {
  if (!checkout.isKnown) return [];
  const isThere = (source: string) => checkout.kind(context === '.' ? source : `${context}/${source}`) !== null;
  const plain = sourcesOf(content).filter((source) => /^\w[\w./@-]*$/.test(source) && !source.includes('://'));
  return [...new Set(plain)].filter((source) => !source.split('/').includes('..') && !isThere(source));
}
