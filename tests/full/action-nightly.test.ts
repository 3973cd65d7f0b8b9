// needs: engine, wrk, k6, linux, act
// seconds: 25
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipReader } from '../../src/adapters/archive/zip.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { readRunRecord } from '../../src/core/record/run-record-file.ts';
import { type HostedRepository, hostedRepository } from '../e2e/support/hosted-repository.ts';
import { job } from '../e2e/support/job.ts';
import { IMAGES } from '../support/images.ts';

const service = (name: string) =>
  `{image: ${IMAGES.misbehaving}, port: 8080, ready: {path: /ping}, env: {NAME: ${name}}}`;
const spec = (name: string, services: readonly string[], more = '') => `
name: ${name}
services: {${services.map((each) => `${each}: ${service(each)}`).join(', ')}}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
load:
  wrk: {threads: 1, connections: [16], keep-alive: [on], duration: 1s}
${more}  warm-up: 200ms
  cool-down: 100ms
`;

const k6 = '  k6: {rate: 300/s, connections: [50], keep-alive: [on], duration: 1s}\n';

/** The starter asks for four machines: of what there is, two have something to do. */
let host: HostedRepository;
beforeAll(async () => {
  host = await hostedRepository(['nightly.yml'], {
    'benchmarks/many.yml': spec('many', ['one', 'two']),
    'benchmarks/single.yml': spec('single', ['only'], k6),
  });
});
afterAll(() => host.close());

const repository = { full_name: 'acme/api', default_branch: 'main', owner: { login: 'acme' }, name: 'api' };
const payload = { repository, schedule: '17 2 * * *' };
const WORKFLOW = '.github/workflows/nightly.yml';

function uploaded(name: string): RunRecord {
  const { zip } = host.forge.artifacts.findLast((each) => each.name === name)!;
  return readRunRecord(zipReader().text(zip, 'run.json', 100_000_000)!, name);
}
const casesOf = ({ cases }: RunRecord) => cases.map(({ key, status }) => `${key}: ${status}`);

describe('many services, every night', () => {
  it('are planned, shared out, and put together again', async () => {
    const sha = host.git('rev-parse', 'HEAD');
    host.know(sha);
    host.begin({ event: 'schedule', path: WORKFLOW, head_sha: sha, head_branch: 'main', head_repository: 'acme/api' });
    const call = {
      event: 'schedule',
      payload,
      workflow: 'nightly.yml',
      job: 'measure',
      token: 'ghs_measuring',
    } as const;
    const { status, log } = await host.job(call);
    expect({ status, log }).toMatchObject({ status: 0 });
    expect(host.forge.artifacts.map(({ name }) => name).sort()).toEqual([
      'wrkbench-many',
      'wrkbench-many+shard-1-of-4',
      'wrkbench-many+shard-2-of-4',
      'wrkbench-single',
      'wrkbench-single+shard-1-of-4',
      'wrkbench-single+shard-2-of-4',
    ]);
    expect(casesOf(uploaded('wrkbench-many+shard-1-of-4'))).toEqual(['one/ping/direct/wrk/keep-alive/16: valid']);
    expect(casesOf(uploaded('wrkbench-many'))).toEqual([
      'one/ping/direct/wrk/keep-alive/16: valid',
      'two/ping/direct/wrk/keep-alive/16: valid',
    ]);
    expect(casesOf(uploaded('wrkbench-single'))).toEqual([
      'only/ping/direct/wrk/keep-alive/16: valid',
      'only/ping/direct/k6/keep-alive/50@300ps: valid',
    ]);
  }, 300_000);

  it('are kept, a run for each spec', async () => {
    const call = {
      event: 'schedule',
      payload,
      workflow: 'nightly.yml',
      job: 'publish',
      token: 'ghs_reporting',
    } as const;
    const { status, log } = await host.job(call);
    expect({ status, log }).toMatchObject({ status: 0 });
    expect(host.kept().map((kept) => kept.split('/')[1])).toEqual(['many', 'single']);
    expect(host.api.diagnostics).toEqual([]);
  }, 300_000);
});

describe('a machine that left nothing', () => {
  it('makes its cases invalid, and leaves those of the others', async () => {
    const { forge, api, checkout } = host;
    const lost = forge.artifacts.findIndex(({ name }) => name === 'wrkbench-many+shard-2-of-4');
    forge.artifacts.splice(lost, 1);
    const { id } = forge.runs.at(-1)!;
    const own = job(checkout, payload, {
      GITHUB_EVENT_NAME: 'schedule',
      GITHUB_API_URL: api.url,
      GITHUB_RUN_ID: String(id),
    });
    const inputs = { spec: 'benchmarks/*.yml', shards: '4', token: 'ghs_measuring', upload: 'false' };
    const { status, log } = await own.step('action', { task: 'merge', ...inputs }).ended;
    expect([status, own.outputs().verdict]).toEqual([1, 'invalid']);
    expect(log).toContain('::error::many: shard 2 of 4 is missing: its job left no artifact.');
    const file = path.join(checkout, 'wrkbench-results', 'many', 'run.json');
    expect(casesOf(readRunRecord(readFileSync(file, 'utf8'), file))).toEqual([
      'one/ping/direct/wrk/keep-alive/16: valid',
      'two/ping/direct/wrk/keep-alive/16: invalid',
    ]);
  });
});
