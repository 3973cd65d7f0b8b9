import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { K6_MODULE } from '../../../src/core/generators/k6/release.ts';
import { specFolder } from '../../support/spec-folder.ts';

// Plain JavaScript, because it runs before anything is installed.
const SCRIPTS = fileURLToPath(new URL('../../../scripts/', import.meta.url));
const script = <T>(path: string): Promise<T> => import(`${SCRIPTS}${path}`) as Promise<T>;

interface ZippedFile {
  name: string;
  content: Buffer;
}
const { filesOfZip, moduleChecksum } = await script<{
  filesOfZip(zip: Buffer): Iterable<ZippedFile>;
  moduleChecksum(files: ZippedFile[]): string;
}>('setup/module-zip.mjs');
const { dependenciesAreCurrent } = await script<{ dependenciesAreCurrent(root: string): boolean }>(
  'setup/node-modules.mjs',
);
interface GoProgram {
  name: string;
  module: string;
  version: string;
}
const { goInstallCommand, K6, WORKFLOW_PROGRAMS } = await script<{
  goInstallCommand(program: GoProgram): string;
  K6: GoProgram;
  WORKFLOW_PROGRAMS: GoProgram[];
}>('setup/go-programs.mjs');
const { pinnedProgram } = await script<{
  pinnedProgram(name: string, version: string, folder: string): string | null;
}>('setup/machine.mjs');

describe('a Go module as the proxy serves it', () => {
  const zip = readFileSync('fixtures/modules/intern-v1.0.0.zip');

  it('has the checksum that the checksum database keeps', () => {
    expect(moduleChecksum([...filesOfZip(zip)])).toBe('h1:vlS4z54oSdjm0bgjRigI+G1HpF+tI+9rE5LLzOg8HmY=');
  });

  it('has another one when a byte of a file is another', () => {
    const files = [...filesOfZip(zip)].map(({ name, content }) => ({ name, content: Buffer.from(content) }));
    files[0]!.content[0]! ^= 1;
    expect(moduleChecksum(files)).not.toBe('h1:vlS4z54oSdjm0bgjRigI+G1HpF+tI+9rE5LLzOg8HmY=');
  });

  it('is refused when it is cut short', () => {
    expect(() => [...filesOfZip(zip.subarray(0, 1000))]).toThrow('not a zip file');
  });
});

describe('node_modules', () => {
  const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });
  const wanted = lock({
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/mac-only': { version: '2.0.0', optional: true },
  });

  function project(installed: object): string {
    const root = specFolder({ 'package-lock.json': wanted, 'node_modules/.package-lock.json': lock(installed) });
    for (const path of Object.keys(installed)) mkdirSync(join(root, path), { recursive: true });
    return root;
  }

  it('are current with what the lock file names, without what is optional and for another platform', () => {
    expect(dependenciesAreCurrent(project({ 'node_modules/a': { version: '1.0.0' } }))).toBe(true);
  });

  it('are stale with another version', () => {
    expect(dependenciesAreCurrent(project({ 'node_modules/a': { version: '1.0.1' } }))).toBe(false);
  });

  it('are stale where a package is missing', () => {
    expect(dependenciesAreCurrent(project({}))).toBe(false);
  });

  it('are stale where a folder was deleted', () => {
    const root = specFolder({ 'package-lock.json': wanted });
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'node_modules/.package-lock.json'), lock({ 'node_modules/a': { version: '1.0.0' } }));
    expect(dependenciesAreCurrent(root)).toBe(false);
  });
});

describe('programs that set-up brings', () => {
  it('are the k6 that is brought everywhere else', () => {
    expect(goInstallCommand(K6)).toBe(`go install ${K6_MODULE}`);
  });

  it('are typed by hand as they are built, and to where they count', () => {
    expect(WORKFLOW_PROGRAMS.map(goInstallCommand)).toEqual([
      'go install github.com/nektos/act@v0.2.89',
      expect.stringMatching(
        /^GOBIN=\S+\/wrkbench\/bin go install github\.com\/rhysd\/actionlint\/cmd\/actionlint@v1\.7\.12$/,
      ),
    ]);
  });

  it('count only in the version that is pinned, where one is', () => {
    const folder = specFolder({ 'linter-a': '#!/bin/sh\necho v1.7.12\n', 'linter-b': '#!/bin/sh\necho b 1.32.0\n' });
    for (const name of ['linter-a', 'linter-b']) chmodSync(join(folder, name), 0o755);
    expect(pinnedProgram('linter-a', '1.7.12', folder)).toBe(join(folder, 'linter-a'));
    expect(pinnedProgram('linter-b', '1.32.0', folder)).toBe(join(folder, 'linter-b'));
    expect(pinnedProgram('linter-a', '1.7.1', folder)).toBeNull();
    expect(pinnedProgram('sh', '1.7.12', folder)).toBeNull();
  });
});
