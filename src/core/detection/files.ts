/** What the files of a repository show about how to measure it. */
import { parseDocument } from 'yaml';
import { requestPath, slug } from '../values/scalars.ts';

export interface RepositoryFile {
  /** Relative to the repository's root, with `/`. */
  path: string;
  content: string;
}

/** A service as it can be told from files; `from` names the file that showed it. */
export interface ServiceSign {
  name: string;
  from: string;
  build: { context: string; dockerfile: string } | null;
  command: string[] | null;
  workingDirectory: string;
  /** Null where no file names it. */
  port: number | null;
  env: Record<string, string>;
  /** A path that answers when the service is up. */
  ready: string | null;
}

/** Whether a file can show something; for the caller, who need not read the others. */
export function isTelling(path: string): boolean {
  const parts = path.split('/');
  if (parts.length > 4 || parts.some((part) => PASSED_OVER.has(part))) return false;
  return TELLING.test(parts.at(-1)!);
}

const PASSED_OVER = new Set(['node_modules', 'vendor', '.git', 'testdata', 'fixtures']);
const TELLING =
  /^(?:Dockerfile|(?:docker-)?compose\.ya?ml|package\.json|go\.mod|(?:openapi|swagger)\.(?:ya?ml|json)|wrkbench\.yml)$/;

/** Folder of a file; '.' for the root. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
}

/** The files called so, those nearer to the root first. */
export function filesCalled(files: readonly RepositoryFile[], name: RegExp): RepositoryFile[] {
  return files
    .filter(({ path }) => isTelling(path) && name.test(path.split('/').at(-1)!))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length || (a.path < b.path ? -1 : 1));
}

/** The map that a YAML or JSON text holds; {} where it holds none. */
export function mapOf(content: string): Record<string, unknown> {
  try {
    // JSON is YAML; a file that is neither shows nothing.
    const value: unknown = parseDocument(content.slice(0, 2_000_000), { logLevel: 'silent', uniqueKeys: false }).toJS({
      maxAliasCount: 100,
    });
    return asMap(value);
  } catch {
    return {};
  }
}

export function asMap(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** The nearest name that a spec takes; null where nothing is left of it. */
export function slugOf(text: string): string | null {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, 64)
    .replace(/[^a-z0-9]+$/, '');
  return slug.safeParse(plain).success ? plain : null;
}

export function portOf(value: unknown): number | null {
  const port = typeof value === 'number' ? value : /^\d{1,5}$/.test(String(value)) ? Number(value) : Number.NaN;
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : null;
}

export function isRequestPath(path: unknown): path is string {
  return requestPath.safeParse(path).success;
}
