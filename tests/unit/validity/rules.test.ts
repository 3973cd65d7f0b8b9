import { describe, expect, it } from 'vitest';
import type { Case } from '../../../src/core/config/case.ts';
import type { TrialMeasurement, UnloadedPass } from '../../../src/core/measurement/measurement.ts';
import { invalidReasons, warnings } from '../../../src/core/validity/verdict.ts';
import { healthyPass, healthyTrial, testCase } from '../support/trials.ts';

function reasons(
  trial: Partial<TrialMeasurement>,
  changes: { case?: Partial<Case>; pass?: UnloadedPass | null } = {},
): Record<string, string> {
  const evidence = {
    trial: healthyTrial(trial),
    case: testCase(changes.case),
    pass: changes.pass === undefined ? healthyPass() : changes.pass,
  };
  return Object.fromEntries(invalidReasons(evidence).map(({ code, message }) => [code, message]));
}

const { outcome, cpu } = healthyTrial();
const withOutcome = (changes: object): Partial<TrialMeasurement> => ({ outcome: { ...outcome!, ...changes } });
const off: Partial<Case> = { keepAlive: false };

describe('a healthy trial', () => {
  it('is valid and unmarked', () => {
    expect(reasons({})).toEqual({});
    expect(warnings({ trial: healthyTrial(), case: testCase(), pass: null })).toEqual([]);
  });

  it('is valid without a pass and with fewer figures', () => {
    const { bytes: _, errors: __, ...bare } = outcome!;
    expect(reasons({ outcome: bare }, { pass: null })).toEqual({});
  });
});

