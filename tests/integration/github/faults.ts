import { expect } from 'vitest';
import { commentText } from '../../../src/core/posting/sticky-comment.ts';
import type { Fault } from '../../support/github-api/server.ts';
import { slower } from '../../unit/posting/made-up.ts';
import { ALWAYS, addArtifact, BASE, BOT, HEAD, MERGE, OTHER, recordFor, type World, world } from './given.ts';
import { reportedByTask } from './task.ts';

type Kind = Fault['kind'];

/**
 * Pull request 12 makes something slower, has a label that does not accept it, and was merged into a commit that its base
 * has moved on from: all that a report may ask is asked. An earlier attempt has left a comment.
 */
async function secondAttempt(): Promise<World> {
  const given = await world({ secondMs: 2 });
  const { forge } = given;
  forge.commits.set(MERGE, { parents: [OTHER, HEAD], message: 'Merge' });
  forge.files.set(OTHER, forge.files.get(BASE)!);
  forge.runs[0]!.run_attempt = 2;
  addArtifact(forge, recordFor(slower, MERGE, OTHER), { name: 'wrkbench-rest-api+attempt-2' });
  const [label, created_at] = ['perf-accepted: /nothing', '2026-11-20T09:30:00Z'];
  forge.pulls[0]!.labels = [label];
  forge.events.push({ issue: 12, event: 'labeled', label, actor: 'alice', created_at });
  forge.collaborators.set('alice', 'write');
  const before = {
    specName: 'rest-api',
    run: 7301,
    attempt: 1,
    sha: HEAD,
    weight: 7,
    headline: '🟢 No change',
    body: '',
  };
  forge.comments.push({ id: 1001, issue: 12, body: commentText([before]), author: BOT });
  return given;
}

/** What comes of it where requests of an operation fail. `marks`: of our comments. */
async function withFaults(operation: string, kind: Kind, times: number) {
  const given = await secondAttempt();
  given.api.faults.push({ operation, times, kind });
  const { failed, said } = await reportedByTask(given).catch((error: Error) => ({
    failed: true,
    said: [error.message],
  }));
  const { forge, warnings, api } = given;
  return {
    kind,
    failed,
    state: forge.statuses.at(-1)?.state,
    marks: forge.comments.map(({ body }) => /### (\S+)/u.exec(body)?.[1]),
    // A limit is told when it is met; that the request was sent again says that it was no harm.
    told: [...warnings, ...said].filter((text) => !/ met a secondary limit of the API: /.test(text)),
    left: api.faults[0]!.times,
  };
}

const READS = [
  'actions/get-workflow-run',
  'pulls/list',
  'pulls/list-files',
  'issues/list-events',
  'actions/list-workflow-runs-for-repo',
  'repos/get-collaborator-permission-level',
  'repos/get-content',
  'git/get-commit',
  'repos/compare-commits-with-basehead',
  'actions/list-workflow-run-artifacts',
  'actions/download-artifact',
  'storage',
  'repos/list-commit-statuses-for-ref',
  'issues/list-comments',
  'issues/get-comment',
];
const WRITES = ['repos/create-commit-status', 'issues/update-comment'];

/** Operation, and how it may fail for a moment. */
export const FOR_A_MOMENT = [...READS, ...WRITES].map((operation): [string, Kind[]] => {
  const own: Kind[] = operation === 'storage' ? ['cut'] : WRITES.includes(operation) ? ['apply-and-drop'] : [];
  return [operation, [500, 502, 'secondary-limit', 'drop', ...own]];
});

export async function expectNoHarm(operation: string, kinds: readonly Kind[]): Promise<void> {
  expect(await Promise.all(kinds.map((kind) => withFaults(operation, kind, 2)))).toEqual(
    kinds.map((kind) => ({ kind, failed: true, state: 'failure', marks: ['🔴'], told: [], left: 0 })),
  );
}

/** The comment of the earlier attempt stays, or what it says now; `told`: what the job is told. */
interface Outcome {
  state: 'failure' | 'error' | undefined;
  mark: '🔴' | '❌' | '🟢';
  told: RegExp;
}
const notVerified = (told: RegExp): Outcome => ({ state: 'error', mark: '❌', told });
const notAccepted = (told: RegExp): Outcome => ({ state: 'failure', mark: '🔴', told });
const notMeasured: Outcome = { state: 'error', mark: '❌', told: /^rest-api was not measured: the artifacts? / };
const notPosted = (told: RegExp): Outcome => ({ state: 'failure', mark: '🟢', told });

const LASTING: Kind[] = [500, 502, 'secondary-limit', 404, 422, 'drop'];
/** Where that is an answer: it is not there, or is no commit. */
const ANSWERS: Record<string, Kind[]> = {
  'repos/get-content': [404],
  'repos/compare-commits-with-basehead': [404],
  'repos/get-collaborator-permission-level': [404],
  'git/get-commit': [404, 422],
};

const OUTCOMES: [string, Outcome][] = [
  ['pulls/list', { state: 'error', mark: '🟢', told: /^GET \/repos\/acme\/api\/pulls was / }],
  [
    'pulls/list-files',
    notVerified(/^What pull request 12 changes is not known, so that its run is not verified: GET /),
  ],
  ['git/get-commit', notVerified(/^What ccccccc is a merge of is not known: GET /)],
  ['repos/get-content', notVerified(/^The specs at ddddddd cannot be read, and are not known: GET /)],
  ['repos/compare-commits-with-basehead', notVerified(/^Whether main holds ddddddd is not known: GET /)],
  ['issues/list-events', notAccepted(/^Whether a label was set for aaaaaaa is not known, so that none counts: GET /)],
  ['actions/list-workflow-runs-for-repo', notAccepted(/^Whether a label was set for aaaaaaa is not known, .*: GET /)],
  ['repos/get-collaborator-permission-level', notAccepted(/^Whether alice may write here is not known, .*: GET /)],
  ['actions/list-workflow-run-artifacts', notMeasured],
  ['actions/download-artifact', notMeasured],
  ['storage', notMeasured],
  ['issues/list-comments', notPosted(/^The comment cannot be written: GET /)],
  ['issues/get-comment', notPosted(/^The comment cannot be written: (?:GET .*|.* was removed meanwhile\.$)/)],
  ['issues/update-comment', notPosted(/^The comment cannot be written: PATCH /)],
  [
    'repos/create-commit-status',
    { state: undefined, mark: '🔴', told: /^The status wrkbench\/rest-api cannot be written: POST / },
  ],
];

/** Operation, how it may fail on and on, and what comes of it. */
export const ON_AND_ON = OUTCOMES.map(([operation, outcome]): [string, Kind[], Outcome] => {
  const own: Kind[] = operation === 'storage' ? ['cut'] : [];
  return [operation, [...LASTING, ...own].filter((kind) => !(ANSWERS[operation] ?? []).includes(kind)), outcome];
});

export async function expectToBeTold(
  operation: string,
  kinds: readonly Kind[],
  { state, mark, told }: Outcome,
): Promise<void> {
  const ended = await Promise.all(kinds.map((kind) => withFaults(operation, kind, ALWAYS)));
  expect(ended.map(({ kind, failed, ...rest }) => ({ kind, failed, state: rest.state, marks: rest.marks }))).toEqual(
    kinds.map((kind) => ({ kind, failed: true, state, marks: [mark] })),
  );
  for (const each of ended) expect(each.told.filter((text) => told.test(text))).toHaveLength(1);
}
