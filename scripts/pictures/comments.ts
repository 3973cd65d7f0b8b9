import type { Check, Forge } from '../../src/app/ports/forge.ts';
import { type Notification, notify } from '../../src/app/posting/notification.ts';
import { noPageLinks } from '../../src/app/posting/page-links.ts';
import type { Reporter } from '../../src/app/posting/reporter.ts';
import type { JudgedRun } from '../../src/core/posting/verdict.ts';
import { githubPage } from './github-page.ts';
import { eachWay, type Picture } from './picture.ts';
import { type Example, examples } from './verdicts.ts';

/** The comment and the summary of every verdict; those that documents show are kept. */
export async function pictures(): Promise<Picture[]> {
  const found: Picture[] = [];
  for (const [name, example] of Object.entries(examples)) {
    const { comment, summary } = await told(example);
    found.push(
      ...eachWay(`comment-${name}`, githubPage(comment, 'comment'), ({ dark }) => !dark || name === 'regression'),
      ...eachWay(`summary-${name}`, githubPage(summary, 'summary'), ({ dark }) => !dark && KEPT_SUMMARIES.has(name)),
    );
  }
  return found;
}

const KEPT_SUMMARIES = new Set(['regression', 'build-failed', 'spec-mistake']);

/** What a pull request and a job are sent, by the code that sends it. */
async function told({
  judged,
  missing = [],
  fail = 'regression',
}: Example): Promise<Record<'comment' | 'summary', string>> {
  const said = { comment: '', summary: '' };
  const comments: { id: number; text: string; author: string; url: string }[] = [];
  const forge = {
    comments: async () => comments,
    createComment: async (_: number, text: string) => {
      said.comment = text;
      comments.push({ id: 1, text, author: 'bot', url: '' });
      return comments[0]!;
    },
    labelsSet: async () => [],
    createCheck: async (_: string, check: Check) => check,
  } as unknown as Forge;
  const reporter: Reporter = {
    forge,
    comment: 'always',
    author: 'bot',
    status: false,
    check: false,
    summary: async (text) => {
      said.summary = text;
    },
    pageLinks: noPageLinks,
    artifactUrl: ({ url }, id) => `${url}/artifacts/${id}`,
    warn: (text) => {
      throw new Error(text);
    },
  };
  const head = { sha: '9d1e7b2c44f0a35be2f8a4d07e5c1b6a3f90d812', branch: 'roles', owner: 'acme' };
  const notification: Notification = {
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
      path: '.github/workflows/benchmark.yml',
      head,
      url: 'https://github.com/acme/shop/actions/runs/7301',
    },
    fail,
    storedAs: null,
    artifacts: new Map(judged.map(({ record }: JudgedRun) => [record.spec.name, 5])),
  };
  await notify(notification, reporter);
  return said;
}
