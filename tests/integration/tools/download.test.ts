// needs: linux

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { downloadedProgram } from '../../../src/adapters/tools/download.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { release, serving } from './given.ts';

const never = new AbortController().signal;

describe('a program out of a release', () => {
  it('is there, and runs', async () => {
    const { archive, sha256, program } = release();
    const found = await downloadedProgram(
      'k6',
      { url: await serving(archive), sha256, program },
      temporaryFolder(),
      never,
    );
    expect(found).toEqual({ path: expect.stringMatching(/\/bin\/k6$/) });
    expect(execFileSync((found as { path: string }).path, { encoding: 'utf8' })).toBe('k6 v9.0.0\n');
  });

  it('is not unpacked where it is another one than was pinned', async () => {
    const { archive, sha256, program } = release();
    const folder = temporaryFolder();
    const url = await serving(archive);
    const found = await downloadedProgram('k6', { url, sha256: '0'.repeat(64), program }, folder, never);
    expect(found).toEqual({
      closed: `${url} has the SHA-256 ${sha256}, and ${'0'.repeat(64)} was expected: it was not unpacked.`,
    });
    expect(execFileSync('find', [folder, '-type', 'f'], { encoding: 'utf8' })).toBe('');
  });

  it('says why it cannot be had', async () => {
    const { sha256, program } = release();
    const missing = await serving(Buffer.from('no'), 404);
    expect(await downloadedProgram('k6', { url: missing, sha256, program }, temporaryFolder(), never)).toEqual({
      closed: `${missing} cannot be downloaded: the answer was 404.`,
    });
    const nobody = 'http://127.0.0.1:9/release.tar.gz';
    expect(await downloadedProgram('k6', { url: nobody, sha256, program }, temporaryFolder(), never)).toEqual({
      closed: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/release\.tar\.gz cannot be downloaded: /),
    });
  });
});