describe('a trial is invalid', () => {
  it('generator-failed: where the generator left no result, in the words of the generator', () => {
    expect(reasons({ outcome: null, generatorFailure: 'wrk was killed by SIGKILL' })).toEqual({
      'generator-failed': 'wrk was killed by SIGKILL',
    });
    expect(reasons({ outcome: null })).toEqual({ 'generator-failed': 'the generator left no result' });
  });

  it('timed-out: where the generator had to be stopped', () => {
    expect(reasons({ outcome: null, timedOut: true })).toEqual({
      'timed-out':
        'wrk did not end in its time (stopped after 10.0 s): the service no longer answers, or the duration is too short for the number of requests',
    });
  });

  it('clock-stepped: where somebody set the clock, whichever way it shows', () => {
    expect(reasons({ clockStepMs: -3_600_000 })).toEqual({
      'clock-stepped':
        "the machine's clock was set by -3600.00 s in the trial, and generators time their requests by it",
    });
    expect(reasons(withOutcome({ durationSeconds: 1.844e16, bytes: undefined }))).toEqual({
      'clock-stepped': "the generator says 1.844e+16 s, the machine's monotonic clock 10.02 s",
    });
    expect(reasons({ clockStepMs: 90 })).toEqual({});
  });

  it('errors: where more than one request in a thousand failed, or none was answered', () => {
    expect(reasons(withOutcome({ errors: { read: 30, timeout: 45, write: 0 } }))).toEqual({
      errors: '0.15 % of 50,000 requests failed (read 30, timeout 45); up to 0.1 % is let pass',
    });
    expect(reasons(withOutcome({ errors: { timeout: 50 } }))).toEqual({});
    expect(reasons(withOutcome({ errors: { status: 50_000 } }))).toEqual({
      errors: '100 % of 50,000 requests failed (status 50,000); up to 0.1 % is let pass',
    });
    expect(reasons({ outcome: { tool: 'wrk', requests: 0 } })).toMatchObject({
      'no-answer':
        'no request was answered in 10 s of wrk at 100 connections, each of which may take 2 s; without load one took 500 µs: look at what the service and its log say under load',
    });
  });

  it('no-answer: for how long, what one request took when it was verified, and what to set', () => {
    const none = withOutcome({ requests: 0, durationSeconds: 10, errors: { timeout: 300 } });
    const said = (secondsEach: number, pass: UnloadedPass | null = healthyPass()) =>
      reasons(none, { pass: pass === null ? null : { ...pass, requests: 20, durationNs: 20 * secondsEach * 1e9 } })[
        'no-answer'
      ];
    const nothing =
      'no request was answered in 10 s of wrk at 100 connections, each of which may take 2 s (timeout 300)';
    expect(said(0.31)).toBe(
      `${nothing}; without load one took 310.00 ms, so that 100 at once may take 31 s: set load.wrk.connections to [1], or load.wrk.timeout to 60s and its duration to as much`,
    );
    expect(said(0.05)).toBe(
      `${nothing}; without load one took 50.00 ms, so that 100 at once may take 5 s: set load.wrk.connections to [8], or load.wrk.timeout to 5s and its duration to as much`,
    );
    expect(said(20)).toBe(
      `${nothing}; without load one took 20.00 s: set load.wrk.timeout to 120s, its duration to as much, and load.wrk.connections to [1]`,
    );
    expect(said(90)).toBe(`${nothing}; without load one took 90.00 s, which is more than a load can wait for`);
    expect(said(1, null)).toBe(nothing);
  });

  it.each([
    [10_000, 12, 0.001, '0.12 % of 10,000 requests failed (read 12); up to 0.1 % is let pass'],
    [10_000, 2, 0.0001, '0.02 % of 10,000 requests failed (read 2); up to 0.01 % is let pass'],
    [1_000_000, 1001, 0.001, 'more than 0.1 % of 1,000,000 requests failed (read 1,001); up to 0.1 % is let pass'],
    [1_000_000, 20, 0.00001, 'more than 0.001 % of 1,000,000 requests failed (read 20); up to 0.001 % is let pass'],
    [10_000, 510, 0.05, '5.1 % of 10,000 requests failed (read 510); up to 5 % is let pass'],
    [100, 1200, 0.05, '1,200 % of 100 requests failed (read 1,200); up to 5 % is let pass'],
    [100_000, 5001, 0.05, 'more than 5 % of 100,000 requests failed (read 5,001); up to 5 % is let pass'],
  ])('errors: with more than what is let pass, in figures too: of %d requests %d', (requests, read, max, said) => {
    const { service } = testCase();
    const trial = withOutcome({ requests, bytes: requests * 150, errors: { read } });
    expect(reasons(trial, { case: { service: { ...service, errors: { max } } } })).toEqual({ errors: said });
  });

  it('errors: with what service and database printed of them', () => {
    const failureWords = {
      service: 'error: sorry, too many clients already',
      database: '[77] FATAL:  sorry, too many clients already',
    };
    const failed = withOutcome({ errors: { status: 258 } });
    expect(reasons({ ...failed, failureWords })).toEqual({
      errors:
        '0.52 % of 50,000 requests failed (status 258); up to 0.1 % is let pass. The service printed: error: sorry, too many clients ' +
        'already. Postgres logged: [77] FATAL:  sorry, too many clients already',
    });
    expect(reasons({ ...withOutcome({ errors: { status: 2 } }), failureWords })).toEqual({});
  });

  it('errors: with what to set where answers came too late, by how long they took', () => {
    const wrk = (timeoutSeconds: number) => ({
      connections: 32,
      load: { generator: 'wrk', threads: 2, durationSeconds: 10, timeoutSeconds } as const,
    });
    const late = (requests: number, errors: object) => withOutcome({ requests, bytes: requests * 150, errors });
    const told = (requests: number, errors: object, timeoutSeconds = 2) =>
      reasons(late(requests, errors), { case: wrk(timeoutSeconds) }).errors;
    expect(told(170, { timeout: 155 })).toBe(
      '91.2 % of 170 requests failed (timeout 155); up to 0.1 % is let pass; a request took about 1.9 s at 32 connections: set load.wrk.timeout to 10s or load.wrk.connections to [8]',
    );
    expect(told(20, { timeout: 20 })).toMatch(
      /; a request took about 16 s at 32 connections: set load\.wrk\.timeout to 120s or load\.wrk\.connections to \[1\]$/,
    );
    // Answers that come quickly but for some, and errors of other kinds, are not mended by waiting longer.
    expect(told(50_000, { timeout: 600 })).toMatch(/is let pass$/);
    expect(told(170, { timeout: 70, read: 80 })).toMatch(/is let pass$/);
    expect(told(4, { timeout: 4 }, 300)).toMatch(/is let pass$/);
  });

  it('late-answers: where a trial too short to tell leaves most requests unanswered for longer than they count', () => {
    const wrk = (durationSeconds: number) => ({
      connections: 1000,
      load: { generator: 'wrk', threads: 4, durationSeconds, timeoutSeconds: 2 } as const,
    });
    const told = (durationSeconds: number, requests: number, round = 0) => {
      const trial = withOutcome({ requests, durationSeconds, bytes: requests * 150 });
      const of = { ...trial, round, durationNs: (durationSeconds + 0.02) * 1e9 };
      return reasons(of, { case: wrk(durationSeconds) })['late-answers'];
    };
    expect(told(1, 180)).toBe(
      'most answers would come after the timeout of 2 s; a request took about 5.6 s at 1000 connections: set load.wrk.timeout to 30s or load.wrk.connections to [64]',
    );
    // At the border it may be the beginning of the trial, in which nobody is answered.
    expect(told(1, 260)).toBeUndefined();
    // Trials of later rounds are shorter, and both sides of a duet share a CPU; a longer trial has errors.
    expect(told(1, 180, 1)).toBeUndefined();
    expect(told(10, 1800)).toBeUndefined();
  });

  it('no-latencies: where requests were answered and none was timed', () => {
    expect(reasons(withOutcome({ latencyMs: undefined }))).toEqual({
      'no-latencies': 'requests were answered, yet the generator recorded no latency',
    });
  });

  it('unexpected-body: where the answer after the load, or the bytes under it, are not those that were checked', () => {
    expect(reasons({ differencesAfter: ['status: expected 200, got 500 (body: "")'] })).toEqual({
      'unexpected-body': 'after the load: status: expected 200, got 500 (body: "")',
    });
    expect(reasons(withOutcome({ bytes: 50_000 * 60 }))).toEqual({
      'unexpected-body':
        'answers under load have 60 bytes on average, those that were checked 150: the service answers something else under load, such as that it is too busy: look at its log',
    });
  });

  it('unexpected-body: of answers that grow, which endpoint of the spec may have made them so, and what to do', () => {
    const grown = withOutcome({ bytes: 50_000 * 5120 });
    const create = { ...testCase().endpoint, name: 'create', method: 'POST', path: '/items' };
    const said = (changes: Partial<Case>, writers: Case['endpoint'][] = []) => {
      const evidence = { trial: healthyTrial(grown), case: testCase(changes), pass: healthyPass(), writers };
      return invalidReasons(evidence).map(({ message }) => message);
    };
    const other =
      'answers under load have 5,120 bytes on average, those that were checked 150: the service answers something else under load';
    expect(said({}, [create])).toEqual([
      `${other}. create (POST /items) of the same spec writes, and what it added may be in these answers: data are put back between cases only where the spec names what keeps them (\`database\`, \`dependencies\`). Name that, or ask for a page that does not grow`,
    ]);
    expect(said({})).toEqual([
      `${other}. Where a list grows, ask for a page of it; where the requests of this endpoint change data themselves, say so by \`writes: true\``,
    ]);
    expect(said({ endpoint: create })).toEqual([
      `${other}. Its own requests change data, and later answers hold more of them: let it answer with what does not grow`,
    ]);
  });

  it('errors: of a generator that takes the end of each connection for a failure, how answers end and what to use', () => {
    const ended = withOutcome({ requests: 3436, errors: { read: 3436 } });
    const sentence = (generator: string) =>
      `${generator} counted each of 3,436 answers as a failed request when its connection ended: the body has no length (no Content-Length, not chunked), or the service closes connections without saying so (\`Connection: close\`); load it with k6 or ab and keep-alive off, or let the service send a Content-Length`;
    expect(reasons(ended, { case: off })).toMatchObject({ errors: sentence('wrk') });
    expect(reasons(ended, { case: { ...off, generator: 'h2load' } })).toMatchObject({ errors: sentence('h2load') });
    expect(reasons(ended, { case: { ...off, generator: 'k6' } }).errors).toMatch(/^100 % of 3,436 requests failed/);
    const half = withOutcome({ requests: 3436, errors: { read: 1718 } });
    expect(reasons(half, { case: off }).errors).toMatch(/^50.0 % of 3,436 requests failed \(read 1,718\)/);
  });

  it('not for the bytes of answers that nobody counted: those under way at the end, too late or broken off', () => {
    const pass = healthyPass({ requests: 200, bytes: 200 * 65_000 });
    const bytesOf = (answers: number, changes: object = {}) =>
      Object.keys(
        reasons(withOutcome({ requests: 2000, bytes: answers * 65_000, ...changes }), {
          case: { connections: 100 },
          pass,
        }),
      );
    expect(bytesOf(2000)).toEqual([]);
    expect(bytesOf(2100)).toEqual([]);
    expect(bytesOf(2121)).toEqual(['unexpected-body']);
    expect(bytesOf(1970)).toEqual(['unexpected-body']);
    const late = { errors: { read: 40, timeout: 60 } };
    expect(bytesOf(2200, late)).toEqual(['errors']);
    expect(bytesOf(2221, late)).toEqual(['errors', 'unexpected-body']);
  });

  it('not for bytes where answers differ in length anyway, or where another generator counts them its own way', () => {
    const few = withOutcome({ bytes: 50_000 * 60 });
    expect(reasons(few, { pass: healthyPass({ constantSize: false }) })).toEqual({});
    expect(reasons(few, { pass: healthyPass({ requests: 0 }) })).toEqual({});
    expect(reasons(withOutcome({ tool: 'ab', bytes: 50_000 * 60 }))).toEqual({});
    const load = { generator: 'wrk', threads: 4, durationSeconds: 10, timeoutSeconds: 2, script: 'own.lua' } as const;
    expect(reasons(few, { case: { load } })).toEqual({});
    expect(reasons(withOutcome({ errors: { status: 50_000 } }), { case: { load } })).toHaveProperty('errors');
  });

  it('generator-bound: where the generator is full and the server is not', () => {
    const bound = { ...cpu, generatorNs: 9_900_000_000, serviceNs: 5_000_000_000, databaseNs: 1_000_000_000 };
    expect(reasons({ cpu: bound })).toEqual({
      'generator-bound':
        "wrk used 99 % of its CPUs while service and database used 60 % of theirs: this is the generator's limit, not the service's: give the generator more CPUs (`placement`), or the service fewer (`cpus`)",
    });
    expect(reasons({ cpu: { ...cpu, generatorNs: 9_900_000_000 } })).toEqual({});
  });

  it('not generator-bound: where a server of one thread fills one of several CPUs', () => {
    const oneThread = {
      ...cpu,
      generatorNs: 9_900_000_000,
      serviceNs: 9_950_000_000,
      databaseNs: 0,
      serverCpuCount: 4,
    };
    expect(reasons({ cpu: oneThread })).toEqual({});
  });

  it('not generator-bound: where the service used all of its quota of CPU time', () => {
    const quota = { ...cpu, generatorNs: 9_900_000_000, databaseNs: 0, serviceCpuQuota: 0.25 };
    expect(reasons({ cpu: { ...quota, serviceNs: 2_450_000_000 } })).toEqual({});
    expect(reasons({ cpu: { ...quota, serviceNs: 1_500_000_000 } })).toEqual({
      'generator-bound':
        "wrk used 99 % of its CPUs while service and database used 60 % of theirs: this is the generator's limit, not the service's: give the generator more CPUs (`placement`), or the service fewer (`cpus`)",
    });
  });

  it('server-idle: where something else answered', () => {
    const elsewhere = { ...cpu, serviceNs: 1_000_000 };
    expect(reasons({ cpu: elsewhere })).toMatchObject({
      'server-idle':
        "50,000 requests were answered, yet the service's own processes used 0.02 us of CPU time for each: something else answers than what is measured: see who listens on its port",
    });
    expect(reasons({ ...withOutcome({ requests: 900, bytes: 135_000 }), cpu: elsewhere })).toEqual({});
  });

  it('rate-not-held: where k6 dropped iterations or sent too few', () => {
    const k6: Partial<Case> = {
      generator: 'k6',
      load: { generator: 'k6', arrival: { kind: 'vus' }, durationSeconds: 10, timeoutSeconds: 2, script: null },
    };
    const trial = (changes: object) => ({ rate: 5000, ...withOutcome({ tool: 'k6', ...changes }) });
    expect(reasons(trial({}), { case: k6 })).toEqual({});
    expect(reasons(trial({ droppedIterations: 800 }), { case: k6 })).toEqual({
      'rate-not-held':
        'k6 dropped 800 of 50,000 requests at 5,000/s: neither its connections nor the service can hold that rate',
    });
    expect(reasons(trial({ requests: 48_000 }), { case: k6 })).toEqual({
      'rate-not-held': 'k6 sent 4,800/s where 5,000/s was asked for',
    });
    // Two and a half were asked for, and a half is not sent.
    const slow = (requests: number) => ({ rate: 1, ...withOutcome({ tool: 'k6', requests, durationSeconds: 2.5 }) });
    expect(reasons(slow(2), { case: k6 })).not.toHaveProperty('rate-not-held');
    expect(reasons(slow(1), { case: k6 })).toHaveProperty('rate-not-held');
    const { durationSeconds: _, ...untimed } = outcome!;
    expect(reasons({ rate: 5100, outcome: { ...untimed, tool: 'k6' } }, { case: k6 })).toHaveProperty('rate-not-held');
  });

  it('rate-not-held: with a rate that would be held, by what was', () => {
    const told = (arrival: object, rate: number, changes: object) =>
      reasons(
        { rate, ...withOutcome({ tool: 'k6', ...changes }) },
        {
          case: {
            generator: 'k6',
            load: { generator: 'k6', arrival, durationSeconds: 10, timeoutSeconds: 2, script: null } as Case['load'],
          },
        },
      )['rate-not-held'];
    const share = { kind: 'share', shareOfCapacity: 0.6 };
    expect(told(share, 2680, { requests: 20_000, droppedIterations: 6800 })).toBe(
      'k6 dropped 6,800 of 26,800 requests at 2,680/s: neither its connections nor the service can hold that rate; about 2,000/s were held: set load.k6.rate to 40% or 1800/s',
    );
    expect(told({ kind: 'rate', requestsPerSecond: 5000 }, 5000, { requests: 48_000 })).toBe(
      'k6 sent 4,800/s where 5,000/s was asked for; about 4,800/s were held: set load.k6.rate to 4300/s',
    );
    expect(told({ ...share, shareOfCapacity: 0.04 }, 100, { requests: 600 })).toMatch(/rate to 2% or 54\/s$/);
    expect(told(share, 100, { requests: 10 })).toBe('k6 sent 1/s where 100/s was asked for');
  });

  it('keep-alive-not-off: where the server keeps connections that it was asked to close', () => {
    expect(reasons({ acceptedConnections: 100 }, { case: off })).toEqual({
      'keep-alive-not-off':
        'keep-alive was to be off, yet the server accepted 100 connections for 50,000 requests: it ignores "Connection: close": measure it with keep-alive on alone',
    });
    expect(reasons({ acceptedConnections: 1 }, { case: off })['keep-alive-not-off']).toContain(
      'the server accepted 1 connection for 50,000 requests:',
    );
    expect(reasons({ acceptedConnections: 50_050 }, { case: off })).toEqual({});
  });

  it('keep-alive-not-on: where the server closes connections that it was asked to keep', () => {
    expect(reasons({ acceptedConnections: 50_100 })).toEqual({
      'keep-alive-not-on':
        'keep-alive was to be on, yet the server accepted 50,100 connections for 50,000 requests: it closes connections that it was asked to keep. Where it is meant to, say so by `keep-alive: closes` of the service',
    });
    expect(reasons({ acceptedConnections: 150 })).toEqual({});
  });

  it('keep-alive-not-on: without the connections that a service without a pool opens to its database', () => {
    expect(reasons({ acceptedConnections: 50_100, databaseConnectionsAmong: 50_000 })).toEqual({});
    expect(reasons({ acceptedConnections: 100_100, databaseConnectionsAmong: 50_000 })).toEqual({
      'keep-alive-not-on':
        'keep-alive was to be on, yet the server accepted 50,100 connections for 50,000 requests: it closes connections that it was asked to keep. Where it is meant to, say so by `keep-alive: closes` of the service',
    });
  });

  it('connections-lost: where some were never opened', () => {
    expect(reasons(withOutcome({ errors: { connect: 10 } }))).toMatchObject({
      'connections-lost': '10 connections could not be opened, and the generator continues without them',
    });
    expect(reasons({ acceptedConnections: 60 })).toEqual({
      'connections-lost':
        'the server accepted 60 of 100 connections: its listen backlog or its limit of open files is too low: raise it, or open fewer',
    });
    expect(reasons(withOutcome({ errors: { connect: 1 } }))).toMatchObject({
      'connections-lost': '1 connection could not be opened, and the generator continues without it',
    });
    expect(
      reasons(
        { acceptedConnections: 60 },
        { case: { generator: 'ab', load: { generator: 'ab', requests: 9, timeoutSeconds: 2 } } },
      ),
    ).toEqual({});
  });

  it('for no count of connections that holds those of the other side of a duet too', () => {
    expect(reasons({ acceptedConnections: null })).toEqual({});
    expect(reasons({ acceptedConnections: null }, { case: off })).toEqual({});
  });

  it('ports-exhausted: where the ports wait, and connections fail or the generator searches for one', () => {
    const ports = { timeWait: 28_000, available: 28_232 };
    const sentence =
      '28,000 of 28,232 local ports wait for their release (TIME_WAIT), and the generator looked for a free one instead of sending: set net.ipv4.tcp_tw_reuse=1, or widen net.ipv4.ip_local_port_range';
    const failing = { ...withOutcome({ errors: { connect: 40 } }), acceptedConnections: 50_000, ports };
    expect(reasons(failing, { case: off })).toEqual({
      'ports-exhausted': sentence,
      'connections-lost': '40 connections could not be opened, and the generator continues without them',
    });
    const searching = {
      acceptedConnections: 50_000,
      ports,
      cpu: { ...cpu, generatorNs: 9_900_000_000, serviceNs: 900_000_000, databaseNs: 0 },
    };
    expect(reasons(searching, { case: off })).toEqual({ 'ports-exhausted': sentence });
    expect(reasons({ acceptedConnections: 50_000, ports }, { case: off })).toEqual({});
  });

  it('for what became of the testbed, which explains all else', () => {
    const testbedFailure = { code: 'out-of-memory', message: 'go was killed at 64 MiB' };
    const codes = Object.keys(reasons({ testbedFailure, ...withOutcome({ errors: { read: 40_000 } }) }));
    expect(codes).toEqual(['out-of-memory']);
  });
});

