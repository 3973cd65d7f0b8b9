// needs: nothing
import { describe, expect, it } from 'vitest';
import type { Forge } from '../../../src/app/ports/forge.ts';
import { reportRun } from '../../../src/app/posting/report-run.ts';
import { writeSticky } from '../../../src/app/posting/sticky-comment.ts';
import { type CommentSection, commentText, readComment } from '../../../src/core/posting/sticky-comment.ts';
import type { Fault } from '../../support/github-api/server.ts';
import { recordOf, slower } from '../../unit/posting/made-up.ts';
import { addArtifact, BOT, HEAD, MERGE, recordFor, reported, type World, world } from './given.ts';

const never = new AbortController().signal;
const own = ({ forge }: World) => forge.comments.filter(({ author }) => author === BOT);

async function slowerWorld(): Promise<World> {
  const given = await world({ secondMs: 2 });
  addArtifact(given.forge, recordFor(slower));
  return given;
}

describe('where somebody removes the comment meanwhile', () => {
  it('it is written anew', async () => {
    const given = await world();
    const record = recordOf(slower);
    addArtifact(given.forge, { ...record, source: { ...record.source, sha: MERGE } });
    const adapters = given.adapters();
    await reportRun(await given.request(), adapters, never);
    const update = adapters.forge.updateComment;
    let removed = false;
    adapters.forge.updateComment = async (id, text) => {
      if (!removed) given.forge.comments.length = 0;
      removed = true;
      return await update(id, text);
    };
    given.forge.runs[0]!.run_attempt = 2;
    await reportRun(await given.request(), adapters, never);
    expect({ removed, comments: given.forge.comments.length }).toEqual({ removed: true, comments: 1 });
  });

  it('between writing it and looking for others, that is all right: it is gone, and nothing fails', async () => {
    const given = await slowerWorld();
    const forge = { ...given.adapters().forge };
    forge.createComment = async (number, text) => {
      const created = await given.adapters().forge.createComment(number, text);
      given.forge.comments.length = 0;
      return created;
    };
    await reported(given, {}, { forge });
    expect([given.forge.comments, given.warnings]).toEqual([[], []]);
    expect(given.forge.statuses).toMatchObject([{ state: 'failure' }]);
  });

  it('again and again, it is told at last', async () => {
    const given = await slowerWorld();
    await reported(given);
    given.forge.runs[0]!.run_attempt = 2;
    given.api.faults.push({ operation: 'issues/update-comment', times: 3, kind: 404 });
    await reported(given);
    expect(given.warnings).toEqual([expect.stringMatching(/^The comment cannot be written: PATCH .* 404/)]);
    expect(given.forge.statuses).toHaveLength(2);
  });
});

describe('the comment below many others', () => {
  it.each([31, 301])('is found after %i of them, and is the only one', async (count) => {
    const given = await slowerWorld();
    for (let index = 0; index < count; index += 1) {
      given.forge.comments.push({ id: 500 + index, issue: 12, body: 'LGTM', author: index % 2 === 0 ? 'bob' : BOT });
    }
    await reported(given);
    const first = given.forge.comments.at(-1)!.id;
    given.forge.runs[0]!.run_attempt = 2;
    await reported(given);
    const ours = own(given).filter(({ body }) => body !== 'LGTM');
    expect(ours).toMatchObject([{ id: first, body: expect.stringContaining('attempt=2') }]);
  });
});

describe('two comments of ours', () => {
  /** The second as a report of another spec left it, which could not fold it. */
  async function doubled(): Promise<World> {
    const given = await slowerWorld();
    await reported(given);
    const [first] = given.forge.comments;
    const web = first!.body.replaceAll('begin rest-api ', 'begin web ');
    given.forge.comments.push({ ...first!, id: first!.id + 1, body: web });
    given.forge.runs[0]!.run_attempt = 2;
    return given;
  }

  it('become one, which says what both did', async () => {
    const given = await doubled();
    await reported(given);
    expect(given.forge.comments).toHaveLength(1);
    const { body } = given.forge.comments[0]!;
    expect(
      [...body.matchAll(/begin (\S+) run=7301 attempt=(\d)/g)].map(([, name, attempt]) => `${name} ${attempt}`),
    ).toEqual(['rest-api 2', 'web 1']);
  });

  it.each<[string, Fault['kind']]>([
    ['issues/get-comment', 500],
    ['issues/get-comment', 'drop'],
    ['issues/delete-comment', 500],
    ['issues/delete-comment', 'secondary-limit'],
    ['issues/delete-comment', 'drop'],
    ['issues/delete-comment', 'apply-and-drop'],
    ['issues/delete-comment', 404],
  ])('become one although %s fails for a moment with %s', async (operation, kind) => {
    const given = await doubled();
    given.api.faults.push({ operation, times: 1, kind });
    await reported(given);
    if (kind === 404) await reported(given);
    expect(given.forge.comments).toHaveLength(1);
    expect(given.warnings.filter((text) => !text.includes('met a secondary limit'))).toEqual([]);
  });

  it('stay two where one cannot be removed, which is told, and the first says all of it', async () => {
    const given = await doubled();
    given.api.faults.push({ operation: 'issues/delete-comment', times: 100, kind: 500 });
    await reported(given);
    expect(given.forge.comments).toHaveLength(2);
    expect(given.forge.comments[0]!.body).toContain('begin web run=7301 attempt=1');
    expect(given.forge.comments[0]!.body).toContain('begin rest-api run=7301 attempt=2');
    expect(given.warnings).toEqual([expect.stringMatching(/^The comment cannot be written: DELETE .* 500/)]);
  });
});

