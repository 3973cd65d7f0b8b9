// needs: nothing
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { filesOfTree, openObjectReader } from '../../../src/adapters/git/data-branch/object-reader.ts';

const never = new AbortController().signal;

function repository(hashes: 'sha1' | 'sha256' = 'sha1') {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-objects-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (args: string[], input?: string | Buffer) =>
    execFileSync('git', ['-C', folder, ...args], { input, encoding: 'utf8', stdio: 'pipe' }).trim();
  git(['init', '--quiet', `--object-format=${hashes}`, '--initial-branch=main']);
  return { folder, git, blobOf: (content: string | Buffer) => git(['hash-object', '-w', '--stdin'], content) };
}

async function readerOf(folder: string) {
  const { read, close } = await openObjectReader(folder, { env: {}, timeoutSeconds: 30 });
  onTestFinished(close);
  return { close, read: (name: string, mostBytes: number, signal = never) => read(name, mostBytes, signal) };
}

describe('a reader of git’s objects', () => {
  it('tells contents as they are, and what is not there', async () => {
    const { folder, blobOf } = repository();
    const bytes = Buffer.from([0, 10, 255, 10, 10]);
    const [text, empty, binary] = ['a\n\nä €', '', bytes].map(blobOf);
    const reader = await readerOf(folder);
    expect(
      await Promise.all([text!, 'HEAD:none', empty!, 'f'.repeat(40), binary!].map((name) => reader.read(name, 100))),
    ).toEqual([
      { hash: text, kind: 'blob', content: Buffer.from('a\n\nä €') },
      null,
      { hash: empty, kind: 'blob', content: Buffer.alloc(0) },
      null,
      { hash: binary, kind: 'blob', content: bytes },
    ]);
  });

  it('throws away what is longer than it may be, and goes on', async () => {
    const { folder, blobOf } = repository();
    const [long, short] = ['x'.repeat(1_000_000), 'short'].map(blobOf);
    const reader = await readerOf(folder);
    const lengths = [
      [long!, 999_999],
      [short!, 5],
      [long!, 1_000_000],
      [short!, 4],
    ] as const;
    const read = await Promise.all(lengths.map(([blob, most]) => reader.read(blob, most)));
    expect(read.map((object) => object?.content?.length)).toEqual([undefined, 5, 1_000_000, undefined]);
  });

  it('sees what is added after it was opened', async () => {
    const { folder, blobOf, git } = repository();
    const reader = await readerOf(folder);
    expect(await reader.read('refs/wrkbench/tip', 100)).toBeNull();
    const blob = blobOf('later');
    git(['update-ref', 'refs/wrkbench/tip', blob]);
    expect((await reader.read('refs/wrkbench/tip', 100))?.hash).toBe(blob);
  });

  it.each(['sha1', 'sha256'] as const)('tells the files of a folder, of hashes by %s', async (hashes) => {
    const { folder, git, blobOf } = repository(hashes);
    const name = 'ä b.json';
    writeFileSync(path.join(folder, name), 'one');
    writeFileSync(path.join(folder, 'run'), 'two', { mode: 0o755 });
    git(['add', '.']);
    const tree = git(['write-tree']);
    const outer = git(['mktree'], `040000 tree ${tree}\tfolder\n120000 blob ${blobOf('run')}\tlink\n`);
    const reader = await readerOf(folder);
    expect(filesOfTree((await reader.read(`${outer}:folder`, 1000))!)).toEqual([
      { name: 'run', blob: blobOf('two') },
      { name, blob: blobOf('one') },
    ]);
    // Neither folders nor links are files.
    expect(filesOfTree((await reader.read(outer, 1000))!)).toEqual([]);
    expect(filesOfTree((await reader.read(blobOf('one'), 1000))!)).toEqual([]);
  });

  it('rejects with what git said where that ended', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-objects-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const reader = await readerOf(folder);
    await expect(reader.read('HEAD', 100)).rejects.toThrow(/^not a git repository/);
    await expect(reader.read('HEAD', 100)).rejects.toThrow(/^not a git repository/);
  });

  it('is interrupted without mixing up what is asked afterwards', async () => {
    const { folder, blobOf } = repository();
    const [one, two] = ['one', 'two'].map((content) => blobOf(content));
    const reader = await readerOf(folder);
    const interrupted = new AbortController();
    const first = reader.read(one!, 100, interrupted.signal);
    interrupted.abort(new Error('Ctrl-C'));
    await expect(first).rejects.toThrow('Ctrl-C');
    await expect(reader.read(one!, 100, interrupted.signal)).rejects.toThrow('Ctrl-C');
    expect((await reader.read(two!, 100))?.content?.toString()).toBe('two');
  });

  it('leaves no question open when it is closed', async () => {
    const { folder } = repository();
    const reader = await readerOf(folder);
    const asked = reader.read('HEAD', 100).then(String, String);
    await reader.close();
    expect(await asked).toMatch(/^(null|Error: .+)$/);
    await expect(reader.read('HEAD', 100)).rejects.toThrow();
  });
});
