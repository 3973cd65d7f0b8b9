import { describe, expect, it } from 'vitest';
import type { GeneratorName } from '../../../src/core/generators/registry.ts';
import { generators } from '../../../src/core/generators/registry.ts';
import { ENDED_LINE, luaString, READY_LINE } from '../../../src/core/generators/wrk/script.ts';
import { type CaseParts, caseOf, LOADS, PONG, requestOf } from './cases.ts';

const { wrk, k6, ab, h2load } = generators;

describe('a call of wrk', () => {
  it('names threads, connections, duration, timeout, latencies, script and URL', () => {
    const {
      program,
      arguments: words,
      results,
      env,
      timeoutSeconds,
    } = wrk.invocation(requestOf(LOADS.wrk, { basePath: '/api/v4' }));
    expect([program, ...words].join(' ')).toBe(
      'wrk -t 4 -c 100 -d 11s --timeout 2s --latency -s /run/trial/wrk.lua http://172.18.0.3:8080/api/v4/ping',
    );
    expect({ results, env, timeoutSeconds }).toEqual({ results: ['wrk.json'], env: {}, timeoutSeconds: 22 });
  });

  it.each([
    [4, 1000, 4],
    [4, 10, 2],
    [8, 2, 2],
    [4, 7, 1],
    [3, 9, 3],
  ])(
    'asked for %i threads and %i connections has %i threads, so that no connection is lost',
    (threads, connections, t) => {
      const words = wrk.invocation(requestOf({ ...LOADS.wrk, threads }, { connections })).arguments;
      expect(words.slice(0, 4)).toEqual(['-t', String(t), '-c', String(connections)]);
    },
  );

  it.each([
    [10, '11s', 9.95],
    [1, '2s', 0.95],
    [0.6, '1s', 0.55],
    // What is no whole tick in binary, and what is none at all.
    [0.7, '1s', 0.65],
    [1.1, '2s', 1.05],
    [1.25, '2s', 1.25],
    [0.05, '1s', 0.05],
  ])(
    'of %f s is told %s, and interrupted half a tick before its end',
    (durationSeconds, told, interruptAfterSeconds) => {
      const call = wrk.invocation(requestOf(LOADS.wrk, {}, { durationSeconds }));
      expect(call.arguments.slice(4, 6)).toEqual(['-d', told]);
      expect(call.interruptAfterSeconds).toBe(interruptAfterSeconds);
    },
  );

  it('rounds parts of a second of a timeout up, since wrk takes whole ones only', () => {
    const call = wrk.invocation(requestOf({ ...LOADS.wrk, timeoutSeconds: 0.5 }, {}, { durationSeconds: 1.2 }));
    expect(call.arguments.slice(6, 8)).toEqual(['--timeout', '1s']);
    expect(call.timeoutSeconds).toBe(13);
  });

  it('sets method, body and headers in its script, and Connection: close where keep-alive is off', () => {
    const lua = (keepAlive: boolean) =>
      wrk
        .invocation(requestOf(LOADS.wrk, { endpoint: PONG, keepAlive }))
        .files['wrk.lua']!.split('\n\n')[0]!
        .trimEnd();
    expect(lua(true)).toBe(
      [
        'wrk.method = "POST"',
        'wrk.body = "{\\034sequence\\034: 2}"',
        'wrk.headers["Content-Type"] = "application/json"',
        'wrk.headers["X-Trace"] = "say \\034hi\\034\\092"',
      ]
        .join('\n')
        .trimEnd(),
    );
    expect(lua(false).split('\n').at(-1)).toBe('wrk.headers["Connection"] = "close"');
  });

  it('defines functions that wrk calls once or once a thread, and none that it would call for each request', () => {
    const lua = wrk.invocation(requestOf(LOADS.wrk)).files['wrk.lua']!;
    expect(lua).toContain('function done(summary, latency, requests)');
    expect(lua).toContain('io.open("/run/trial/wrk.json", "w")');
    expect(lua.match(/^function \w+/gm)).toEqual(['function setup', 'function init', 'function done']);
  });

  it('says that it is ready before its first thread, and waits for a line', () => {
    const { files, readyLine } = wrk.invocation(requestOf(LOADS.wrk));
    expect(readyLine).toBe(READY_LINE);
    expect(files['wrk.lua']).toContain(`function setup(thread)
   if begun then return end
   io.stdout:write(${luaString(`${READY_LINE}\n`)})
   io.stdout:flush()`);
    expect(files['wrk.lua']).toContain('io.read("*l")');
  });

  it('says that its load has ended when its figures are written, and keeps its connections until its input ends', () => {
    const { files, endedLine } = wrk.invocation(requestOf(LOADS.wrk));
    expect(endedLine).toBe(ENDED_LINE);
    expect(files['wrk.lua']).toContain(`   file:close()
   -- wrk closes its connections when it ends. Until then the server answers the last requests as it did all others.
   io.stdout:write(${luaString(`${ENDED_LINE}\n`)})
   io.stdout:flush()`);
    expect(files['wrk.lua']!.trimEnd()).toMatch(/until line or not cause\nend$/);
  });

  it('has its own setup and done around a script of the user', () => {
    const call = wrk.invocation(requestOf(LOADS.wrk, {}, { script: 'bench/ping.lua' }));
    const { files, results, readyLine } = call;
    expect(Object.keys(files)).toEqual(['wrk.lua']);
    expect(call).toMatchObject({ scriptFolders: ['own'], startFolder: 'own/bench' });
    const parts = ['wrk.method = "GET"', 'local ours = {setup = setup, done = done}', 'done = finish'];
    const places = parts.map((part) => files['wrk.lua']!.indexOf(part));
    expect(places).toEqual([...places].filter((place) => place > 0).sort((one, other) => one - other));
    expect(files['wrk.lua']).toContain('loadfile("/run/trial/own/bench/ping.lua")');
    expect({ results, readyLine }).toEqual({ results: ['wrk.json'], readyLine: READY_LINE });
  });

  it('leaves out headers that are its own business', () => {
    const headers = {
      'content-length': '3',
      Connection: 'keep-alive',
      'Transfer-Encoding': 'chunked',
      HOST: 'a.example',
    };
    const lua = wrk.invocation(requestOf(LOADS.wrk, { endpoint: { headers } })).files['wrk.lua']!;
    expect(lua.match(/wrk\.headers\[.*/g)).toEqual(['wrk.headers["Host"] = "a.example"']);
  });

  it.each([
    ['a"b\\c', '"a\\034b\\092c"'],
    ['line\nnext\r', '"line\\010next\\013"'],
    ['\0' + '1', '"\\0001"'],
    ['é', '"\\195\\169"'],
    [']]', '"]]"'],
  ])('writes %j as a Lua literal', (text, literal) => {
    expect(luaString(text)).toBe(literal);
  });
});

describe('a call of ab', () => {
  const words = (request: Parameters<typeof ab.invocation>[0]) => ab.invocation(request).arguments.join(' ');

  it('sends the number of requests over HTTP/1.0, with or without -k', () => {
    const request = (keepAlive: boolean) =>
      requestOf(LOADS.ab, { connections: 128, keepAlive }, { durationSeconds: 0 });
    expect(words(request(false))).toBe('-n 10000 -c 128 -s 30 -q -r -l -e percentiles.csv http://172.18.0.3:8080/ping');
    expect(words(request(true))).toBe(
      '-n 10000 -c 128 -s 30 -q -r -l -e percentiles.csv -k http://172.18.0.3:8080/ping',
    );
  });

  it('ends after a time where one is given', () => {
    expect(words(requestOf(LOADS.ab, {}, { durationSeconds: 1 }))).toMatch(/^-t 1 -n 10000 -c 100 /);
  });

  it('never asks for fewer requests than connections, which ab refuses', () => {
    expect(words(requestOf({ ...LOADS.ab, requests: 50 }, { connections: 200 }))).toContain('-n 200 -c 200');
  });

  it('sends a body from a file, with its type and method', () => {
    const call = (method: string) => ab.invocation(requestOf(LOADS.ab, { endpoint: { ...PONG, method } }));
    expect(call('POST').files).toEqual({ body: '{"sequence": 2}' });
    const sent = ['-p', 'body', '-T', 'application/json'];
    expect(call('POST').arguments.slice(-7, -1)).toEqual([...sent, '-H', 'X-Trace: say "hi"\\']);
    expect(call('PATCH').arguments.slice(-9, -1)).toEqual([...sent, '-m', 'PATCH', '-H', 'X-Trace: say "hi"\\']);
  });

  it.each([
    ['GET', []],
    ['HEAD', ['-i']],
    ['DELETE', ['-m', 'DELETE']],
    ['post', ['-m', 'POST']],
  ])('has the method %s without a body', (method, expected) => {
    const call = ab.invocation(requestOf(LOADS.ab, { endpoint: { method }, keepAlive: false }));
    expect(call.arguments.slice(call.arguments.indexOf('percentiles.csv') + 1, -1)).toEqual(expected);
  });

  it('may take as long as its requests may', () => {
    const limit = (requests: number, durationSeconds: number) =>
      ab.invocation(requestOf({ ...LOADS.ab, requests }, {}, { durationSeconds })).timeoutSeconds;
    expect([limit(1000, 0), limit(10_000_000, 0), limit(1000, 5)]).toEqual([310, 3610, 45]);
  });
});

describe('a call of k6', () => {
  const script = (request: Parameters<typeof k6.invocation>[0]) => k6.invocation(request).files['script.js']!;
  const optionsIn = (text: string) => JSON.parse(/^export const options = (\{.*\});$/m.exec(text)![1]!);

  it('reports to nobody, opens no port and colours nothing', () => {
    const { program, arguments: words, env, results } = k6.invocation(requestOf(LOADS.k6, {}, { rate: 500 }));
    expect([program, ...words]).toEqual([
      'k6',
      'run',
      '--quiet',
      '--no-color',
      '--no-usage-report',
      '--no-thresholds',
      '--address',
      '',
      '--log-output',
      'file=./k6.log,level=error',
      '--summary-trend-stats',
      'avg,min,med,max,p(50),p(75),p(90),p(95),p(99),p(99.9),count',
      'script.js',
    ]);
    expect(env).toEqual({
      K6_NO_USAGE_REPORT: 'true',
      K6_AUTO_EXTENSION_RESOLUTION: 'false',
      GOGC: 'off',
      GOMEMLIMIT: '1GiB',
    });
    expect(results).toEqual(['summary.json', 'k6.log']);
  });

  it('sends at a rate with as many users as connections, after a lead-in that does not overlap with what is counted', () => {
    const arrivals = {
      executor: 'constant-arrival-rate',
      rate: 500,
      timeUnit: '1s',
      preAllocatedVUs: 100,
      maxVUs: 100,
    };
    const { thresholds, ...options } = optionsIn(script(requestOf(LOADS.k6, {}, { rate: 500, durationSeconds: 3 })));
    expect(thresholds).toMatchObject({ 'http_reqs{scenario:load}': [], 'dropped_iterations{scenario:load}': [] });
    expect(options).toEqual({
      scenarios: {
        'lead-in': { ...arrivals, duration: '1s', gracefulStop: '250ms' },
        load: { ...arrivals, duration: '3s', gracefulStop: '2s', startTime: '1250ms' },
      },
      noConnectionReuse: false,
      summaryTrendStats: ['avg', 'min', 'med', 'max', 'p(50)', 'p(75)', 'p(90)', 'p(95)', 'p(99)', 'p(99.9)', 'count'],
      systemTags: ['scenario'],
      discardResponseBodies: true,
    });
  });

  it.each([
    [740.7, 74_070, '100s'],
    [0.001, 1, '100s'],
    [1, 1, '1s'],
  ])('keeps the rate %d exact in whole numbers', (rate, whole, timeUnit) => {
    expect(optionsIn(script(requestOf(LOADS.k6, {}, { rate }))).scenarios.load).toMatchObject({
      rate: whole,
      timeUnit,
    });
  });

  it('is a closed loop without a rate, and opens a connection for each request without keep-alive', () => {
    const call = k6.invocation(requestOf(LOADS.k6, { keepAlive: false, connections: 7 }));
    const options = optionsIn(call.files['script.js']!);
    expect(options.scenarios.load).toEqual({ executor: 'constant-vus', vus: 7, duration: '10s', gracefulStop: '2s' });
    expect(options.noConnectionReuse).toBe(true);
    expect(call.arguments).toContain('--no-connection-reuse');
  });

  it('sends method, headers and body, and expects the status of the spec', () => {
    const endpoint = { ...PONG, body: '"\u2028\u0000é', expect: { ...caseOf(LOADS.k6).endpoint.expect, status: 201 } };
    const text = script(requestOf(LOADS.k6, { endpoint }));
    expect(text).toContain(
      'asking({"method":"POST","url":"http://172.18.0.3:8080/ping","body":"\\"\\u2028\\u0000é","params":{"headers":{"Content-Type":"application/json","X-Trace":"say \\"hi\\"\\\\"},"timeout":"2s","redirects":0,"responseType":"none"},"expectedStatus":201});',
    );
    expect(text).toContain('const expectedStatuses = [201];');
  });

  it('puts a script of the user beside its own and tells it the case', () => {
    const call = k6.invocation(
      requestOf(LOADS.k6, { endpoint: PONG, basePath: '/v1' }, { rate: 20, durationSeconds: 3, script: 'ping.js' }),
    );
    expect(Object.keys(call.files)).toEqual(['script.js', 'body']);
    expect(call.scriptFolders).toEqual(['own']);
    expect(call).not.toHaveProperty('startFolder');
    expect(call.files['script.js']).toContain(`import * as template from "./own/ping.js";

export * from "./own/ping.js";`);
    expect(call.env).toEqual({
      K6_NO_USAGE_REPORT: 'true',
      K6_AUTO_EXTENSION_RESOLUTION: 'false',
      GOGC: 'off',
      GOMEMLIMIT: '1GiB',
      WRKBENCH_URL: 'http://172.18.0.3:8080/v1/ping',
      WRKBENCH_METHOD: 'POST',
      WRKBENCH_HEADERS: '{"Content-Type":"application/json","X-Trace":"say \\"hi\\"\\\\"}',
      WRKBENCH_BODY_FILE: '/run/trial/body',
      WRKBENCH_EXPECTED_STATUS: '200',
      WRKBENCH_RATE: '20',
      WRKBENCH_CONNECTIONS: '100',
      WRKBENCH_DURATION: '3s',
      WRKBENCH_TIMEOUT: '2s',
      WRKBENCH_KEEP_ALIVE: 'true',
    });
    const plain = k6.invocation(requestOf(LOADS.k6, {}, { script: 'ping.js' }));
    expect(plain.env).toMatchObject({ WRKBENCH_BODY_FILE: '', WRKBENCH_RATE: '' });
    expect(Object.keys(plain.files)).toEqual(['script.js']);
  });

  it('has a second thread on a single CPU, so that answers are read while others are made', () => {
    expect(k6.invocation({ ...requestOf(LOADS.k6), cpuCount: 1 }).env).toMatchObject({ GOMAXPROCS: '2' });
    expect(k6.invocation({ ...requestOf(LOADS.k6), cpuCount: 2 }).env).not.toHaveProperty('GOMAXPROCS');
  });

  it('has time to compile its script for each user', () => {
    expect(k6.invocation(requestOf(LOADS.k6, { connections: 1000 })).timeoutSeconds).toBe(49);
  });
});

describe('a call of h2load', () => {
  it('names protocol, duration, connections, threads, the rate of each connection, log and URL', () => {
    const call = h2load.invocation(requestOf(LOADS.h2load, { basePath: '/api/v4' }, { rate: 5000 }));
    expect([call.program, ...call.arguments].join(' ')).toBe(
      'h2load --h1 -D 10000ms -c 100 -t 1 -m 1 --rps 50 --log-file=requests.log http://172.18.0.3:8080/api/v4/ping',
    );
    expect(call).toMatchObject({
      files: {},
      results: [],
      largeResult: { name: 'requests.log', mostBytes: 268_435_456 },
      env: {},
      timeoutSeconds: 15,
    });
  });

  it('over HTTP/2 has as many requests under way on a connection as the spec says', () => {
    const request = requestOf(LOADS.h2load, {}, { rate: null, durationSeconds: 1.2 });
    const service = { ...request.case.service, protocol: 'h2' as const };
    const words = h2load.invocation({ ...request, case: { ...request.case, service } }).arguments;
    expect(words.slice(0, -2)).toEqual(['-D', '1200ms', '-c', '100', '-t', '1', '-m', '10']);
  });

  it.each([
    ['5,000/s for 10 s', { rate: 5000, durationSeconds: 10 }, true],
    ['5,000/s for an hour', { rate: 5000, durationSeconds: 3600 }, false],
    ['as much as it can for 40 s', { rate: null, durationSeconds: 40 }, true],
    ['as much as it can for a minute', { rate: null, durationSeconds: 60 }, false],
  ])('logs its requests where the disk has nothing to fear: %s', (_, load, isLogged) => {
    const call = h2load.invocation(requestOf(LOADS.h2load, {}, load));
    expect(call.arguments.includes('--log-file=requests.log')).toBe(isLogged);
    expect(call.largeResult !== undefined).toBe(isLogged);
  });

  it('has no more threads than connections', () => {
    const words = h2load.invocation(requestOf({ ...LOADS.h2load, threads: 8 }, { connections: 2 })).arguments;
    expect(words.slice(3, 7)).toEqual(['-c', '2', '-t', '2']);
  });

  it('has a rate that is no whole number for each connection', () => {
    const words = h2load.invocation(requestOf(LOADS.h2load, { connections: 3 }, { rate: 10 })).arguments;
    expect(words[words.indexOf('--rps') + 1]).toBe('3.33333333');
  });

  it('sends method, headers and body, and the host as HTTP/2 names it', () => {
    const endpoint = { ...PONG, method: 'PUT', headers: { ...PONG.headers, Host: 'api.example' } };
    const { arguments: words, files } = h2load.invocation(requestOf(LOADS.h2load, { endpoint }));
    expect(words.slice(words.indexOf('-d'), -1)).toEqual([
      ...['-d', 'body', '-H', ':method: PUT', '-H', 'Content-Type: application/json'],
      ...['-H', 'X-Trace: say "hi"\\', '-H', ':authority: api.example'],
    ]);
    expect(files).toEqual({ body: '{"sequence": 2}' });
  });
});

describe('a service that is asked over TLS', () => {
  const origin = 'https://172.18.0.3:8443';
  const callOf = (
    name: GeneratorName,
    protocol: 'https' | 'h2-tls',
    parts: CaseParts = {},
    script: string | null = null,
  ) => generators[name].invocation(requestOf(LOADS[name], { protocol, ...parts }, { origin, script }));

  it.each(['wrk', 'k6', 'ab', 'h2load'] as const)('is asked at its https address by %s', (name) => {
    const { arguments: words, files } = callOf(name, 'https');
    expect(`${words.join(' ')} ${files['script.js'] ?? ''}`).toContain(`${origin}/ping`);
  });

  it('is asked by k6 in the version that the spec names, which a server that offers both would not see otherwise', () => {
    expect(callOf('k6', 'https').env.GODEBUG).toBe('http2client=0');
    expect(callOf('k6', 'h2-tls').env).not.toHaveProperty('GODEBUG');
    expect(k6.invocation(requestOf(LOADS.k6)).arguments).not.toContain('--insecure-skip-tls-verify');
    for (const protocol of ['https', 'h2-tls'] as const) {
      expect(callOf('k6', protocol).arguments).toContain('--insecure-skip-tls-verify');
    }
    const side = requestOf(LOADS.k6, { protocol: 'https' }, { origin });
    expect(k6.duet!.invocation([side, side]).env.GODEBUG).toBe('http2client=0');
  });

  it('is asked by h2load in the same version', () => {
    const words = (protocol: 'https' | 'h2-tls') => callOf('h2load', protocol).arguments;
    expect(words('https')).toContain('--h1');
    expect(words('https').slice(words('https').indexOf('-m'))[1]).toBe('1');
    expect(words('h2-tls')).not.toContain('--h1');
    expect(words('h2-tls').slice(words('h2-tls').indexOf('-m'))[1]).toBe('10');
  });

  it('is asked by wrk for requests that it counts one by one, since it writes more than these', () => {
    const { files, binaryFiles } = callOf('wrk', 'https', { endpoint: PONG, keepAlive: false });
    expect(files['wrk.lua']).toContain('function request()');
    expect(Buffer.from(binaryFiles!.requests!.slice(4 * 5)).toString('utf8')).toBe(
      'POST /ping HTTP/1.1\r\nHost: 172.18.0.3:8443\r\nContent-Type: application/json\r\nX-Trace: say "hi"\\\r\nConnection: close\r\nContent-Length: 15\r\n\r\n{"sequence": 2}',
    );
    // A script of the user's has its own.
    expect(callOf('wrk', 'https', {}, 'ping.lua').binaryFiles).toBeUndefined();
  });
});

describe('every generator', () => {
  const names = Object.keys(generators) as GeneratorName[];

  it.each(names)('%s encodes what no request line may hold, and nothing twice', (name) => {
    const { arguments: words, files } = generators[name].invocation(
      requestOf(LOADS[name], { endpoint: { path: '/päge one?q=%20&r=😀' } }),
    );
    expect([...words, ...Object.values(files)].join('\n')).toContain(
      'http://172.18.0.3:8080/p%C3%A4ge%20one?q=%20&r=%F0%9F%98%80',
    );
  });

  it.each(names)('%s refuses a case of another', (name) => {
    const other = name === 'wrk' ? LOADS.ab : LOADS.wrk;
    expect(() => generators[name].invocation(requestOf(other))).toThrow(`is not a case of ${name}`);
  });

  it('tells its version', () => {
    expect(wrk.versionOf('wrk debian/4.1.0-3+b2 [epoll] Copyright (C) 2012 Will Glozer\nUsage: wrk')).toBe(
      '4.1.0-3+b2',
    );
    expect(wrk.versionOf('wrk 4.2.0 [kqueue]')).toBe('4.2.0');
    expect(k6.versionOf('k6 v1.8.1 (go1.26.8, linux/amd64)\n')).toBe('1.8.1');
    expect(ab.versionOf('This is ApacheBench, Version 2.3 <$Revision$>\n')).toBe('2.3');
    expect(names.map((name) => generators[name].versionOf('Segmentation fault'))).toEqual(names.map(() => null));
  });
});
