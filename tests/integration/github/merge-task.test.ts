// needs: nothing
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { zipReader } from '../../../src/adapters/archive/zip.ts';
import { openRunStore } from '../../../src/adapters/files/run-store.ts';
import { githubForge } from '../../../src/adapters/github/forge.ts';
import { mergeTask } from '../../../src/app/workflow/merge-task.ts';
import { actionInputs } from '../../../src/core/action/inputs.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { specFolders } from '../../../src/entry/action/spec-folders.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { checkoutOf, specText } from '../../unit/workflows/checkout.ts';
import { recordingJob } from '../../unit/workflows/recording-job.ts';
import { onBranch, plainClient, type World, world } from './given.ts';
import { factsWithin, reportedByTask } from './task.ts';

const SPEC = specText('rest-api', { wrk: { threads: 4, connections: [100, 1000], 'keep-alive': [true] } });
const whole = madeUpRecord({ seed: 3, rounds: 20, cases: [{ connections: 100 }, { connections: 1000 }] });
const part = (connections: number): RunRecord => ({
  ...whole,
  spec: { ...whole.spec, load: { ...whole.spec.load, k6: null, wrk: { ...whole.spec.load.wrk!, keepAlive: [true] } } },
  cases: whole.cases.filter((each) => each.connections === connections),
});

/** What the job of a shard of two has left in its folder. */
function addShard({ forge }: World, index: number, files: { record?: RunRecord; failure?: string }): void {
  const { record, failure } = files;
  const zip = zipSync({
    'report.html': strToU8(''),
    ...(record === undefined ? {} : { 'run.json': strToU8(JSON.stringify(record)) }),
    ...(failure === undefined ? {} : { 'failure.txt': strToU8(`${failure}\n`) }),
  });
  const name = `wrkbench-rest-api+shard-${index}-of-2`;
  forge.artifacts.push({ id: 500 + index, run: 7301, name, zip, expired: false });
}

/** The merge of two shards, whose artifacts are kept as the runner keeps them. */
async function merged(given: World, files: Record<string, string> = { 'wrkbench.yml': SPEC }) {
  const workspace = temporaryFolder();
  const { job, told } = recordingJob();
  const folders = specFolders(workspace, 'out', job);
  const asked: Record<string, string> = { task: 'merge', shards: '2', spec: Object.keys(files).join('\n') };
  mkdirSync(path.join(workspace, 'out'));
  const result = await mergeTask(
    actionInputs((name) => asked[name] ?? ''),
    factsWithin(given),
    {
      ...folders,
      job: {
        ...job,
        async upload(name, folder) {
          const kept = readdirSync(folder).map((file) => [file, readFileSync(path.join(folder, file))] as const);
          given.forge.artifacts.push({
            id: 600,
            run: 7301,
            name,
            zip: zipSync(Object.fromEntries(kept)),
            expired: false,
          });
          return { id: 600 };
        },
      },
      files: checkoutOf(files),
      forge: githubForge(plainClient(given.api.url), 'acme/api'),
      archives: zipReader(),
      changedFiles: async () => null,
      assets: { pageScript: '' },
      storeOf: (name) => openRunStore(folders.folderOf(name), { resume: false }),
    },
  );
  return { ...told, ...result };
}

const invalidIn = ({ forge }: World) => {
  const text = zipReader().text(forge.artifacts.find(({ id }) => id === 600)!.zip, 'run.json', 100_000_000);
  const { cases } = JSON.parse(text!) as RunRecord;
  return cases.flatMap(({ connections, reasons }) => reasons.map(({ message }) => [connections, message]));
};

async function pushed(): Promise<World> {
  const given = await world();
  onBranch(given);
  return given;
}

describe('the runs of several machines', () => {
  it('are one', async () => {
    const given = await pushed();
    addShard(given, 1, { record: part(100) });
    addShard(given, 2, { record: part(1000) });
    expect(await merged(given)).toMatchObject({ verdict: 'no-change', failed: false, errors: [] });
    expect(invalidIn(given)).toEqual([]);
  });

  it('say of the cases of one that failed why it did', async () => {
    const given = await pushed();
    addShard(given, 1, { record: part(100) });
    addShard(given, 2, { failure: 'go exited.\nKeyError: PORT' });
    const { verdict, errors } = await merged(given);
    expect(verdict).toBe('invalid');
    expect(errors).toEqual(['rest-api: shard 2 of 2 is missing: go exited.\nKeyError: PORT.']);
    expect(invalidIn(given)).toEqual([[1000, 'Shard 2 of 2 is missing: go exited.\nKeyError: PORT.']]);
  });

  it('come to nothing where none has a record, and the report tells why', async () => {
    const given = await pushed();
    addShard(given, 1, { failure: 'k6 is not here.' });
    addShard(given, 2, { failure: 'k6 is not here.' });
    const { verdict, failed } = await merged(given);
    expect({ verdict, failed }).toEqual({ verdict: 'invalid', failed: true });
    await reportedByTask(given, factsWithin(given));
    expect(given.forge.statuses).toMatchObject([
      {
        context: 'wrkbench/rest-api',
        state: 'error',
        description: 'Not measured: No shard of rest-api left a record: k6 is not here',
      },
    ]);
  });

  it('come to nothing where they are not of one run, and the report tells why', async () => {
    const given = await pushed();
    addShard(given, 1, { record: part(100) });
    addShard(given, 2, { record: { ...part(1000), source: { ...whole.source, sha: 'e'.repeat(40) } } });
    const { verdict } = await merged(given);
    expect(verdict).toBe('invalid');
    await reportedByTask(given, factsWithin(given));
    expect(given.forge.statuses[0]!.description).toMatch(
      /^Not measured: The shards of rest-api are of different commits: they are not parts of one run\./,
    );
  });

  it('are invalid where another spec has mistakes, of which a shard has told', async () => {
    const given = await pushed();
    addShard(given, 1, { record: part(100) });
    addShard(given, 2, { record: part(1000) });
    const { verdict, errors, diagnostics } = await merged(given, {
      'wrkbench.yml': SPEC,
      'b.yml': 'name: b\nlod: {}\n',
    });
    expect({ verdict, errors, diagnostics }).toEqual({ verdict: 'invalid', errors: [], diagnostics: [] });
    expect(invalidIn(given)).toEqual([]);
  });
});
