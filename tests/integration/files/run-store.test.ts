import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRunStore } from '../../../src/adapters/files/run-store.ts';
import { StoreError } from '../../../src/app/ports/run-store.ts';
import { journalLine, UnreadableJournal } from '../../../src/core/record/journal.ts';
import { UserError } from '../../../src/core/user-error.ts';
import { HEADER, load } from '../../contract/run-store-contract.ts';
import { mountSmallDisk, remountReadOnly, unmount } from './small-disk.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'wrkbench-store-'));
});
afterEach(() => rm(parent, { recursive: true }));

const storeErrorOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreError);
  return (error as StoreError).message;
};

const refusalOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UserError);
  return (error as UserError).message;
};

describe('a file of a run', () => {
  it('is written through no link that lies there under a name that it might have for a moment', async () => {
    const directory = join(parent, 'run');
    const store = await openRunStore(directory, { resume: false });
    await writeFile(join(parent, 'victim'), 'safe');
    await symlink(join(parent, 'victim'), join(directory, `.report.md.${process.pid}.new`));
    await store.write('report.md', 'new');
    expect(await readFile(join(directory, 'report.md'), 'utf8')).toBe('new');
    expect(await readFile(join(parent, 'victim'), 'utf8')).toBe('safe');
  });
});

describe('opening a folder', () => {
  it('makes it, with the folders above it, and nothing in it', async () => {
    const store = await openRunStore(join(parent, 'a', 'b'), { resume: false });
    expect(store.directory).toBe(join(parent, 'a', 'b'));
    expect(await readdir(store.directory)).toEqual([]);
  });

  it('takes one that holds other things, and leaves them alone', async () => {
    await writeFile(join(parent, 'notes.txt'), 'mine');
    const store = await openRunStore(parent, { resume: false });
    await store.journal.append(HEADER);
    expect((await readdir(parent)).sort()).toEqual(['journal.jsonl', 'notes.txt']);
  });

  it('writes over no other run', async () => {
    const store = await openRunStore(parent, { resume: false });
    await store.journal.append(HEADER);
    expect(await refusalOf(openRunStore(parent, { resume: false }))).toBe(
      `${parent} holds a run already (journal.jsonl), which is not written over. Name another folder with --out, or resume that run: wrkbench run --resume ${parent}`,
    );
    await unlink(join(parent, 'journal.jsonl'));
    await store.write('run.json', '{}');
    expect(await refusalOf(openRunStore(parent, { resume: false }))).toBe(
      `${parent} holds a run already (run.json), which is not written over. Name another folder with --out.`,
    );
  });

  it('goes on with nothing where there is nothing', async () => {
    const missing = join(parent, 'gone');
    expect(await refusalOf(openRunStore(missing, { resume: true }))).toBe(
      `There is no folder ${missing}, so there is no run to resume. Start one with: wrkbench run --out ${missing}`,
    );
    expect(await refusalOf(openRunStore(parent, { resume: true }))).toBe(
      `${parent} holds no journal.jsonl, so there is no run to resume. Start one with: wrkbench run --out ${parent}`,
    );
  });

  it('says so where a file is in the way', async () => {
    const file = join(parent, 'file');
    await writeFile(file, '');
    const inTheWay = (path: string) =>
      `${path} cannot be a folder: a file of that name, or of a part of its path, is there. Name another one with --out.`;
    expect(await storeErrorOf(openRunStore(file, { resume: false }))).toBe(inTheWay(file));
    expect(await storeErrorOf(openRunStore(join(file, 'run'), { resume: false }))).toBe(inTheWay(join(file, 'run')));
  });

  it('lets one of two runs that open it at once have it', async () => {
    const stores = [await openRunStore(parent, { resume: false }), await openRunStore(parent, { resume: false })];
    await stores[0]!.journal.append(HEADER);
    expect(await storeErrorOf(stores[1]!.journal.append(HEADER))).toBe(
      `${join(parent, 'journal.jsonl')} was made by somebody else meanwhile. Is another run using this folder? Name another one with --out.`,
    );
    expect(await stores[0]!.journal.read()).toEqual([HEADER]);
  });
});

