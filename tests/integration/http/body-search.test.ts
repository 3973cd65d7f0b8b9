import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBodySearch } from '../../../src/adapters/http/body-search.ts';

const NEVER = new AbortController().signal;
/** Takes time that grows with the square of the body's length: some 18 s. */
const SLOW = '\\s+$x';
const BODY = ' '.repeat(60 * 1024);

describe('a search in a body', () => {
  it('finds what is there, and does not find what is not', async () => {
    const bodySearch = createBodySearch();
    expect(await bodySearch.search('"ok":\\s*true', '{"ok": true}', NEVER)).toEqual({ kind: 'found' });
    expect(await bodySearch.search('^ok', '{"ok": true}', NEVER)).toEqual({ kind: 'absent' });
  });

  it('is given up after a second, and the next one works', async () => {
    const bodySearch = createBodySearch();
    const searches = [bodySearch.search(SLOW, BODY, NEVER), bodySearch.search('x', 'x', NEVER)];
    expect(await Promise.all(searches)).toEqual([{ kind: 'stopped', seconds: 1 }, { kind: 'found' }]);
  });

  it('leaves everything else running meanwhile', async () => {
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 10);
    await createBodySearch().search(SLOW, BODY, NEVER);
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(0);
  });

  it('says of an expression that cannot be used why it cannot', async () => {
    const result = await createBodySearch().search('(', 'x', NEVER);
    expect(result).toMatchObject({ kind: 'failed', message: expect.stringContaining('Invalid regular expression') });
  });

  it('ends with the reason of the signal, before it and in the middle of it', async () => {
    const bodySearch = createBodySearch({ limitSeconds: 100 });
    const before = AbortSignal.abort(new Error('too late'));
    await expect(bodySearch.search('x', 'x', before)).rejects.toThrow('too late');
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('interrupted')), 100);
    await expect(bodySearch.search(SLOW, BODY, controller.signal)).rejects.toThrow('interrupted');
    expect(await bodySearch.search('x', 'x', NEVER)).toEqual({ kind: 'found' });
  });
});

/** What the bundles make of it: CommonJS, and no file beside. */
const PROGRAM = `
import { createBodySearch } from './src/adapters/http/body-search.ts';
import { interruption } from './src/entry/interruption.ts';

const { signal } = interruption();
const [expression, body] = JSON.parse(process.argv[2]);
const ticking = process.argv[3] === 'say' ? setInterval(() => process.stdout.write('searching\\n'), 50) : null;
createBodySearch({ limitSeconds: 100 })
  .search(expression, body, signal)
  .then(({ kind }) => process.stdout.write(kind + '\\n'), ({ message }) => process.stdout.write(message + '\\n'))
  .finally(() => clearInterval(ticking));
`;

describe('a search in a bundle', () => {
  let folder: string;
  const program = () => path.join(folder, 'program.cjs');
  const started: ChildProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'wrkbench-search-'));
    await build({
      stdin: { contents: PROGRAM, resolveDir: process.cwd(), loader: 'ts' },
      ...{ outfile: program(), bundle: true, format: 'cjs', platform: 'node', target: 'node22' },
      ...{ minifyWhitespace: true, minifySyntax: true, logLevel: 'silent' },
    });
  });

  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const start = (...words: string[]) => {
    const child = spawn(process.execPath, [program(), ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
    started.push(child);
    return child;
  };

  it('works, and holds up no end of the program', async () => {
    const child = start(JSON.stringify(['b+', 'abba']));
    expect(await text(child.stdout)).toBe('found\n');
  });

  it('is interrupted by SIGTERM', async () => {
    const child = start(JSON.stringify([SLOW, BODY]), 'say');
    child.stdout.once('data', () => child.kill('SIGTERM'));
    const said = await text(child.stdout);
    expect(said.replace(/^(searching\n)+/, '')).toBe(
      'The run was interrupted by SIGTERM; what it had measured is kept.\n',
    );
  });
});
