import type * as z from 'zod/mini';
import { UnloadedData, UnreadableData } from '../view.ts';

/** Reads files of the data branch that lie beside the page. Every message says which file, what is wrong and what to do. */
export interface DataFiles {
  text(path: string): Promise<string>;
}

/** `base` is the address of the spec's folder. */
export function dataFiles(base: string, fetching: typeof fetch): DataFiles {
  return {
    async text(path) {
      const answer = await fetching(new URL(path, base)).catch(() => null);
      if (answer === null) {
        throw new UnloadedData(
          `${path} could not be loaded: the server did not answer. Check the connection, then try again.`,
        );
      }
      if (!answer.ok) {
        throw new UnloadedData(
          `${path} could not be loaded: the server answered ${answer.status}. It may be in the middle of an update: try again in a minute.`,
        );
      }
      try {
        return await answer.text();
      } catch {
        throw new UnloadedData(`${path} broke off while it was loaded. Try again.`);
      }
    },
  };
}

/** Throws `UnreadableData` for what is cut off, of a newer wrkbench or none of its files. */
export function readChecked<T>(text: string, path: string, schema: z.ZodMiniType<T>, version: number): T {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new UnreadableData(
      `${path} is cut off or was changed by hand: it is not valid JSON. Reload this page; if that does not help, publish a run again.`,
    );
  }
  const found = versionIn(data);
  if (found !== null && found > version) {
    throw new UnreadableData(
      `${path} was written by a newer wrkbench: it has schema version ${found}, and this page reads version ${version}. Reload this page without the cache of the browser.`,
    );
  }
  const checked = schema.safeParse(data);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? 'the whole file' : `\`${issue.path.join('.')}\``;
  throw new UnreadableData(
    `${path} is not data of wrkbench: ${where.slice(0, 120)} is not what the format says. If somebody changed the file, restore it on the data branch.`,
  );
}

function versionIn(data: unknown): number | null {
  if (typeof data !== 'object' || data === null || !('schemaVersion' in data)) return null;
  return typeof data.schemaVersion === 'number' ? data.schemaVersion : null;
}
