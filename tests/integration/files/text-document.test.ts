// needs: nothing
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTextDocument, writeTextDocument } from '../../../src/adapters/files/text-document.ts';

const folder = () => mkdtempSync(path.join(tmpdir(), 'text-document-'));

describe('a text that is written again', () => {
  it('is the same to the last byte', async () => {
    const file = path.join(folder(), 'BENCHMARK.md');
    const text = '\ufeff# Ünïcode 🚀\r\n\r\nlast';
    writeFileSync(file, text);
    expect(await readTextDocument(file)).toBe(text);
    await writeTextDocument(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(path.dirname(file))).toEqual(['BENCHMARK.md']);
  });

  it('is null where there is none, and begins there', async () => {
    const file = path.join(folder(), 'BENCHMARK.md');
    expect(await readTextDocument(file)).toBeNull();
    await writeTextDocument(file, 'x');
    expect(readFileSync(file, 'utf8')).toBe('x');
  });

  it('stays where a link leads, with its permissions', async () => {
    const own = folder();
    const target = path.join(own, 'target.md');
    writeFileSync(target, 'old');
    chmodSync(target, 0o640);
    const link = path.join(own, 'BENCHMARK.md');
    symlinkSync('target.md', link);
    await writeTextDocument(link, 'new');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('new');
    expect(statSync(target).mode & 0o777).toBe(0o640);
  });

  it('is written beside links with the names that it could have had until it was whole', async () => {
    const own = folder();
    const other = path.join(folder(), 'victim');
    writeFileSync(other, 'safe');
    symlinkSync(other, path.join(own, `.BENCHMARK.md.${process.pid}.new`));
    await writeTextDocument(path.join(own, 'BENCHMARK.md'), 'new');
    expect([readFileSync(path.join(own, 'BENCHMARK.md'), 'utf8'), readFileSync(other, 'utf8')]).toEqual([
      'new',
      'safe',
    ]);
  });

  it('is refused where it is no text, too long or a folder', async () => {
    const own = folder();
    const binary = path.join(own, 'a');
    writeFileSync(binary, Buffer.from([0x23, 0xff, 0xfe]));
    await expect(readTextDocument(binary)).rejects.toThrow(/a is not a text in UTF-8, so it is left as it was/);
    const long = path.join(own, 'b');
    writeFileSync(long, Buffer.alloc(4 * 1024 * 1024 + 1, 'x'));
    await expect(readTextDocument(long)).rejects.toThrow(/b has 4194305 bytes, where at most 4194304 are read/);
    await expect(readTextDocument(own)).rejects.toThrow(/is a folder, not a file/);
  });

  it('that cannot be written leaves what was there', async () => {
    const own = folder();
    await expect(writeTextDocument(path.join(own, 'gone', 'BENCHMARK.md'), 'x')).rejects.toThrow(
      /BENCHMARK\.md could not be written \(.*\), and is as it was/,
    );
    expect(readdirSync(own)).toEqual([]);
  });
});
