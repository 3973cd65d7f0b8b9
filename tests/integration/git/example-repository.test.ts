// needs: git
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { writeExampleRepository } from '../../../src/adapters/git/example-repository.ts';
import { specFolder } from '../../support/spec-folder.ts';

const versions = [
  { subject: 'First', files: { 'server.js': 'old\r\n', 'schema.sql': 'SELECT 1;\n' } },
  { subject: 'Second', files: { 'server.js': 'new\r\n' } },
];
const { signal } = new AbortController();

describe('a repository of an example', () => {
  it('has its commits and files whatever the person has told git, and nothing left over', async () => {
    const home = specFolder({
      '.gitconfig':
        '[commit]\n\tgpgsign = true\n[core]\n\texcludesFile = ~/ignored\n\tautocrlf = true\n[init]\n\ttemplateDir = ~/hooks\n',
      ignored: '*.sql\n',
      'hooks/hooks/pre-commit': '#!/bin/sh\nexit 1\n',
    });
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = path.join(home, 'example');
    expect(await writeExampleRepository(folder, versions, signal)).toBeNull();
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
    expect(git('log', '--format=%s %an')).toBe('Second wrkbench demo\nFirst wrkbench demo\n');
    expect(git('show', 'HEAD~1:server.js')).toBe('old\r\n');
    expect(git('ls-files')).toBe('schema.sql\nserver.js\n');
    expect(git('-c', 'core.autocrlf=false', 'status', '--porcelain')).toBe('');
  });

  it('says why it could not be made', async () => {
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = path.join(specFolder({}), 'example');
    expect(await writeExampleRepository(folder, versions, signal)).toBe('git was not found on the PATH');
  });
});
