/** `bench/../sql/./init.sql` is `sql/init.sql`. What leads above the top stays at it, as at the root of a file system. */
export function plainPath(path: string): string {
  return plain(path).parts.join('/');
}

/** A path as it is written in a folder, from the top, which is ''; null where it leads above that. */
export function joinedPath(folder: string, path: string): string | null {
  const { parts, isAbove } = plain(`${folder}/${path}`);
  return isAbove ? null : parts.join('/');
}

function plain(path: string): { parts: string[]; isAbove: boolean } {
  const parts: string[] = [];
  let isAbove = false;
  for (const part of path.split('/')) {
    if (part === '..') isAbove = parts.pop() === undefined || isAbove;
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return { parts, isAbove };
}
