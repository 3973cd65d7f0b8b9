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
/** What the runtime has made for the service alone, such as the key of a certificate. */
const MADE = 'MIGHAgEAMBMGByqGSM49';

/** A run of services that print their environment when they are built and when they die. */
function runOfTalkative() {
  const { adapters, options } = finishedRun();
  const told: string[] = [];
  const tell = (text: string) => void told.push(text);
  const progress: Progress = {
    say: tell,
    warn: tell,
    begin: tell,
    end: () => {},
    at: () => {},
    busy: (_side, task) => tell(task?.what ?? 'nothing'),
    measured: tell,
  };
  const started: (string | undefined)[] = [];
  const fake = fakeMeasuring({
    start: ({ service }) =>
      new TestbedError('exited', `The service printed ${ENV}.`, [`DB=${ENV}`, MADE, service.name]),
  });
  const runtime = {
    ...fake.adapters.runtime,
    secrets: () => [MADE],
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
      expect([name, ...[...SECRETS, MADE].filter((secret) => text.includes(secret))]).toEqual([name]);
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
    progress.busy(null, { title: 'preparing go', what: `step 1 of 1, job: psql ${SECRETS[0]}` });
    expect([told[0], ...told.slice(-3)]).toEqual([
      '0ld-password',
      '[redacted]',
      'go [redacted]',
      'step 1 of 1, job: psql [redacted]',
    ]);
  });

  it('holds no password of a registry, though no spec names it', () => {
    const { adapters, told } = runOfTalkative();
    const variables = { value: () => undefined, passwords: ['p4ss-of-ghcr'] };
    const { progress } = redacting({ ...adapters, variables }, spec());
    progress.say(`p4ss-of-ghcr ${btoa('me:p4ss-of-ghcr')}`);
    expect(told.at(-1)).toMatch(/^\[redacted\] \S+\[redacted\]\S*$/);
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

describe('a run that logs in', () => {
  const login = {
    steps: [
      {
        name: 'session',
        request: { method: 'POST', path: '/login', headers: {}, body: '{"code": "${env.LOGIN_CODE}"}' },
        take: { token: '$.token' },
        expect: null,
      },
    ],
  };

  it('tells and keeps neither what that takes nor the variables of the caller', async () => {
    const { options, adapters, told, files, store } = runOfTalkative();
    const [token, code] = ['t0ken-of-the-login', 'c0de-of-the-caller'];
    const asked: string[] = [];
    const fake = fakeMeasuring({
      body(_, endpoint) {
        asked.push(JSON.stringify([endpoint.path, endpoint.headers, endpoint.body]));
        return endpoint.path === '/login' ? `{"token": "${token}"}` : `not OK: ${token} ${code}`;
      },
    });
    const endpoint = { ...spec().endpoints[0]!, path: '/ping', headers: { authorization: 'Bearer ${login.token}' } };
    const expected = { ...endpoint.expect, body: 'OK' };
    const own = {
      ...spec(),
      services: spec().services.slice(0, 1),
      endpoints: [{ ...endpoint, expect: expected }],
      login,
    };
    const runtime = {
      ...fake.adapters.runtime,
      secrets: () => [MADE],
      prepare: async () => [{ service: 'go', artifact: 'go', failure: null }],
    };
    await run(
      { ...options, spec: own },
      {
        ...adapters,
        ...{
          probe: fake.adapters.probe,
          variables: { value: (name: string) => (name === 'LOGIN_CODE' ? code : undefined) },
        },
        runtimes: { ...adapters.runtimes, process: runtime },
      },
      never,
    );
    expect(asked.slice(0, 2)).toEqual([
      JSON.stringify(['/login', {}, `{"code": "${code}"}`]),
      JSON.stringify(['/ping', { authorization: `Bearer ${token}` }, null]),
    ]);
    const kept = {
      told: told.join('\n'),
      journal: JSON.stringify(await store.journal.read()),
      ...Object.fromEntries(files),
    };
    for (const [name, text] of Object.entries(kept)) {
      expect([name, ...[token, code].filter((secret) => text.includes(secret))]).toEqual([name]);
    }
    expect(kept.told).toContain('got "not OK: [redacted] [redacted]"'.replaceAll('\\', ''));
    expect(kept['run.json' as never]).toContain('Bearer ${login.token}');
  });

  it('tells no variable of the caller that a server prints as it dies, before it has logged in', async () => {
    const { options, adapters, told, store } = runOfTalkative();
    const code = 'c0de-of-the-caller';
    const { adapters: given } = fakeMeasuring({
      start: () =>
        new TestbedError('exited', `The service printed ${code}.`, [`CODE=${encodeURIComponent(code)}`, code]),
    });
    const runtime = { ...given.runtime, prepare: async () => [{ service: 'go', artifact: 'go', failure: null }] };
    const own = { ...spec(), services: spec().services.slice(0, 1), login };
    await run(
      { ...options, spec: own },
      {
        ...adapters,
        variables: { value: () => code },
        runtimes: { ...adapters.runtimes, process: runtime },
      },
      never,
    );
    const kept = told.join('\n') + JSON.stringify(await store.journal.read());
    expect(kept).toContain('The service printed [redacted].');
    expect(kept).not.toContain(code);
  });

  it('is none where the caller has not set a variable: nothing is started, and the sentence says which', async () => {
    const { options, adapters, started } = runOfTalkative();
    await expect(run({ ...options, spec: { ...spec(), login } }, adapters, never)).rejects.toThrow(
      'The spec names `${env.LOGIN_CODE}` (login (step session)), and LOGIN_CODE is not set.',
    );
    expect(started).toEqual([]);
  });
});