describe('a journal that was cut off', () => {
  const journal = () => join(parent, 'journal.jsonl');
  const lines = [HEADER, load(1.5), { kind: 'load', seconds: 2 } as const].map(journalLine);

  it('is mended at whatever byte it was cut, and what was cut off is kept', async () => {
    const text = lines.join('');
    const ends = [0, 1, 2, 3].map((count) => lines.slice(0, count).join('').length);
    for (let cut = ends[1]!; cut < text.length; cut += 7) {
      await writeFile(journal(), text.slice(0, cut));
      await rm(join(parent, 'journal.torn'), { force: true });
      const store = await openRunStore(parent, { resume: true });
      const whole = ends.filter((end) => end <= cut).at(-1)!;
      await store.journal.append(load(9));
      expect(await readFile(journal(), 'utf8')).toBe(text.slice(0, whole) + journalLine(load(9)));
      const torn = await readFile(join(parent, 'journal.torn'), 'utf8').catch(() => null);
      expect(torn).toBe(cut === whole ? null : `${text.slice(whole, cut)}\n`);
    }
  });

  it('keeps the fragments of every interruption', async () => {
    await writeFile(journal(), `${lines[0]}{"kind":"sl`);
    await openRunStore(parent, { resume: true });
    await appendFile(journal(), '\u0000\u0000');
    const store = await openRunStore(parent, { resume: true });
    expect(await readFile(join(parent, 'journal.torn'), 'utf8')).toBe('{"kind":"sl\n\u0000\u0000\n');
    expect(await store.journal.read()).toEqual([HEADER]);
  });

  it('is not read where it is spoilt in the middle', async () => {
    await writeFile(journal(), `${lines[0]}not json\n${lines[1]}`);
    const store = await openRunStore(parent, { resume: true });
    await expect(store.journal.read()).rejects.toThrow(UnreadableJournal);
    await expect(store.journal.read()).rejects.toThrow(`${journal()}:2 is not a journal entry.`);
  });
});

describe('a folder that goes wrong in the middle of a run', () => {
  it('is not made again where somebody removed it', async () => {
    const directory = join(parent, 'run');
    const store = await openRunStore(directory, { resume: false });
    await store.journal.append(HEADER);
    await rm(directory, { recursive: true });
    const sentence = (name: string) =>
      `${join(directory, name)} cannot be written: its folder is gone, and what it held went with it. Start again with another --out, and leave it alone during the run.`;
    expect(await storeErrorOf(store.journal.append(load(1)))).toBe(sentence('journal.jsonl'));
    expect(await storeErrorOf(store.writeRaw('wrk.txt', 'x'))).toBe(sentence('raw/wrk.txt'));
    expect(await storeErrorOf(store.write('run.json', '{}'))).toBe(sentence('run.json'));
    expect(await readdir(parent)).toEqual([]);
  });

  it('says whose it is where it may not be written', async () => {
    const directory = join(parent, 'run');
    await mkdir(directory);
    const store = await openRunStore(directory, { resume: false });
    const sentence = (name: string) =>
      `${join(directory, name)} may not be written by this user. Nothing was measured yet. Make the folder yours (sudo chown -R "$USER" ${directory}), then start again with: wrkbench run --out ${directory}`;
    await chmod(parent, 0o755);
    await chmod(directory, 0o555);
    await asOrdinaryUser(async () => {
      expect(await storeErrorOf(store.journal.append(HEADER))).toBe(sentence('journal.jsonl'));
      expect(await storeErrorOf(store.write('report.md', ''))).toBe(sentence('report.md'));
      const below = join(directory, 'below');
      expect(await storeErrorOf(openRunStore(below, { resume: false }))).toContain(
        `${below} may not be written by this user. Nothing was measured yet.`,
      );
    });
    await chmod(directory, 0o755);
  });
});

