import { describe, expect, it } from 'vitest';
import type { BranchText, DataBranch, MakeChange } from '../../src/app/ports/data-branch.ts';
import type { BranchChange } from '../../src/core/publication/change.ts';

const never = new AbortController().signal;
const FOLDER = 'wrkbench/api';

function writing(files: Readonly<Record<string, string>>, more: Partial<BranchChange> = {}): BranchChange {
  const write = Object.entries(files).map(([name, content]) => ({ path: `${FOLDER}/${name}`, content }));
  return { message: 'Write', write, move: [], remove: [], squash: false, ...more };
}

/** What every data branch does, wherever it is. `made` gives publishers of one new branch. */
export function dataBranchContract(name: string, made: () => { publisher(): DataBranch }): void {
  describe(`a data branch that is ${name}`, () => {
    it('has nothing before the first commit, and then what that wrote', async () => {
      const { publisher } = made();
      expect(await publisher().entries(never)).toEqual([]);
      const { sha, retries } = await publisher().commit(() => writing({ 'a.json': '{"a":1}\n' }), never);
      expect([sha === null, retries]).toEqual([false, 0]);
      const later = publisher();
      const entries = await later.entries(never);
      expect(entries.map(({ path }) => path)).toEqual([`${FOLDER}/a.json`]);
      expect(await all(later.texts([`${FOLDER}/a.json`, `${FOLDER}/b.json`], 100, never))).toEqual([
        { path: `${FOLDER}/a.json`, text: '{"a":1}' },
      ]);
    });

    it('names a content as git does', async () => {
      const { publisher } = made();
      await publisher().commit(() => writing({ 'a.json': 'hello\n' }), never);
      expect(await publisher().entries(never)).toEqual([
        { path: `${FOLDER}/a.json`, blob: 'ce013625030ba8dba906f756967f9e9ca394464a' },
      ]);
    });

    it('gives texts of its tip to what makes a change of it', async () => {
      const { publisher } = made();
      await publisher().commit(() => writing({ 'a.json': 'ä €\n', 'b.json': 'b', 'c.json': 'x'.repeat(101) }), never);
      const found: BranchText[] = [];
      await publisher().commit(async (entries, read) => {
        const paths = entries.map(({ path }) => path).reverse();
        found.push(...(await all(read([...paths, `${FOLDER}/none.json`], 100))));
        expect(await all(read([`${FOLDER}/b.json`], 100))).toEqual([{ path: `${FOLDER}/b.json`, text: 'b' }]);
        expect(await all(read([], 100))).toEqual([]);
        return null;
      }, never);
      expect(found).toEqual([
        { path: `${FOLDER}/c.json`, text: null },
        { path: `${FOLDER}/b.json`, text: 'b' },
        { path: `${FOLDER}/a.json`, text: 'ä €' },
      ]);
    });

    it('gives what was read ahead, of the newest tip, within the length that is asked for', async () => {
      const { publisher } = made();
      const [manifest, piece, later] = ['manifest.json', 'series/1.json', 'series/2.json'].map(
        (file) => `${FOLDER}/${file}`,
      );
      await publisher().commit(
        () => writing({ 'manifest.json': 'one', 'series/1.json': 'long', 'runs/a.json': '{}' }),
        never,
      );
      const seen: BranchText[][] = [];
      let interfered = false;
      const reading: MakeChange = async (_, read) => {
        seen.push(await all(read([manifest!, piece!, later!], 3)));
        if (interfered) return null;
        interfered = true;
        await publisher().commit(() => writing({ 'manifest.json': 'two', 'series/2.json': 'new' }), never);
        return writing({ 'b.json': 'b' });
      };
      const listed: string[][] = [];
      const pathsOf = (files: readonly string[]) => {
        listed.push([...files]);
        return [...files];
      };
      await publisher().commit(reading, never, { folders: [`${FOLDER}/`, `${FOLDER}/series/`], pathsOf });
      expect(seen).toEqual([
        [
          { path: manifest, text: 'one' },
          { path: piece, text: null },
        ],
        [
          { path: manifest, text: 'two' },
          { path: piece, text: null },
          { path: later, text: 'new' },
        ],
      ]);
      // A branch that has all of its texts at hand lists nothing.
      for (const files of listed) expect(files).not.toContain(`${FOLDER}/runs/a.json`);
    });

    it('does not mind that what was to be read ahead is not there', async () => {
      const { publisher } = made();
      const ahead = { folders: [`${FOLDER}/`, `${FOLDER}/series/`], pathsOf: () => [`${FOLDER}/none.json`] };
      await publisher().commit(() => writing({ 'a.json': 'a' }), never, ahead);
      const found: BranchText[] = [];
      await publisher().commit(
        async (_, read) => {
          found.push(...(await all(read([`${FOLDER}/a.json`], 100))));
          return null;
        },
        never,
        ahead,
      );
      expect(found).toEqual([{ path: `${FOLDER}/a.json`, text: 'a' }]);
    });

    it('is read anew where another one was first', async () => {
      const { publisher } = made();
      await publisher().commit(() => writing({ 'count.json': '0' }), never);
      const seen: string[] = [];
      let interfered = false;
      const counting: MakeChange = async (_, read) => {
        const [{ text } = { text: null }] = await all(read([`${FOLDER}/count.json`], 100));
        seen.push(text!);
        if (!interfered) {
          interfered = true;
          await publisher().commit(() => writing({ 'count.json': '7' }), never);
        }
        return writing({ 'count.json': String(Number(text) + 1) });
      };
      const { retries } = await publisher().commit(counting, never);
      expect({ seen, retries }).toEqual({ seen: ['0', '7'], retries: 1 });
      const later = publisher();
      await later.entries(never);
      expect(await all(later.texts([`${FOLDER}/count.json`], 100, never))).toEqual([
        { path: `${FOLDER}/count.json`, text: '8' },
      ]);
    });

    it('moves and removes, and does nothing where nothing is to be done', async () => {
      const { publisher } = made();
      await publisher().commit(() => writing({ 'a.json': 'a', 'b.json': 'b' }), never);
      await publisher().commit(([a]) => {
        const move = [{ from: a!.path, to: `${FOLDER}/aside/a.json`, blob: a!.blob }];
        return writing({}, { move, remove: [`${FOLDER}/b.json`] });
      }, never);
      expect((await publisher().entries(never)).map(({ path }) => path)).toEqual([`${FOLDER}/aside/a.json`]);
      expect(await publisher().commit(() => null, never)).toEqual({ sha: null, retries: 0 });
    });

    it('rejects with what makes no change, and with a change outside of its folder', async () => {
      const { publisher } = made();
      await expect(
        publisher().commit(() => {
          throw new Error('no change today');
        }, never),
      ).rejects.toThrow('no change today');
      await expect(
        publisher().commit(() => ({ ...writing({}), write: [{ path: 'index.html', content: '' }] }), never),
      ).rejects.toThrow('index.html lies outside of wrkbench/');
      expect(await publisher().entries(never)).toEqual([]);
    });
  });
}

async function all(texts: AsyncIterable<BranchText>): Promise<BranchText[]> {
  const found: BranchText[] = [];
  for await (const each of texts) found.push(each);
  return found;
}
