import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../support/spec-folder.ts';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** A checkout that a test works in as its author would. */
export interface Author {
  folder: string;
  git(...args: string[]): string;
  write(files: Record<string, string>): void;
  /** Of everything there is; resolves to its id. */
  commit(files?: Record<string, string>): string;
}

let commits = 0;

export function author(folder: string): Author {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'protocol.file.allow=always', '-C', folder, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder, ...IDENTITY },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const write = (files: Record<string, string>) => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
  };
  return {
    folder,
    git,
    write,
    commit(files = {}) {
      write(files);
      git('add', '--all');
      // Two empty commits of the same second would be the same one.
      commits += 1;
      git('commit', '--quiet', '--allow-empty', '--message', `commit ${commits}`);
      return headOf(folder) ?? git('rev-parse', 'HEAD');
    },
  };
}

/** The commit that a checkout just made, as its files have it; null where they are somewhere else. */
function headOf(folder: string): string | null {
  try {
    const head = readFileSync(join(folder, '.git/HEAD'), 'utf8').trim();
    return head.startsWith('ref: ')
      ? readFileSync(join(folder, '.git', head.slice('ref: '.length)), 'utf8').trim()
      : head;
  } catch {
    return null;
  }
}

/**
 * What `make` makes, in a folder that goes with the test: made once for a file, and copied. Starting git a dozen times for each test was
 * most of what such tests took.
 */
export function copied<T>(make: (own: Author) => T): () => { own: Author; made: T } {
  let first: { folder: string; made: T } | undefined;
  return () => {
    // Another file's temporary folder has gone with it.
    if (first === undefined || !existsSync(first.folder)) {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wrkbench-first-')));
      const own = author(folder);
      own.git('init', '--quiet', '--initial-branch=main');
      first = { folder, made: make(own) };
    }
    const own = author(realpathSync(temporaryFolder()));
    cpSync(first.folder, own.folder, { recursive: true });
    return { own, made: first.made };
  };
}

const emptyRepository = copied(() => null);

/** An empty repository on branch main, in a folder that goes with the test. */
export function newRepository(): Author {
  return emptyRepository().own;
}

/** A clone; `options` such as `--depth=1` hold for it. */
export function cloneOf({ folder }: Author, ...options: string[]): Author {
  const target = realpathSync(temporaryFolder());
  author(target).git('clone', '--quiet', ...options, `file://${folder}`, target);
  return author(target);
}

/** All that a repository keeps besides its checkout's files, and that nobody else may change. */
export function stateOf({ git, folder }: Author): Record<string, string> {
  return {
    status: git('status', '--porcelain'),
    branches: git('for-each-ref'),
    head: git('rev-parse', '--symbolic-full-name', 'HEAD'),
    config: execFileSync('cat', [join(folder, '.git/config')], { encoding: 'utf8' }),
    index: execFileSync('sha256sum', [join(folder, '.git/index')], { encoding: 'utf8' }),
    worktrees: git('worktree', 'list', '--porcelain'),
    left: execFileSync('ls', ['-A', join(folder, '.git')], { encoding: 'utf8' }),
  };
}

export const never = (): AbortSignal => new AbortController().signal;
