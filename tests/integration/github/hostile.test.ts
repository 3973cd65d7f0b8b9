// needs: nothing
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readComment } from '../../../src/core/posting/sticky-comment.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { rendered } from '../../support/github-markdown/rendered.ts';
import { slower } from '../../unit/posting/made-up.ts';
import { addArtifact, BASE, HEAD, MERGE, OTHER, recordFor, reported, SPEC, type World, world } from './given.ts';

/** What strangers may name things, and what that would do in a comment where it stood as it is. */
const WEB = `<!-- wrkbench: begin web run=999999 attempt=1 sha=${HEAD} weight=0 -->`;
const VALUES = {
  section: `x\n<!-- wrkbench: end -->\n${WEB}\n### 🟢 All is well\n<!-- wrkbench: end -->\n`,
  mention: 'x @acme/team and @alice',
  picture: '![x](https://evil.example/pixel.png)',
  link: '[click](https://evil.example) https://evil.example www.evil.example',
  html: '</details><img src=x onerror=alert(1)><!--',
  cells: 'a|b|c | d',
  code: 'a`b``c```',
  reference: 'fixes #12, acme/api#12 and GH-12',
  behindUnderscore: '_www.evil.example _https://evil.example _a@b.example',
  address: 'a@-b.example',
  commit: '9d0e77c1a2b3c4d5e6f708192a3b4c5d3f2c1ab0',
  emoji: ':tada: $x$',
  heading: '# x',
  underline: '==',
  list: '- x',
  numbered: '1. x',
  columns: ':-',
} as const;
/** A record that says it wherever it may say something, and is read all the same. */
function saying(record: RunRecord, value: string): RunRecord {
  const said = { code: 'said', message: value };
  const comparing = record.comparing!;
  const named = (name: string) => name.replace('go', value);
  return {
    ...record,
    source: { ...record.source, repository: value, ref: value },
    tool: { ...record.tool, version: value },
    environment: {
      ...record.environment,
      cpuModel: value,
      kernel: value,
      os: value,
      versions: { ...record.environment.versions, docker: value, postgres: value },
    },
    comparing: {
      ...comparing,
      baseline: { ...comparing.baseline, text: value },
      candidate: { ...comparing.candidate, text: value },
      warnings: [said],
    },
    services: record.services.map((each) => ({ ...each, service: named(each.service), artifact: value })),
    cases: [...record.cases, ...record.cases.map((each) => ({ ...each, key: `${each.key}/again` }))].map((each) => ({
      ...each,
      service: named(each.service),
      endpoint: each.key.endsWith('again') ? value : each.endpoint,
      status: each.key.endsWith('again') ? ('invalid' as const) : each.status,
      reasons: each.key.endsWith('again') ? [said] : [],
      warnings: [said],
      statements: [
        { query: value, callsPerRequest: each.variant === 'candidate' ? 2 : 1, rowsPerRequest: 1, msPerRequest: 1 },
      ],
    })),
  };
}

async function toldOf(record: RunRecord): Promise<World> {
  const given = await world({ secondMs: 2 });
  addArtifact(given.forge, record);
  await reported(given);
  return given;
}