describe('two reports at once', () => {
  it.each<Fault['kind'] | null>([null, 500, 'drop', 'apply-and-drop', 'secondary-limit'])(
    'leave one comment, of the later run, with %s at each of the first requests that create one',
    async (kind) => {
      const given = await slowerWorld();
      given.forge.runs.push({ ...given.forge.runs[0]!, id: 7400 });
      addArtifact(given.forge, recordFor({ rounds: 20 }), { run: 7400 });
      if (kind !== null) given.api.faults.push({ operation: 'issues/create-comment', times: 2, kind });
      const { forge } = given.adapters();
      const runs = await Promise.all([7301, 7400].map(async (id) => (await forge.workflowRun(id))!));
      await Promise.all(runs.map((run) => reported(given, { run })));
      expect(own(given)).toHaveLength(1);
      expect(own(given)[0]!.body).toMatch(/begin rest-api run=7400[\s\S]*### 🟢/u);
      expect(given.forge.statuses.at(-1)).toMatchObject({ state: 'success' });
    },
  );
});

describe('two reports at once into a comment that is there', () => {
  const section = (specName: string, attempt: number): CommentSection => ({
    specName,
    run: 7301,
    attempt,
    sha: HEAD,
    weight: 7,
    headline: `🟢 No change ${attempt}`,
    body: '',
  });
  /** What a comment says of both specs, as an earlier run has left it. */
  async function earlier(): Promise<World> {
    const given = await world({ secondMs: 2 });
    const body = commentText([section('api', 1), section('web', 1)]);
    given.forge.comments.push({ id: 1001, issue: 12, body, author: BOT });
    return given;
  }
  const write = (forge: Forge, own: CommentSection) =>
    writeSticky({ pullRequest: 12, sections: [own], author: BOT, create: true }, forge);
  const said = ({ forge }: World) =>
    readComment(forge.comments[0]!.body)!.map(({ specName, attempt }) => `${specName} ${attempt}`);

  /** Each waits after the first time of these for the other one. */
  function inStep(given: World, ...names: ('comments' | 'comment' | 'updateComment')[]): [Forge, Forge] {
    const meetings = new Map(names.map((name) => [name, meeting()]));
    const own = (): Forge => {
      const { forge } = given.adapters();
      const met = new Set<string>();
      const together = async <T>(name: (typeof names)[number], answer: Promise<T>): Promise<T> => {
        const found = await answer;
        if (!met.has(name)) await meetings.get(name)?.();
        met.add(name);
        return found;
      };
      return {
        ...forge,
        comments: (number) => together('comments', forge.comments(number)),
        comment: (id) => together('comment', forge.comment(id)),
        updateComment: (id, text) => together('updateComment', forge.updateComment(id, text)),
      };
    };
    return [own(), own()];
  }

  it('keep what the other one has written since both looked for the comment', async () => {
    const given = await earlier();
    const [one, other] = inStep(given, 'comments');
    await Promise.all([write(one, section('api', 2)), write(other, section('web', 2))]);
    expect(said(given)).toEqual(['api 2', 'web 2']);
  });

  it('write again what the other one has written over', async () => {
    const given = await earlier();
    const [one, other] = inStep(given, 'comments', 'comment', 'updateComment');
    await Promise.all([write(one, section('api', 2)), write(other, section('web', 2))]);
    expect(said(given)).toEqual(['api 2', 'web 2']);
    expect(given.api.calls.filter((call) => call === 'PATCH issues/update-comment')).toHaveLength(3);
  });

  it('write again as well where the same run is told of once more, as after a label', async () => {
    const given = await earlier();
    const [one, other] = inStep(given, 'comments', 'comment', 'updateComment');
    const accepted = { ...section('api', 1), headline: '🟡 Accepted regression' };
    await Promise.all([write(one, accepted), write(other, section('web', 2))]);
    expect(given.forge.comments[0]!.body).toContain('Accepted regression');
    expect(said(given)).toEqual(['api 1', 'web 2']);
  });

  it('leave what a later run has said, which comes between reading and writing', async () => {
    const given = await earlier();
    const [one, other] = inStep(given, 'comments', 'comment', 'updateComment');
    const results = await Promise.all([write(one, section('api', 2)), write(other, section('api', 3))]);
    expect(said(given)).toEqual(['api 3', 'web 1']);
    expect(results.map(({ kind }) => kind)).toContain('written');
  });

  it('give up where each of five writes is written over, and say what to do', async () => {
    const given = await earlier();
    const { forge } = given.adapters();
    const before = given.forge.comments[0]!.body;
    const undone: Forge = {
      ...forge,
      updateComment: async (id, text) => {
        const updated = await forge.updateComment(id, text);
        given.forge.comments[0]!.body = before;
        return updated;
      },
    };
    await expect(write(undone, section('api', 2))).rejects.toThrow(
      /#issuecomment-1001 was written 5 times, and written over by others each time\. Run this job again\.$/,
    );
    expect(given.api.calls.filter((call) => call === 'PATCH issues/update-comment')).toHaveLength(5);
  });

  it('ask four times in all where nobody else writes, and once where there is nothing to write', async () => {
    const given = await earlier();
    await write(given.adapters().forge, section('api', 2));
    expect(given.api.calls).toEqual([
      'GET issues/list-comments',
      'GET issues/get-comment',
      'PATCH issues/update-comment',
      'GET issues/get-comment',
    ]);
    await write(given.adapters().forge, section('api', 2));
    expect(given.api.calls.slice(4)).toEqual(['GET issues/list-comments']);
  });
});

/** Resolves for both who come once the second one has. */
function meeting(): () => Promise<void> {
  let open: () => void;
  const met = new Promise<void>((resolve) => {
    open = resolve;
  });
  let come = 0;
  return async () => {
    come += 1;
    if (come === 2) open();
    await met;
  };
}
