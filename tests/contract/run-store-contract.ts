import { describe, expect, it } from 'vitest';
import type { RunStore } from '../../src/app/ports/run-store.ts';
import type { JournalEntry } from '../../src/core/record/journal.ts';
import { journalHeader } from '../support/journal-header.ts';

export const HEADER: JournalEntry = journalHeader({ id: 'run-1' });

export const load = (seconds: number): JournalEntry => ({ kind: 'load', seconds });

export interface StoreUnderTest {
  /** A store over a folder that holds nothing yet. */
  fresh(): Promise<RunStore>;
  /** Another store over the same folder, as a later process opens it to go on. */
  reopened(store: RunStore): Promise<RunStore>;
  /** Content of a file of the folder; null where there is none. */
  content(store: RunStore, path: string): Promise<string | null>;
}

/** What everybody who keeps a run can be relied on for. */
export function runStoreContract(name: string, { fresh, reopened, content }: StoreUnderTest): void {
  describe(`${name}: a run's folder`, () => {
    it('has no journal before the first entry', async () => {
      expect(await (await fresh()).journal.read()).toBeNull();
    });

    it('gives entries back in the order that they came, also to a later process', async () => {
      const store = await fresh();
      await store.journal.append(HEADER);
      await store.journal.append({ kind: 'load', seconds: 2.5 });
      expect(await store.journal.read()).toEqual([HEADER, load(2.5)]);
      const later = await reopened(store);
      await later.journal.append(load(3));
      expect(await later.journal.read()).toEqual([HEADER, load(2.5), load(3)]);
      expect(later.directory).toBe(store.directory);
    });

    it('keeps entries whole that are appended at once', async () => {
      const store = await fresh();
      const entries = Array.from({ length: 40 }, (_, index) => load(index));
      await Promise.all([HEADER, ...entries].map((entry) => store.journal.append(entry)));
      expect(await store.journal.read()).toEqual([HEADER, ...entries]);
    });

    it('keeps raw outputs under paths that can be read, each its own', async () => {
      const store = await fresh();
      const names = ['go-ping.stdout.txt', 'go/ping.stdout.txt', 'go ping.stdout.txt', 'go-ping.stdout.txt'];
      const paths: string[] = [];
      for (const [index, each] of names.entries()) paths.push(await store.writeRaw(each, `output ${index} ü`));
      expect(new Set(paths).size).toBe(4);
      expect(paths[0]).toBe('raw/go-ping.stdout.txt');
      expect(paths.filter((path) => !/^raw\/[\w.@%=+-]+\.txt$/.test(path))).toEqual([]);
      expect(await Promise.all(paths.map((path) => content(store, path)))).toEqual([
        ...['output 0 ü', 'output 1 ü', 'output 2 ü', 'output 3 ü'],
      ]);
    });

    it('writes over no raw output of an earlier process', async () => {
      const store = await fresh();
      await store.journal.append(HEADER);
      const first = await store.writeRaw('wrk.txt', 'first');
      const second = await (await reopened(store)).writeRaw('wrk.txt', 'second');
      expect(second).not.toBe(first);
      expect([await content(store, first), await content(store, second)]).toEqual(['first', 'second']);
    });

    it.each([
      '../../../etc/passwd',
      '/etc/passwd',
      '..',
      '.',
      '',
      '\0',
      '-rf',
      '.hidden',
      'a/../../b.txt',
      'C:\\x.txt',
      `${'ä'.repeat(400)}.txt`,
      `${'k'.repeat(400)}.stdout.txt`,
    ])('lets no raw name lead out of its folder: %j', async (hostile) => {
      const store = await fresh();
      const path = await store.writeRaw(hostile, 'here');
      expect(path).toMatch(/^raw\/[A-Za-z0-9_@%=+][\w.@%=+-]{0,210}$/);
      expect(await content(store, path)).toBe('here');
    });

    it('replaces a file whole', async () => {
      const store = await fresh();
      await store.write('run.json', 'a long first version');
      await store.write('run.json', 'short');
      expect(await content(store, 'run.json')).toBe('short');
    });

    it('takes plain names only for its own files', async () => {
      const store = await fresh();
      for (const name of ['../run.json', 'raw/x', '.run.json', '']) {
        await expect(store.write(name, 'x')).rejects.toThrow(RangeError);
      }
    });
  });
}