describe('a trial is marked', () => {
  const marksOf = (trial: Partial<TrialMeasurement>) =>
    Object.fromEntries(
      warnings({ trial: healthyTrial(trial), case: testCase(), pass: null }).map(({ code, message }) => [
        code,
        message,
      ]),
    );

  it('where others used the CPUs of the server, or the hypervisor took them', () => {
    expect(marksOf({ cpu: { ...cpu, serviceNs: 6_000_000_000 } })).toEqual({
      'foreign-cpu': "10 % of the server's CPUs went to processes that are not part of this run",
    });
    expect(marksOf({ cpu: { ...cpu, stealNs: 900_000_000 } })).toEqual({
      steal: "the hypervisor took 9 % of the server's CPUs",
    });
  });

  it('where the warm-up did not become steady', () => {
    expect(marksOf({ warmUp: { seconds: 15, steady: false } })).toEqual({
      'warm-up-unsteady': 'throughput was not steady after 15 s of warm-up',
    });
  });

  it('where nobody was busy', () => {
    const idle = { ...cpu, serviceNs: 1_000_000_000, databaseNs: 0, busyNs: 1e9, generatorNs: 500_000_000 };
    expect(marksOf({ cpu: idle })).toEqual({
      waiting:
        'neither the server (10 % of its CPUs) nor the generator (5 %) was busy: requests waited for something else, such as a timer, a lock or a full backlog',
    });
  });

  it('where nobody was busy, but not where the generator is not seen', () => {
    expect(marksOf({ cpu: { ...cpu, serviceNs: 1_000_000_000, databaseNs: 0, busyNs: 0, generatorNs: 0 } })).toEqual(
      {},
    );
  });

  it('with the notes of how it came about', () => {
    expect(marksOf({ notes: [{ code: 'rate-capped', message: 'half of what k6 can send' }] })).toEqual({
      'rate-capped': 'half of what k6 can send',
    });
  });
});
