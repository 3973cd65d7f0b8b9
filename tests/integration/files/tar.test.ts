// needs: nothing
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tarOf } from '../../../src/adapters/docker/tar.ts';

const LONG = `/${'a'.repeat(70)}/${'b'.repeat(70)}/c`;

it('an archive is what tar reads: contents, modes, folders and long paths', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const contents = {
    '/etc/app/config.yml': Buffer.from('größe: 1\n'),
    '/empty': Buffer.alloc(0),
    [LONG]: Buffer.alloc(5000, 'x'),
  };
  const files = Object.entries(contents).map(([path, content]) => ({ path, content, mode: 0o444 }));
  const input = tarOf([{ path: '/etc/wrkbench', content: null, mode: 0o755 }, ...files]);
  execFileSync('tar', ['-x', '-p', '-C', folder], { input });
  for (const [path, content] of Object.entries(contents)) {
    expect(readFileSync(join(folder, path))).toEqual(content);
    expect(statSync(join(folder, path)).mode & 0o777).toBe(0o444);
  }
  expect(statSync(join(folder, 'etc/wrkbench')).isDirectory()).toBe(true);
  const listed = execFileSync('tar', ['-t', '-v', '--numeric-owner'], { input, encoding: 'utf8' });
  expect(listed.match(/ 0\/0 /g)).toHaveLength(4);
});

it('a path that no archive of this kind holds is refused', () => {
  const path = `/${'a'.repeat(101)}`;
  expect(() => tarOf([{ path, content: Buffer.alloc(0), mode: 0o444 }])).toThrow(
    /^The path .* is too long for a container/,
  );
});
