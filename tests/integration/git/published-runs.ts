import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { dataBranch } from '../../../src/adapters/git/data-branch/branch.ts';
import { publish } from '../../../src/app/publish.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { keepAll } from '../../../src/core/publication/change.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { type GitServer, gitServer } from '../../support/git-server/server.ts';
import { pagesSource } from '../../support/made-up/pages-source.ts';
import { recordOf } from '../../unit/posting/made-up.ts';

export const never = new AbortController().signal;
const now = new Date('2026-11-21T00:00:00Z');
export const made = {
  pages: pagesSource,
  warn: (text: string) => {
    throw new Error(text);
  },
};
export const options = { retention: keepAll, squash: false, now, ...made };
let server: GitServer;

/** For a file that calls `repository`. */
export function servesGit(): void {
  beforeAll(async () => {
    server = await gitServer();
  });
  afterAll(() => server.close());
}

export const remoteOf = (name: string): string => `${server.url}/${name}.git`;

export function repository(): { folder: string; branch(): ReturnType<typeof dataBranch> } {
  const name = `api-${Math.random().toString(36).slice(2)}`;
  const folder = server.create(name);
  return {
    folder,
    branch() {
      const own = dataBranch({ remote: remoteOf(name), branch: 'gh-pages', token: null });
      onTestFinished(() => own.close());
      return own;
    },
  };
}

export function run(number: number, sha: string): RunRecord {
  const record = recordOf({ id: `20261120-0000${String(number).padStart(2, '0')}-00000a` });
  return { ...record, source: { ...record.source, sha } };
}

export const add = (record: RunRecord, branch: ReturnType<typeof dataBranch>) =>
  publish(record, comparisonOf(record), branch, options, never);
