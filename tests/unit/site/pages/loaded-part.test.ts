import { describe, expect, it } from 'vitest';
import { loadedPart } from '../../../../src/site/pages/loaded-part.ts';
import { UnloadedData } from '../../../../src/site/pages/view.ts';

describe('a part of the script of the pages', () => {
  it('is what was loaded', async () => {
    expect(await loadedPart(Promise.resolve(7))).toBe(7);
  });

  it.each([
    ['Chromium', 'Failed to fetch dynamically imported module: https://acme.github.io/wrkbench/assets/run-NZ6G2UFN.js'],
    ['Firefox', 'error loading dynamically imported module: https://acme.github.io/wrkbench/assets/run-NZ6G2UFN.js'],
    ['WebKit', 'Importing a module script failed.'],
  ])('that %s did not get is no defect', async (browser, message) => {
    const error = await loadedPart(Promise.reject(new TypeError(message))).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(UnloadedData);
    const file = browser === 'WebKit' ? 'A script of this page' : 'assets/run-NZ6G2UFN.js';
    expect((error as Error).message).toBe(
      `${file} could not be loaded: the server did not answer, or the pages were updated just now. Check the connection, then try again.`,
    );
  });

  it.each([new TypeError('x is not a function'), new ReferenceError('module is not defined'), new Error('module')])(
    'that fails by itself fails with %s',
    async (error) => {
      await expect(loadedPart(Promise.reject(error))).rejects.toBe(error);
    },
  );
});
