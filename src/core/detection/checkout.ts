/** What a clean checkout of the repository has, which a folder that somebody works in may have more of. */
import { isBelow } from './files.ts';

export interface Checkout {
  /** False where nobody knows what is checked in: then nothing is there, and nothing is known to be absent. */
  isKnown: boolean;
  kind(path: string): 'file' | 'folder' | null;
  /** All files below a folder, in their order. */
  filesBelow(folder: string): string[];
}

/** Of the paths of its files; null for a folder that is no checkout. */
export function checkoutOf(paths: readonly string[] | null): Checkout {
  const files = new Set(paths ?? []);
  const folders = new Set<string>(['.']);
  for (const path of files) {
    for (
      let at = path.lastIndexOf('/');
      at > 0 && !folders.has(path.slice(0, at));
      at = path.lastIndexOf('/', at - 1)
    ) {
      folders.add(path.slice(0, at));
    }
  }
  return {
    isKnown: paths !== null,
    kind: (path) => (files.has(path) ? 'file' : folders.has(path) ? 'folder' : null),
    filesBelow: (folder) => [...files].filter((path) => isBelow(path, folder)).sort(),
  };
}
