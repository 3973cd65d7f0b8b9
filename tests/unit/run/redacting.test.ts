import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../src/app/ports/progress.ts';
import { type PrepareRequest, TestbedError, type TestbedRequest } from '../../../src/app/ports/testbed.ts';
import { redacting } from '../../../src/app/run/redacting.ts';
import { resumedRun } from '../../../src/app/run/resume.ts';
import { type RunAdapters, run } from '../../../src/app/run/run.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { fakeMeasuring } from '../support/fake-measuring.ts';
import { finishedRun, memoryStore } from './given.ts';

const never = new AbortController().signal;
const SECRETS = ['hunter2-password', 'k3y-of-command', 'arg-t0ken', 'amqp-passw0rd'];
const spec = (password = SECRETS[0]!) =>
  readSpec(
    `name: rest-api
services:
  go:
    command: [./go, --api-key, ${SECRETS[1]}]
    port: 8080
    env: {DB_PASSWORD: ${password}, QUEUE: "amqp://me:${SECRETS[3]}@queue"}
  rust: {build: {context: ., args: {NPM_TOKEN: ${SECRETS[2]}}}, command: [./rust], port: 8081}
endpoints: {ping: /ping}
load: {wrk: {connections: [100], keep-alive: on}}
`,
    'wrkbench.yml',
  );
const ENV = SECRETS.join(' ');

/** A run of services that print their environment when they are built and when they die. */
function runOfTalkative() {
  const { adapters, options } = finishedRun();
  const told: string[] = [];
  const tell = (text: string) => void told.push(text);
  const progress: Progress = { say: tell, warn: tell, begin: tell, end: () => {}, at: () => {}, measured: tell };
  const started: (string | undefined)[] = [];
  const fake = fakeMeasuring({
    start: ({ service }) => new TestbedError('exited', `The service printed ${ENV}.`, [`DB=${ENV}`, service.name]),
  });
  const runtime = {
    ...fake.adapters.runtime,
    async prepare({ services, onLine }: PrepareRequest) {
      onLine(`#5 RUN npm install ${ENV}`);
      return services.map(({ name, command }) => ({
        service: name,
        artifact: command!.join(' '),
        failure: name === 'go' ? null : new TestbedError('build-failed', 'It does not build.', [ENV]),
      }));
    },
    async start(request: TestbedRequest, signal: AbortSignal) {
      started.push(request.service.env.DB_PASSWORD);
      return await fake.adapters.runtime.start(request, signal);
    },
  };
  const { store, files } = memoryStore('/runs/one', null);
  const { clock, cpus, ports, syscalls, generators, probe } = fake.adapters;
  return {
    options: { ...options, spec: spec(), resume: false, baseline: null },
    adapters: {
      ...{ ...adapters, clock, cpus, ports, syscalls, generators, probe, progress, store },
      runtimes: { ...adapters.runtimes, process: runtime },
    } as RunAdapters,
    ...{ told, started, files, store },
  };
}

describe('a run of servers that print their secrets', () => {
  it('tells and keeps none of them, and starts the servers with them', async () => {
    const { options, adapters, told, started, files, store } = runOfTalkative();
    await run(options, adapters, never);
    const entries = await store.journal.read();
    expect(started).toEqual([SECRETS[0]]);
    expect(told).toContain('#5 RUN npm install [redacted] [redacted] [redacted] [redacted]');
    const kept = { told: told.join('\n'), journal: JSON.stringify(entries), ...Object.fromEntries(files) };
    expect(Object.keys(kept)).toEqual(['told', 'journal', 'run.json', 'report.md', 'report.html']);
    for (const [name, text] of Object.entries(kept)) {
      expect([name, ...SECRETS.filter((secret) => text.includes(secret))]).toEqual([name]);
      expect(text).toContain('[redacted]');
    }
    expect(entries!.filter(({ kind }) => kind === 'service')).toMatchObject([
      { service: 'rust', artifact: './rust' },
      { service: 'go', artifact: './go --api-key [redacted]' },
    ]);
  });

  it('is gone on with by the same spec, whatever its secrets are by then', async () => {
    const { options, adapters, store } = runOfTalkative();
    await run(options, adapters, never);
    expect(await resumedRun(() => spec('another-password'), store)).toMatchObject({ directory: '/runs/one' });
    const other = { ...spec(), services: spec().services.slice(1) };
    await expect(resumedRun(() => other, store)).rejects.toThrow('was measured with another spec than this one');
  });

  it('ends with an error that holds none of them', async () => {
    const { options, adapters } = runOfTalkative();
    adapters.runtimes.process.prepare = async () => {
      throw new TestbedError('engine-unavailable', `docker run -e X=${ENV}`, [ENV]);
    };
    const error = await run(options, adapters, never).catch((thrown) => thrown);
    expect([error.code, error.message, error.logLines]).toEqual([
      'engine-unavailable',
      'docker run -e X=[redacted] [redacted] [redacted] [redacted]',
      ['[redacted] [redacted] [redacted] [redacted]'],
    ]);
  });
});

describe('what is told', () => {
  it('holds no secret of a baseline either, once that is prepared', async () => {
    const { adapters, told } = runOfTalkative();
    const { progress, runtimes } = redacting(adapters, spec());
    progress.say('0ld-password');
    const request = { spec: spec('0ld-password'), services: [], onLine: () => {} } as unknown as PrepareRequest;
    await runtimes.process.prepare(request, never).catch(() => {});
    progress.warn('0ld-password');
    progress.measured(`go ${SECRETS[0]}`);
    expect([told[0], ...told.slice(-2)]).toEqual(['0ld-password', '[redacted]', 'go [redacted]']);
  });

  it('holds none in the raw files of generators', async () => {
    const { adapters } = runOfTalkative();
    const written: string[] = [];
    adapters.store.writeRaw = async (name, content) => {
      written.push(content);
      return name;
    };
    await redacting(adapters, spec()).store.writeRaw('wrk.txt', `url: http://me:pw@host/?token=x ${ENV}`);
    expect(written).toEqual([
      'url: http://[redacted]@host/?token=[redacted] [redacted] [redacted] [redacted] [redacted]',
    ]);
  });
});
