import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/spec-folder.ts';

/** A program that is a line of shell. */
export function writeProgram(folder: string, name: string, line: string): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${line}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** A release: an archive with a program in a folder. */
export function release(): { archive: Buffer; sha256: string; program: string } {
  const folder = temporaryFolder();
  writeProgram(path.join(folder, 'k6-v9-linux'), 'k6', 'echo k6 v9.0.0');
  execFileSync('/bin/tar', ['-czf', 'release.tar.gz', 'k6-v9-linux'], { cwd: folder });
  const archive = readFileSync(path.join(folder, 'release.tar.gz'));
  return { archive, sha256: createHash('sha256').update(archive).digest('hex'), program: 'k6-v9-linux/k6' };
}

export async function serving(body: Buffer, status = 200): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/release.tar.gz`;
}
