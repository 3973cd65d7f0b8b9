import { describe, expect, it } from 'vitest';
import {
  type GeneratorOutput,
  type InvocationRequest,
  UnreadableOutput,
} from '../../../src/core/generators/definition.ts';
import { spreadSeconds } from '../../../src/core/generators/k6/duet/entering.ts';
import { generators } from '../../../src/core/generators/registry.ts';
import { type CaseParts, LOADS, PONG, requestOf } from './cases.ts';
import { recorded } from './fixtures.ts';

const duet = generators.k6.duet!;

function sidesOf(parts: CaseParts = {}, more: Partial<InvocationRequest> = {}): [InvocationRequest, InvocationRequest] {
  const side = (origin: string) => requestOf(LOADS.k6, parts, { rate: 500, durationSeconds: 3, origin, ...more });
  return [side('http://172.18.0.3:8080'), side('http://172.18.0.4:8080')];
}

const invocationOf = (parts?: CaseParts, more?: Partial<InvocationRequest>) => duet.invocation(sidesOf(parts, more));
const scriptOf = (parts?: CaseParts, more?: Partial<InvocationRequest>) =>
  invocationOf(parts, more).files['script.js']!;
const optionsIn = (text: string) => JSON.parse(/^export const options = (\{.*\});$/m.exec(text)![1]!);

