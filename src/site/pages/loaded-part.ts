import { UnloadedData } from './view.ts';

/**
 * A part of the page's own script. Rejects with `UnloadedData` where the browser did not get its file, which each browser says in its own
 * words: a TypeError about a module. What else it throws is its own fault.
 */
export async function loadedPart<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    if (!(error instanceof TypeError && /\bmodule\b/i.test(error.message))) throw error;
    const file = /assets\/[\w.-]+\.js/.exec(error.message)?.[0] ?? 'A script of this page';
    throw new UnloadedData(
      `${file} could not be loaded: the server did not answer, or the pages were updated just now. Check the connection, then try again.`,
    );
  }
}
