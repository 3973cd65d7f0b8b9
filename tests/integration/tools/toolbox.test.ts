// needs: linux

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { downloadedProgram } from '../../../src/adapters/tools/download.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';

const never = new AbortController().signal;

/** A release: an archive with a program in a folder. */
function release(): { archive: Buffer; sha256: string } {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'k6-v9-linux'));
  writeFileSync(path.join(folder, 'k6-v9-linux', 'k6'), '#!/bin/sh\necho k6 v9.0.0\n');
  chmodSync(path.join(folder, 'k6-v9-linux', 'k6'), 0o755);
  execFileSync('tar', ['-czf', 'release.tar.gz', 'k6-v9-linux'], { cwd: folder });
  const archive = readFileSync(path.join(folder, 'release.tar.gz'));
  return { archive, sha256: createHash('sha256').update(archive).digest('hex') };
}

async function serving(body: Buffer, status = 200): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/release.tar.gz`;
}

describe('a program out of a release', () => {
  const program = 'k6-v9-linux/k6';

  it('is there, and runs', async () => {
    const { archive, sha256 } = release();
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
    const { archive, sha256 } = release();
    const folder = temporaryFolder();
    const url = await serving(archive);
    const found = await downloadedProgram('k6', { url, sha256: '0'.repeat(64), program }, folder, never);
    expect(found).toEqual({
      closed: `${url} has the SHA-256 ${sha256}, and ${'0'.repeat(64)} was expected: it was not unpacked.`,
    });
    expect(execFileSync('find', [folder, '-type', 'f'], { encoding: 'utf8' })).toBe('');
  });

  it('says why it cannot be had', async () => {
    const { sha256 } = release();
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