describe('a disk that is full', () => {
  const full = (directory: string, name: string, kept: boolean) =>
    `The disk of ${directory} is full: ${name} could not be written. ` +
    (kept
      ? `What was measured before is kept in journal.jsonl. Free some space, then resume with: wrkbench run --resume ${directory}`
      : `Nothing was measured yet. Free some space, then start again with: wrkbench run --out ${directory}`);

  it('keeps what was there, leaves no half of anything, and goes on when there is room', async () => {
    if (!(await mountSmallDisk(parent))) return writesToFullDevice();
    try {
      const directory = join(parent, 'run');
      const store = await openRunStore(directory, { resume: false });
      await store.journal.append(HEADER);
      await store.write('run.json', 'old');
      await store.writeRaw('first.txt', 'kept');
      const before = await readFile(join(directory, 'journal.jsonl'), 'utf8');
      await fill(parent);

      const long: ReturnType<typeof load> = {
        kind: 'lost',
        caseKey: 'x'.repeat(20_000),
        reason: { code: 'a', message: 'b' },
      };
      expect(await storeErrorOf(store.journal.append(long))).toBe(full(directory, 'journal.jsonl', true));
      expect(await readFile(join(directory, 'journal.jsonl'), 'utf8')).toBe(before);
      expect(await storeErrorOf(store.writeRaw('wrk.txt', 'y'.repeat(20_000)))).toBe(
        full(directory, 'raw/wrk.txt', true),
      );
      expect(await storeErrorOf(store.write('run.json', 'z'.repeat(20_000)))).toBe(full(directory, 'run.json', true));
      expect(await readFile(join(directory, 'run.json'), 'utf8')).toBe('old');
      expect((await readdir(directory, { recursive: true })).sort()).toEqual([
        ...['journal.jsonl', 'raw', 'raw/first.txt', 'run.json'],
      ]);

      await unlink(join(parent, 'filler'));
      await store.journal.append(long);
      const later = await openRunStore(directory, { resume: true });
      await later.journal.append(load(1));
      expect(await later.journal.read()).toEqual([HEADER, long, load(1)]);
    } finally {
      await unmount(parent);
    }
  });

  it('does not keep the next run out of a folder where nothing was measured', async () => {
    if (!(await mountSmallDisk(parent))) return writesToFullDevice();
    try {
      const directory = join(parent, 'run');
      const store = await openRunStore(directory, { resume: false });
      await fill(parent);
      expect(await storeErrorOf(store.journal.append(HEADER))).toBe(full(directory, 'journal.jsonl', false));
      expect(await readdir(directory)).toEqual([]);
      await unlink(join(parent, 'filler'));
      await (await openRunStore(directory, { resume: false })).journal.append(HEADER);
      await store.write('report.md', 'room again');
    } finally {
      await unmount(parent);
    }
  });

  it('becomes read-only under a run', async () => {
    if (!(await mountSmallDisk(parent))) return writesToFullDevice();
    try {
      const directory = join(parent, 'run');
      const store = await openRunStore(directory, { resume: false });
      await store.journal.append(HEADER);
      await remountReadOnly(parent);
      expect(await storeErrorOf(store.journal.append(load(1)))).toBe(
        `${join(directory, 'journal.jsonl')} lies on a disk that is mounted read-only. What was measured before is kept in journal.jsonl. Mount it for writing, then resume with: wrkbench run --resume ${directory}`,
      );
      const other = join(parent, 'other');
      expect(await storeErrorOf(openRunStore(other, { resume: false }))).toBe(
        `${other} lies on a disk that is mounted read-only. Nothing was measured yet. Name a folder on another disk with --out.`,
      );
    } finally {
      await unmount(parent);
    }
  });

  it('is told apart from what came before it, on the device that is always full', () => writesToFullDevice());

  /** What can be shown without the right to mount: a write that ends in ENOSPC. */
  async function writesToFullDevice(): Promise<void> {
    const directory = join(parent, 'unprivileged');
    const store = await openRunStore(directory, { resume: false });
    await store.journal.append(HEADER);
    await unlink(join(directory, 'journal.jsonl'));
    await symlink('/dev/full', join(directory, 'journal.jsonl'));
    expect(await storeErrorOf(store.journal.append(load(1)))).toBe(full(directory, 'journal.jsonl', true));
  }
});

/** Takes every block that is left. */
async function fill(folder: string): Promise<void> {
  for (const size of [64 * 1024, 4096]) {
    for (;;) {
      const written = await appendFile(join(folder, 'filler'), Buffer.alloc(size)).then(
        () => true,
        () => false,
      );
      if (!written) break;
    }
  }
}

/** Root may write everywhere, so it becomes nobody for a moment. */
async function asOrdinaryUser(work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid!(65_534);
  try {
    await work();
  } finally {
    process.seteuid!(0);
  }
}
