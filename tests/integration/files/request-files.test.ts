import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRequestFiles } from '../../../src/adapters/project/request-files.ts';
import { UnusableRequests } from '../../../src/core/requests/request-set.ts';

/** Two checkouts, of baseline and candidate, and what lies beside them on the machine. */
let folder: string;
let baseline: string;
let candidate: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'wrkbench-project-')));
  baseline = join(folder, 'baseline');
  candidate = join(folder, 'candidate');
  for (const each of [baseline, candidate]) mkdirSync(join(each, '.git'), { recursive: true });
  writeFileSync(join(folder, 'secret'), 's3cret');
});

const textOf = async (files: ReturnType<typeof createRequestFiles>, name: string, mostBytes = 100) =>
  new TextDecoder().decode(await files.read(name, mostBytes));

describe('a file that requests are made of', () => {
  it('is the baseline’s for both sides, where that has it', async () => {
    writeFileSync(join(baseline, 'a.txt'), '/old');
    writeFileSync(join(candidate, 'a.txt'), '/new');
    writeFileSync(join(candidate, 'b.txt'), '/b');
    const files = createRequestFiles(candidate);
    expect(await textOf(files, 'a.txt')).toBe('/new');
    expect(await textOf(files.firstIn(baseline), 'a.txt')).toBe('/old');
    expect(await textOf(files.firstIn(baseline), 'b.txt')).toBe('/b');
  });

  it('is refused where it is not there, where it is too long, and where a link leads out of the checkout', async () => {
    const files = createRequestFiles(candidate);
    await expect(files.read('a.txt', 100)).rejects.toThrow(UnusableRequests);
    await expect(files.read('a.txt', 100)).rejects.toThrow(
      `The file ${join(candidate, 'a.txt')}, which requests are made of, is not there: correct its path in the spec; it is relative to the spec file.`,
    );
    writeFileSync(join(candidate, 'long.txt'), 'x'.repeat(101));
    await expect(files.read('long.txt', 100)).rejects.toThrow('has 101 bytes, where at most 100 are read');
    symlinkSync('../secret', join(candidate, 'link.txt'));
    await expect(files.read('link.txt', 100)).rejects.toThrow('is a link that leads out of');
  });

  it('is not taken from elsewhere where it is there and may not be read', async () => {
    symlinkSync('../secret', join(baseline, 'a.txt'));
    writeFileSync(join(candidate, 'a.txt'), '/new');
    await expect(createRequestFiles(candidate).firstIn(baseline).read('a.txt', 100)).rejects.toThrow(
      'is a link that leads out of',
    );
  });
});
