import type { Check, Comment, Forge, LinkedStatus } from '../../src/app/ports/forge.ts';
import { notify as ownNotify } from '../../src/app/posting/notification.ts';
import type { PageLinks } from '../../src/app/posting/page-links.ts';
import type { LostRun } from '../../src/core/posting/lost-run.ts';
import type { FailOn, JudgedRun } from '../../src/core/posting/verdict.ts';

export const noPageLinks: PageLinks = { url: async () => null, advice: async () => null };

/** What people see of runs on a forge, each text whole. */
export interface Posted {
  /** Of the pull request. */
  comment: string;
  /** Of the job. */
  summary: string;
  statuses: LinkedStatus[];
  checks: Check[];
}

interface PostedOptions {
  missing?: readonly LostRun[];
  fail?: FailOn;
  /** Of a product with an addition. */
  notify?: typeof ownNotify;
}

/** What a pull request and a job are sent, by the code that sends it, on a forge that keeps it. Nothing of it may fail. */
export async function posted(
  judged: readonly JudgedRun[],
  { missing = [], fail = 'regression', notify = ownNotify }: PostedOptions = {},
): Promise<Posted> {
  const found: Posted = { comment: '', summary: '', statuses: [], checks: [] };
  const comments: Comment[] = [];
  const forge: Pick<
    Forge,
    'comments' | 'createComment' | 'labelsSet' | 'statuses' | 'setStatus' | 'createCheck' | 'textAt'
  > = {
    comments: async () => comments,
    createComment: async (_, text) => {
      found.comment = text;
      const comment = { id: 1, text, author: 'bot', url: '' };
      comments.push(comment);
      return comment;
    },
    labelsSet: async () => [],
    statuses: async () => found.statuses,
    setStatus: async (_, status) => {
      found.statuses.push(status);
    },
    createCheck: async (_, check) => {
      found.checks.push(check);
    },
    textAt: async () => null,
  };
  const head = { sha: '9d1e7b2c44f0a35be2f8a4d07e5c1b6a3f90d812', branch: 'roles', owner: 'acme' };
  await notify(
    {
      judged,
      missing,
      removed: [],
      recipient: {
        kind: 'pull-request',
        pullRequest: {
          number: 41,
          state: 'open',
          head,
          base: { sha: '3f2c1ab90e6d4b7785c1d2e3f4a5b6c7d8e9f001', branch: 'main' },
          fromFork: false,
          labels: [],
        },
      },
      run: {
        id: 7301,
        attempt: 1,
        event: 'pull_request',
        path: '.github/workflows/benchmark.yml',
        head,
        url: 'https://github.com/acme/shop/actions/runs/7301',
      },
      fail,
      storedAs: null,
      artifacts: new Map(judged.map(({ record }) => [record.spec.name, 5])),
    },
    {
      forge: forge as Forge,
      comment: 'always',
      author: 'bot',
      status: true,
      check: true,
      summary: async (text) => {
        found.summary = text;
      },
      pageLinks: noPageLinks,
      artifactUrl: ({ url }, id) => `${url}/artifacts/${id}`,
      warn: (text) => {
        throw new Error(text);
      },
    },
  );
  return found;
}