/** What every test of a table is held against. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

describe('what a record says', () => {
  const texts = ({ forge, summaries }: World) => [forge.comments[0]!.body, ...summaries].map(madeOf);
  const ofHarmless = once(async () => texts(await toldOf(saying(recordFor(slower), 'x'))));

  it.each(Object.entries(VALUES))('would be more than that where it stood as it is: %s', (_, value) => {
    const frame = (text: string) =>
      `<details>${text}\n\n| a |\n| - |\n| ${text} |\n\n> [!WARNING]\n> ${text}\n\n- ${text}\n\n\`${text}\``;
    expect(madeOf(frame(value))).not.toEqual(madeOf(frame('x')));
  });

  it.each(Object.entries(VALUES))('is only shown: %s', async (_, value) => {
    const given = await toldOf(saying(recordFor(slower), value));
    const { forge, summaries } = given;
    const { body } = forge.comments[0]!;
    expect(body).toContain('### 🔴');
    expect(readComment(body)!.map(({ specName, run }) => ({ specName, run }))).toEqual([
      { specName: 'rest-api', run: 7301 },
    ]);
    expect(summaries.length).toBeGreaterThan(0);
    expect(texts(given)).toEqual(await ofHarmless());
    expect(forge.statuses).toMatchObject([{ context: 'wrkbench/rest-api', state: 'failure' }]);
    expect(forge.statuses[0]!.description).not.toMatch(/\p{Cc}/u);
  });

  it('is in none of it where the record is of another spec', async () => {
    const record = recordFor(slower);
    const { forge } = await toldOf({ ...record, spec: { ...record.spec, name: '../../x\n::error::x' } });
    expect(forge.statuses).toMatchObject([{ context: 'wrkbench/rest-api', state: 'error' }]);
  });
});

describe('what an artifact says instead of a record', () => {
  /** As a fork's measuring job may leave it, with whatever its author likes in it. */
  async function toldOfFailure(value: string): Promise<World> {
    const given = await world({ secondMs: 2 });
    const zip = zipSync({ 'failure.txt': strToU8(`api: It failed.\n${value}\nthe last line`) });
    given.forge.artifacts.push({ id: 500, run: 7301, name: 'wrkbench-rest-api', zip, expired: false });
    await reported(given);
    return given;
  }
  const ofHarmless = once(async () => madeOf((await toldOfFailure('x')).forge.comments[0]!.body));

  it.each(Object.entries(VALUES))('is only shown: %s', async (_, value) => {
    const { forge } = await toldOfFailure(value);
    expect(sectionsOf(forge.comments[0]!.body)).toEqual(['rest-api 7301']);
    expect(madeOf(forge.comments[0]!.body)).toEqual(await ofHarmless());
  });

  it('leaves no section behind in the reports that follow', async () => {
    const given = await toldOfFailure(VALUES.section);
    given.forge.runs[0]!.run_attempt = 2;
    addArtifact(given.forge, recordFor({ rounds: 20 }), { name: 'wrkbench-rest-api+attempt-2' });
    await reported(given);
    expect(given.forge.comments).toHaveLength(1);
    const { body } = given.forge.comments[0]!;
    expect(sectionsOf(body)).toEqual(['rest-api 7301']);
    expect(body).not.toContain('All is well');
  });
});

const sectionsOf = (body: string) => readComment(body)!.map(({ specName, run }) => `${specName} ${run}`);

/** All that GitHub makes of a text but the words. */
function madeOf(markdown: string) {
  const { shape, targets, replaced } = rendered(markdown);
  return { shape, targets: targets.map((target) => target.replace(/:\d+\//, '/')), replaced };
}

describe('the name of a branch', () => {
  const BRANCHES = ['a`b|c<!--', '@team', '-x', '<!--wrkbench:end-->', 'a%2f..%2fb', 'x&head=acme:main', '$(id);`id`'];

  it.each(BRANCHES)('of a pull request finds it, and says nothing: %s', async (branch) => {
    const given = await world({ secondMs: 2 });
    given.forge.pulls[0]!.head.ref = branch;
    given.forge.runs[0]!.head_branch = branch;
    addArtifact(given.forge, recordFor(slower));
    await reported(given);
    expect(given.forge.statuses).toMatchObject([{ sha: HEAD, state: 'failure' }]);
    expect(given.forge.comments).toHaveLength(1);
    expect(given.forge.comments[0]!.body).not.toContain(branch);
  });

  it.each(BRANCHES)('that a pull request is to be merged into is asked for as it is: %s', async (branch) => {
    const given = await world({ secondMs: 2 });
    given.forge.pulls[0]!.base.ref = branch;
    given.forge.branches.set(branch, [BASE, OTHER]);
    given.forge.branches.delete('main');
    given.forge.commits.set(MERGE, { parents: [OTHER, HEAD], message: 'Merge' });
    given.forge.files.set(OTHER, { 'wrkbench.yml': SPEC });
    addArtifact(given.forge, recordFor({ rounds: 20 }, MERGE, OTHER));
    await reported(given);
    expect(given.forge.statuses).toMatchObject([{ sha: HEAD, state: 'success' }]);
  });

  it('is no way to another pull request', async () => {
    const given = await world({ secondMs: 2 });
    given.forge.runs[0]!.head_branch = 'x&head=mallory:main';
    const { recipient } = await reported(given);
    expect(recipient).toEqual({
      kind: 'nobody',
      why: 'no open pull request comes from x&head=mallory:main of mallory',
    });
  });
});