describe('a call of k6 for a duet', () => {
  it('is that of one load, with time for the users of two', () => {
    const one = generators.k6.invocation(sidesOf({ connections: 1000 }, { cpuCount: 1 })[0]);
    const both = invocationOf({ connections: 1000 }, { cpuCount: 1 });
    const { files, timeoutSeconds, ...call } = both;
    const { files: _, timeoutSeconds: ofOne, ...callOfOne } = one;
    expect(call).toEqual(callOfOne);
    expect(Object.keys(files)).toEqual(['script.js']);
    expect(timeoutSeconds - ofOne).toBe(20);
  });

  it('has a scenario for each side, alike, each with its lead-in in it and users of its own', () => {
    const { thresholds, ...options } = optionsIn(scriptOf());
    const scenario = {
      executor: 'constant-arrival-rate',
      rate: 500,
      timeUnit: '1s',
      preAllocatedVUs: 100,
      maxVUs: 100,
      duration: '3.3s',
      gracefulStop: '2s',
    };
    expect(options).toEqual({
      scenarios: { first: { ...scenario, exec: 'first' }, second: { ...scenario, exec: 'second' } },
      noConnectionReuse: false,
      summaryTrendStats: ['avg', 'min', 'med', 'max', 'p(50)', 'p(75)', 'p(90)', 'p(95)', 'p(99)', 'p(99.9)', 'count'],
      systemTags: ['scenario'],
      discardResponseBodies: true,
    });
    expect(thresholds).toMatchObject({
      'http_reqs{scenario:first,phase:load}': [],
      'http_req_duration{scenario:second,phase:load}': [],
      'iterations{scenario:second,phase:load}': [],
      'http_reqs{scenario:second}': [],
      'dropped_iterations{scenario:first}': [],
    });
  });

  it('asks each side for the same, elsewhere', () => {
    const text = scriptOf({ endpoint: PONG, basePath: '/v1', keepAlive: false });
    expect(text).toContain('const askFirst = asking({"method":"POST","url":"http://172.18.0.3:8080/v1/ping",');
    expect(text).toContain('const askSecond = asking({"method":"POST","url":"http://172.18.0.4:8080/v1/ping",');
    expect(text).toContain('const expectedStatuses = [200];');
    expect(optionsIn(text).noConnectionReuse).toBe(true);
  });

  it('sends each side its own request, and expects its own status', () => {
    const [first, second] = sidesOf({ endpoint: PONG });
    const changed = { method: 'PUT', path: '/new', body: 'x', headers: { 'X-New': '1' } };
    const endpoint = { ...first.case.endpoint, ...changed, expect: { status: 201 } };
    const text = duet.invocation([first, { ...second, case: { ...second.case, endpoint } }]).files['script.js']!;
    expect(text).toMatch(/askFirst = asking\(\{"method":"POST",.*"expectedStatus":200\}\);/);
    expect(text).toMatch(
      /askSecond = asking\(\{"method":"PUT","url":"http:\/\/172\.18\.0\.4:8080\/new","body":"x","params":\{"headers":\{"X-New":"1"\},.*"expectedStatus":201\}\);/,
    );
    expect(text).toContain('const expectedStatuses = [200,201];');
  });

  it('counts from the end of the lead-in on', () => {
    expect(scriptOf()).toContain(`exec.scenario.progress >= ${0.3 / 3.3}`);
  });

  it.each([
    ['two periods', 500, 100, 0.004],
    ['2 ms, which k6 sleeps at least', 5000, 100, 0.002],
    ['what leaves its few users free', 5000, 4, 0.00016],
  ])('moves requests by up to %s', (_, rate, connections, seconds) => {
    expect(spreadSeconds(rate, connections)).toBeCloseTo(seconds, 10);
    expect(scriptOf({ connections }, { rate })).toContain(`sleep(random() * ${spreadSeconds(rate, connections)});`);
  });

  it('is a closed loop of both sides without a rate, all of which counts', () => {
    const text = scriptOf({ connections: 7 }, { rate: null });
    const { scenarios, thresholds } = optionsIn(text);
    const scenario = { executor: 'constant-vus', vus: 7, duration: '3s', gracefulStop: '2s' };
    expect(scenarios).toEqual({ first: { ...scenario, exec: 'first' }, second: { ...scenario, exec: 'second' } });
    expect(thresholds).toHaveProperty(['http_reqs{scenario:first}']);
    expect(text).not.toContain('phase');
    expect(text).toContain('function enter() {}');
  });

  it('gives a script of the user to each side, in an environment of its own', () => {
    const { files, env, scriptFolders } = invocationOf({ endpoint: PONG }, { script: 'bench/ping.js' });
    expect(Object.keys(files)).toEqual([
      'script.js',
      'environment-first.js',
      'environment-second.js',
      'body',
      'second-body',
    ]);
    expect(scriptFolders).toEqual(['first', 'second']);
    expect(files['script.js']).toContain(`import './environment-first.js';
import * as firstScript from "./first/bench/ping.js";
import './environment-second.js';
import * as secondScript from "./second/bench/ping.js";`);
    expect(files['environment-second.js']).toContain('"WRKBENCH_URL":"http://172.18.0.4:8080/ping"');
    expect(files['environment-second.js']).toContain('"WRKBENCH_BODY_FILE":"/run/trial/second-body"');
    expect(env).not.toHaveProperty('WRKBENCH_URL');
    const base = JSON.parse(/^const base = (\{.*\});$/m.exec(files['script.js']!)![1]!);
    expect(base.scenarios.first.env.WRKBENCH_URL).toBe('http://172.18.0.3:8080/ping');
    expect(base.scenarios.second.env.WRKBENCH_URL).toBe('http://172.18.0.4:8080/ping');
  });

  it('refuses two cases, or two rates', () => {
    const [first, second] = sidesOf();
    expect(() => duet.invocation([first, { ...second, rate: 400 }])).toThrow('are not the two sides of one duet');
    const other = requestOf(LOADS.k6, { connections: 5 }, { rate: 500 });
    expect(() => duet.invocation([first, other])).toThrow(
      'go/ping/direct/k6/keep-alive/100 and go/ping/direct/k6/keep-alive/5 are not the two sides of one duet',
    );
    expect(() => duet.invocation([requestOf(LOADS.wrk), requestOf(LOADS.wrk)])).toThrow('is not a case of k6');
  });
});

describe('what k6 says of a duet', () => {
  const output = (summary: string): GeneratorOutput => ({
    stdout: '',
    stderr: '',
    exitCode: 0,
    files: { 'summary.json': summary },
  });

  it('is read for each side alone, without its lead-in', () => {
    // 200/s for 1 s over 2 connections: the second server takes 15 ms and fails one request in ten.
    const [first, second] = duet.outcomes(output(recorded('k6/duet.json')));
    expect({ ...first, phasesMs: Object.keys(first.phasesMs!) }).toEqual(FIRST);
    expect({ ...second, phasesMs: Object.keys(second.phasesMs!) }).toEqual(SECOND);
  });

  it('takes of the dropped iterations those that the load lacks, for the others were of the lead-in', () => {
    const summary = JSON.parse(recorded('k6/duet.json'));
    const dropped = (inAll: number, iterations: number) => {
      summary.metrics['dropped_iterations{scenario:second}'].values.count = inAll;
      summary.metrics['iterations{scenario:second,phase:load}'].values.count = iterations;
      return duet.outcomes(output(JSON.stringify(summary)))[1].droppedIterations;
    };
    expect([dropped(30, 200), dropped(30, 201), dropped(30, 195), dropped(30, 100)]).toEqual([0, 0, 5, 30]);
  });

  it('is refused where it says nothing of a duet', () => {
    expect(() => duet.outcomes(output(recorded('k6/handle-summary.json')))).toThrow(
      new UnreadableOutput('This summary of k6 is not that of a duet: it does not say how long each side was loaded.'),
    );
    expect(() => duet.outcomes({ ...output(''), files: {} })).toThrow(
      new UnreadableOutput('k6 came to its end and left no summary of the duet.'),
    );
    expect(() => duet.outcomes({ ...output(''), exitCode: 107 })).toThrow(
      new UnreadableOutput('k6 ended with exit status 107 (the script threw) and said: nothing at all'),
    );
  });
});

const FIRST = {
  tool: 'k6',
  requests: 201,
  failedRequests: 0,
  durationSeconds: 1,
  throughput: 201,
  bytes: 29949,
  latencyMs: {
    mean: 0.2713238905472638,
    min: 0.101641,
    max: 1.325743,
    p50: 0.215616,
    p75: 0.30043,
    p95: 0.568445,
    p99: 1.249018,
    p90: 0.482649,
    'p99.9': 1.3118934000000007,
  },
  phasesMs: ['connect', 'sending', 'waiting', 'receiving'],
  errors: { failed: 0 },
  leadInRequests: 250,
  connections: 2,
};

const SECOND = {
  tool: 'k6',
  requests: 101,
  failedRequests: 10,
  durationSeconds: 1,
  throughput: 101,
  bytes: 15399,
  latencyMs: {
    mean: 15.80084968316832,
    min: 15.144992,
    max: 17.700852,
    p50: 15.72594,
    'p99.9': 17.586571700000007,
    p75: 16.047628,
    p90: 16.237125,
    p95: 16.328726,
    p99: 16.558049,
  },
  phasesMs: ['connect', 'sending', 'waiting', 'receiving'],
  errors: { status: 10 },
  leadInRequests: 123,
  connections: 2,
  droppedIterations: 99,
};
