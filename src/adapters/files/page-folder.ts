import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageFiles } from '../../app/ports/page-files.ts';

/** Those of a folder, by its top. A link is not followed, wherever in a path it is: it could lead anywhere on this machine. */
export function pageFolder(top: string): PageFiles {
  return {
    place: top,
    async read(path) {
      const own = await realpath(top).catch(() => null);
      if (own === null) return null;
      const wanted = join(own, path);
      if ((await realpath(wanted).catch(() => null)) !== wanted) return null;
      const file = await open(wanted, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
        () => null,
      );
      if (file === null) return null;
      try {
        return (await file.stat()).isFile() ? await file.readFile() : null;
      } finally {
        await file.close();
      }
    },
  };
}
