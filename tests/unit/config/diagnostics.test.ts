import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { limitsFor } from '../../../src/core/comparison/thresholds.ts';
import { casesOf } from '../../../src/core/config/case.ts';
import { type Diagnostic, renderDiagnostics, SpecError } from '../../../src/core/config/diagnostics.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { diagnosticLines, diagnosticsOf, leastWith } from './specs.ts';

describe('a spec with many mistakes', () => {
  const text = readFileSync('fixtures/specs/wrong/many-mistakes.yml', 'utf8');

  it('is answered with all of them, like a compiler does', () => {
    expect(renderDiagnostics(diagnosticsOf(text), text)).toBe(
      readFileSync('fixtures/specs/wrong/many-mistakes.txt', 'utf8'),
    );
  });

  it('throws an error whose message shows each place', () => {
    const error = (() => {
      try {
        return readSpec('name: a\nservice: 1\n', 'wrkbench.yml');
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(SpecError);
    expect((error as SpecError).message).toBe(
      `wrkbench.yml:1:1: the spec has no \`endpoints\`: expected a map from names to endpoints
  1 | name: a
    | ^^^^^^^

wrkbench.yml:2:1: unknown key \`service\` at the top level: did you mean \`services\`?
  2 | service: 1
    | ^^^^^^^
`,
    );
  });

  it('tells a program what was found, what was expected and what is nearest', () => {
    expect(diagnosticsOf(leastWith('load: {wrk: {conections: [1]}}'))).toEqual([
      {
        code: 'unknown-key',
        file: 'wrkbench.yml',
        line: 6,
        column: 14,
        length: 10,
        path: 'load.wrk.conections',
        message: 'unknown key `conections` in load.wrk: did you mean `connections`?',
        found: 'conections',
        expected: 'threads, connections, keep-alive, duration, timeout or script',
        nearest: 'connections',
      },
    ]);
  });
});

describe('keys', () => {
  it.each([
    ['load: {k6: {threads: 4}}', ['6:13: unknown key `threads` in load.k6: did you mean `connections`?']],
    ['load: {threads: 4}', ['6:8: unknown key `threads` in load: it belongs in load.wrk or in load.h2load']],
    ['gate: {p99: {max: 1}}', ['6:8: unknown key `p99` in gate: did you mean `latency-p99`?']],
    ['gate: {rps: {min: 1}}', ['6:8: unknown key `rps` in gate: did you mean `throughput`?']],
    ['load: {wrk: {keepAlive: on}}', ['6:14: unknown key `keepAlive` in load.wrk: did you mean `keep-alive`?']],
    ['db: postgres:18', ['6:1: unknown key `db` at the top level: did you mean `database`?']],
    [
      'xyzzy: 1',
      [
        '6:1: unknown key `xyzzy` at the top level: expected database, dependencies, prepare, gateway, login, mix, load, search, placement, price or gate',
      ],
    ],
    ['gateway: {}', ['6:1: gateway has no `kind`: expected nginx']],
    ['name: again', ['6:1: `name` appears twice, first in line 1: remove one']],
    ['? [a]\n: 1', ['6:3: a key must be a plain word']],
  ])('%s', (more, expected) => {
    expect(diagnosticLines(leastWith(more))).toEqual(expected);
  });
});

it('takes a code that is expected for the status, and not for the body', () => {
  const text = leastWith('').replace('ping: /ping', 'ping: {path: /ping, expect: {code: 200}}');
  expect(diagnosticLines(text)).toEqual(['5:32: unknown key `code` in endpoints.ping.expect: did you mean `status`?']);
});

describe('values of the wrong kind', () => {
  it.each([
    [
      'placement: [0]',
      ['6:1: placement is a list: expected auto, or a map such as {service: 0-1, database: 0-1, generator: 2-3}'],
    ],
    [
      'database: {init: [3]}',
      ["6:19: database.init.0 is `3`: expected a path inside the spec's folder, relative to it, without .."],
    ],
    [
      'database: {init: /etc/passwd}',
      ["6:18: database.init is `/etc/passwd`: expected a path inside the spec's folder, relative to it, without .."],
    ],
    [
      'database: {pooler: {kind: pgbouncer, mode: sesion}}',
      ['6:44: database.pooler.mode is `sesion`: expected session, transaction or statement; did you mean `session`?'],
    ],
    [
      'load: {preset: standart}',
      [
        '6:16: load.preset is `standart`: expected standard, quick, abstract-rest, users-1000, hardware-tax or event-pong; did you mean `standard`?',
      ],
    ],
    [
      'load: {wrk: {connections: []}}',
      ['6:14: load.wrk.connections is `[]`: expected a number of connections, or a list such as [100, 1000]'],
    ],
    [
      'load: {wrk: {connections: [1, x]}}',
      ['6:31: load.wrk.connections.1 is `x`: expected a number of connections, 1 to 65536'],
    ],
    ['load: {wrk: {keep-alive: yes}}', ['6:26: load.wrk.keep-alive is `yes`: expected on, off or [on, off]']],
    [
      'load: {wrk: {duration: 1.5s}}',
      ['6:24: load.wrk.duration is `1.5s`: expected whole seconds with their unit, such as 10s or 2m'],
    ],
    [
      'load: {cool-down: 1}',
      ['6:19: load.cool-down is `1`: expected a duration with its unit, such as 10s, 500ms or 2m; did you mean `1s`?'],
    ],
    [
      'gate: {throughput: {max-decrease: 5 %}}',
      [
        '6:35: gate.throughput.max-decrease is `5 %`: expected a percentage such as 3%, or requests per second as a number, or 2000/s; did you mean `5%`?',
      ],
    ],
    ...(
      [
        ['500', '500/s'],
        ['60', '60%'],
        ['0.6', '60%'],
        ['500 req/s', '500/s'],
        ['50rps', '50/s'],
        ['1500.5 / sec', '1500.5/s'],
      ] as const
    ).map(([written, meant]): [string, string[]] => [
      `load: {k6: {rate: ${written}}}`,
      [
        `6:19: load.k6.rate is \`${written}\`: expected a share of capacity such as 60%, a rate such as 2000/s, or vus; did you mean \`${meant}\`?`,
      ],
    ]),
    [
      'load: {k6: {rate: fast}}',
      ['6:19: load.k6.rate is `fast`: expected a share of capacity such as 60%, a rate such as 2000/s, or vus'],
    ],
    [
      'gate: {throughput: {min: 50 rps}}',
      [
        '6:26: gate.throughput.min is `50 rps`: expected requests per second as a number, or 2000/s; did you mean `50/s`?',
      ],
    ],
    [
      'gate: {throughput: none}',
      ['6:20: gate.throughput is `none`: expected limits such as {max-increase: 3%}, or off'],
    ],
    [
      'gate: {throughput: {max-decrease: -1}}',
      [
        '6:35: gate.throughput.max-decrease is `-1`: expected a percentage such as 3%, or requests per second as a number, or 2000/s',
      ],
    ],
    [
      'gate: {baseline: "record:../old"}',
      [
        '6:18: gate.baseline is `record:../old`: expected auto, stored, none, image:REFERENCE, commit:REF or record:PATH',
      ],
    ],
    ['gate: {budget: }', ['6:16: gate.budget is empty: expected auto, or a duration such as 5m']],
    ['gate: {builds: 0}', ['6:16: gate.builds is `0`: expected a whole number from 1 to 20']],
    ['gate: {builds: 2.5}', ['6:16: gate.builds is `2.5`: expected a whole number from 1 to 20']],
    ['gate: {builds: 21}', ['6:16: gate.builds is `21`: expected a whole number from 1 to 20']],
    ['database: .inf', ['6:11: `.inf` is neither text, nor a finite number, nor true or false']],
    [
      'load: {wrk: {threads: {many: 2}}}',
      ['6:24: `many` cannot be a name in load.wrk.threads: expected a number of connections'],
    ],
  ])('%s', (more, expected) => {
    expect(diagnosticLines(leastWith(more))).toEqual(expected);
  });

  it('a command that is one text is offered as a list', () => {
    expect(
      diagnosticLines('name: a\nservices:\n  n: {command: node server.js, port: 80}\nendpoints: {p: /}\n'),
    ).toEqual([
      '3:16: services.n.command is `node server.js`: expected a list of words such as [node, server.js]; did you mean `[node, server.js]`?',
    ]);
  });

  it('a list at the top', () => {
    expect(diagnosticLines('- name: a\n')).toEqual([
      '1:1: the spec is a list: expected a map with name, services and endpoints',
    ]);
  });
});

describe('paths that would name another host', () => {
  const EXPECTED = 'expected a path that begins with a single / and holds no space or # (write others as %20)';
  const withService = (inner: string) =>
    `name: a\nservices:\n  go: {image: x, port: 80, ${inner}}\nendpoints: {p: /}\n`;
  const withEndpoint = (inner: string) => `name: a\nservices: {go: {image: x, port: 80}}\nendpoints:\n  p: ${inner}\n`;

  it.each([
    ['//host/x', '/host/x'],
    ['/\\host/x', '/host/x'],
    ['///host', '/host'],
    ['//', '/'],
  ])('are wrong in each place where a path may stand: %s', (path, near) => {
    const hint = `\`${path}\`: ${EXPECTED}; did you mean \`${near}\`?`;
    expect(diagnosticLines(withService(`ready: '${path}'`))).toEqual([`3:35: services.go.ready is ${hint}`]);
    expect(diagnosticLines(withService(`ready: {path: '${path}'}`))).toEqual([
      `3:42: services.go.ready.path is ${hint}`,
    ]);
    expect(diagnosticLines(withService(`base-path: '${path}'`))).toEqual([`3:39: services.go.base-path is ${hint}`]);
    expect(diagnosticLines(withEndpoint(`'${path}'`))).toEqual([`4:6: endpoints.p is ${hint}`]);
    expect(diagnosticLines(withEndpoint(`{path: '${path}'}`))).toEqual([`4:13: endpoints.p.path is ${hint}`]);
  });

  it('are told to a program with what was found and what is nearest', () => {
    expect(diagnosticsOf(withEndpoint('//host/x'))).toMatchObject([
      { code: 'wrong-value', line: 4, found: '//host/x', expected: EXPECTED.slice(9), nearest: '/host/x' },
    ]);
  });

  it('are not those with another / further on', () => {
    expect(diagnosticLines(withEndpoint('/a//b/http://c/\\d'))).toEqual([]);
    expect(diagnosticLines(withService('base-path: /'))).toEqual([]);
  });

  it('get no proposal where it would be none itself', () => {
    expect(diagnosticLines(withEndpoint('/a#b'))).toEqual([`4:6: endpoints.p is \`/a#b\`: ${EXPECTED}`]);
  });
});

describe('contradictions', () => {
  const service = (inner: string) => `name: a\nservices:\n  go: {${inner}}\nendpoints: {p: /}\n`;
  const endpoint = (inner: string) =>
    `name: a\nservices: {go: {build: ., port: 80}}\nendpoints:\n  p: {path: /, ${inner}}\n`;
  it.each([
    [
      'build and image',
      service('build: ., image: x, port: 80'),
      ['3:18: services.go has both `build` and `image`: expected one of them'],
    ],
    [
      'nothing to start',
      service('port: 80'),
      ['3:3: services.go does not say what to start: expected `build`, `image` or `command`'],
    ],
    [
      'too little memory',
      service('image: x, port: 80, memory: 1m'),
      ['3:36: services.go.memory is 1048576 bytes: expected at least 6m'],
    ],
    [
      'a wait of nothing',
      service('image: x, port: 80, ready: {timeout: 0s}'),
      ['3:45: services.go.ready.timeout is `0s`: expected more than 0s'],
    ],
    [
      'a path and a port to be ready by',
      service('image: x, port: 80, ready: {path: /up, port: true}'),
      ['3:47: services.go.ready has both `path` and `port`: expected one of them'],
    ],
    [
      'only references',
      service('image: x, port: 80, role: reference'),
      ['2:1: every service is a reference: expected at least one with the role subject, which is the default'],
    ],
    [
      'no service',
      'name: a\nservices: {}\nendpoints: {p: /}\n',
      ['2:1: services is empty: expected at least one service'],
    ],
    [
      'no endpoint',
      'name: a\nservices: {go: {build: ., port: 80}}\nendpoints: {}\n',
      ['3:1: endpoints is empty: expected at least one endpoint'],
    ],
    [
      'an endpoint without a path',
      'name: a\nservices: {go: {build: ., port: 80}}\nendpoints:\n  p: {method: POST}\n',
      [
        '4:3: endpoints.p has no `path`: expected a path that begins with a single / and holds no space or # (write others as %20)',
      ],
    ],
    [
      'a header twice',
      endpoint('headers: {Accept: a, accept: b}'),
      ['4:37: endpoints.p.headers cannot hold `accept`: it is already here as `Accept`'],
    ],
    [
      'a header of the generator',
      endpoint('headers: {Content-Length: 3}'),
      ['4:26: endpoints.p.headers cannot hold `Content-Length`: it follows from body'],
    ],
    [
      'a body of HEAD',
      endpoint('method: HEAD, expect: {body: x}'),
      ['4:39: endpoints.p.expect.body can never be met: an answer to HEAD has no body'],
    ],
    [
      'a body of 204',
      endpoint('expect: {status: 204, json: {}}'),
      ['4:38: endpoints.p.expect.json can never be met: an answer with status 204 has no body'],
    ],
    [
      'an expression that is none',
      endpoint('expect: {matches: "["}'),
      ['4:34: endpoints.p.expect.matches is not a regular expression: unterminated character class'],
    ],
    [
      'a size upside down',
      endpoint('expect: {size: {min: 2k, max: 1k}}'),
      ['4:37: endpoints.p.expect.size: min `2k` is more than max `1k`'],
    ],
  ])('%s', (_, text, expected) => {
    expect(diagnosticLines(text)).toEqual(expected);
  });

  it.each([
    [
      '{wrk: {threads: 8, connections: [4, 100]}}',
      ['6:23: load.wrk.threads is 8, but the connections go down to 4: wrk needs at least one for each thread'],
    ],
    [
      '{wrk: {threads: {2: 4}}}',
      ['6:27: load.wrk.threads.2 is 4, but the connections go down to 2: wrk needs at least one for each thread'],
    ],
    [
      '{wrk: {threads: {}}}',
      [
        '6:14: load.wrk.threads is empty: expected a number of threads, or threads by connections such as {2: 1, 400: 2}',
      ],
    ],
    ['{ab: {keep-alive: [off, off]}}', ['6:31: load.ab.keep-alive names `off` twice: each case is measured once']],
    ['{ab: {connections: [20001], requests: 30000}}', ['6:13: load.ab.connections is 20001: ab opens 20000 at most']],
    [
      '{ab: {connections: 600, requests: 500}}',
      ['6:26: load.ab has 600 connections and only 500 requests: ab needs at least one request for each connection'],
    ],
    ['{k6: {rate: 0%}}', ['6:19: load.k6.rate is `0%`: expected more than 0% and at most 100%']],
    ['{k6: {rate: 0/s}}', ['6:19: load.k6.rate is `0/s`: expected more than 0/s']],
    ['{h2load: {rate: 0/s}}', ['6:23: load.h2load.rate is `0/s`: expected more than 0/s']],
    [
      '{h2load: {keep-alive: [on, off]}}',
      [
        '6:34: load.h2load.keep-alive is `off`: h2load cannot close a connection after each request; expected on, or wrk, k6 or ab instead',
      ],
    ],
    [
      '{h2load: {keep-alive: off}}',
      [
        '6:29: load.h2load.keep-alive is `off`: h2load cannot close a connection after each request; expected on, or wrk, k6 or ab instead',
      ],
    ],
    [
      '{preset: standard, wrk: off, k6: off}',
      ['6:1: load turns every generator off: expected at least one of wrk, k6, ab, h2load'],
    ],
    ['{warm-up: 25h}', ['6:17: load.warm-up is `25h`: expected at most 24h']],
  ])('load: %s', (load, expected) => {
    expect(diagnosticLines(leastWith(`load: ${load}`))).toEqual(expected);
  });

  it('more cases than anybody measures', () => {
    const endpoints = Array.from({ length: 800 }, (_, index) => `  p${index}: /\n`).join('');
    const text = `name: a\nservices: {go: {build: ., port: 80}}\nload: {wrk: {connections: [1, 2, 3, 4, 5, 6, 7]}}\nendpoints:\n${endpoints}`;
    expect(diagnosticLines(text)).toEqual(['3:1: the spec makes 11200 cases: expected 10000 at most']);
  });
});

describe('a limit in the wrong direction', () => {
  it.each([
    [
      'gate: {throughput: {max-increase: 5%}}',
      ['6:21: gate.throughput.max-increase can never fail: more throughput is better; did you mean `max-decrease`?'],
    ],
    [
      'gate: {latency-p99: {max-decrease: 5%}}',
      ['6:22: gate.latency-p99.max-decrease can never fail: less latency-p99 is better; did you mean `max-increase`?'],
    ],
    [
      'gate: {cpu-per-request: {max-increase: 3%, max-decrease: 3%}}',
      ['6:44: gate.cpu-per-request.max-decrease can never fail: less cpu-per-request is better; remove it'],
    ],
    [
      'gate: {cases: {/ping: {memory-peak: {max-decrease: 64m}}}}',
      [
        '6:38: gate.cases./ping.memory-peak.max-decrease can never fail: less memory-peak is better; did you mean `max-increase`?',
      ],
    ],
    [
      'gate: {errors: {max-increase: 1%}}',
      ['6:17: gate.errors.max-increase can never fail: errors is only judged by its level; did you mean `max`?'],
    ],
  ])('is refused with the key that was meant: %s', (more, expected) => {
    expect(diagnosticLines(leastWith(more))).toEqual(expected);
  });

  it.each([
    'gate: {throughput: {max-decrease: 5%, min: 100}, latency-p50: {max-increase: 5%, max: 50ms}}',
    'gate: {queries-per-request: {max-decrease: 0}, bytes-per-response: {max-increase: 0, max-decrease: 0}}',
    'gate: {errors: {max: 0.1%}}',
  ])('is no limit such as %s', (more) => {
    expect(diagnosticLines(leastWith(more))).toEqual([]);
  });
});

describe('a service that speaks HTTP/2', () => {
  const spec = (more: string) =>
    `name: a\nservices:\n  go: {build: ., port: 80, protocol: h2}\n  old: {build: ., port: 80, protocol: h1}\nendpoints: {p: /}\n${more}`;

  it('is loaded by what can ask for it', () => {
    expect(diagnosticLines(spec('load: {h2load: on}'))).toEqual([]);
  });

  it.each([
    ['', 'wrk or k6'],
    ['load: {preset: quick, h2load: on}', 'wrk'],
    ['load: {h2load: on, k6: on, ab: on}', 'k6 or ab'],
  ])('is told so where something else is to load it: %s', (load, unable) => {
    expect(diagnosticLines(spec(load))).toEqual([
      `3:38: services.go.protocol is h2, which ${unable} cannot speak: expected h1 or \`load: {h2load: {rate: 60%}}\``,
    ]);
  });

  it('has no gateway', () => {
    expect(diagnosticLines(spec('load: {h2load: on}\ngateway: nginx'))).toEqual([
      '3:38: services.go.protocol is h2, and the gateway passes requests on as HTTP/1.1: expected h1, or no `gateway`',
    ]);
  });
});

describe('a service that is asked over TLS', () => {
  const spec = (service: string, more = '') =>
    `name: a\nservices:\n  go: {image: x, port: 80, ${service}}\nendpoints: {p: /}\n${more}`;
  const files = "env: {CERT: '${tls.certificate}'}, command: [run, '${tls.key}']";

  it('is given its certificate, and loaded by every generator', () => {
    const load = 'load: {wrk: on, k6: on, ab: on, h2load: on}';
    expect(diagnosticLines(spec(`protocol: https, ${files}`, load))).toEqual([]);
    expect(diagnosticLines(spec(`protocol: h2-tls, ${files}`, 'load: {k6: on, h2load: on}'))).toEqual([]);
  });

  it('in HTTP/2 is not loaded by what speaks HTTP/1.1 alone', () => {
    expect(diagnosticLines(spec('protocol: h2-tls', 'load: {wrk: on, ab: on, k6: on}'))).toEqual([
      '3:38: services.go.protocol is h2-tls, which wrk or ab cannot speak: expected h1, `load: {k6: {rate: 60%}}` or `load: {h2load: {rate: 60%}}`',
    ]);
    expect(
      diagnosticLines(spec('protocol: h2-tls', 'load: {k6: on}\nsearch: {find: connections, from: 2, to: 9}')),
    ).toEqual([
      '3:38: services.go.protocol is h2-tls, which wrk of the search cannot speak: expected `search: {find: rate, generator: h2load}`, or h1',
    ]);
  });

  it.each([
    ['https', 'without TLS', 'wrk'],
    ['h2-tls', 'as HTTP/1.1', 'h2load'],
  ])('in %s has no gateway, which passes requests on %s', (protocol, how, generator) => {
    expect(diagnosticLines(spec(`protocol: ${protocol}`, `load: {${generator}: on}\ngateway: nginx`))).toEqual([
      `3:38: services.go.protocol is ${protocol}, and the gateway passes requests on ${how}: expected h1, or no \`gateway\``,
    ]);
  });

  it('is the only one that has a certificate', () => {
    const needs =
      'needs a service that is asked over TLS: expected `protocol: https` or `protocol: h2-tls` in services.go';
    expect(diagnosticLines(spec(files))).toEqual([
      `3:41: services.go.env.CERT: \`\${tls.certificate}\` ${needs}`,
      `3:79: services.go.command.1: \`\${tls.key}\` ${needs}`,
    ]);
    const beside = "dependencies: {mq: {image: x, env: {KEY: '${tls.key}'}}}";
    expect(diagnosticLines(spec(`protocol: https, ${files}`, beside))).toEqual([
      '5:43: dependencies.mq.env.KEY: `${tls.key}` is of services alone: expected a certificate of its own, or none',
    ]);
  });

  it('lends it to the jobs that prepare its data, where every service has one', () => {
    const more = "database: {image: x}\nprepare: [{job: [seed, '${tls.certificate}']}]";
    expect(diagnosticLines(spec(`protocol: https, ${files}`, more))).toEqual([]);
    expect(diagnosticLines(spec('protocol: h1', more))).toEqual([
      '6:25: prepare.0.job.1: `${tls.certificate}` needs a service that is asked over TLS: expected `protocol: https` or `protocol: h2-tls` in services.go',
    ]);
  });
});

describe('names that stand for nothing', () => {
  it.each([
    ['{"/db/*": {errors: {max: 0}}}', ['6:16: gate.cases: `/db/*` fits no case; the nearest: /ping']],
    ['{rust: {errors: {max: 0}}}', ['6:16: gate.cases: `rust` fits no case; the nearest: go']],
    [
      '{go/ping/direct/ab/*: {errors: {max: 0}}}',
      [
        '6:16: gate.cases: `go/ping/direct/ab/*` fits no case; the nearest: go/ping/direct/wrk/keep-alive/100, go/ping/direct/wrk/keep-alive/1000, go/ping/direct/k6/keep-alive/50@60%',
      ],
    ],
    [
      '{"*@50%": {errors: {max: 0}}}',
      [
        '6:16: gate.cases: `*@50%` fits no case; the nearest: go/ping/direct/wrk/keep-alive/100, go/ping/direct/k6/keep-alive/50@60%, go/ping/direct/wrk/keep-alive/1000',
      ],
    ],
    [
      '{"rust*": {errors: {max: 0}}}',
      [
        '6:16: gate.cases: `rust*` fits no case; the nearest: go/ping/direct/wrk/keep-alive/100, go/ping/direct/wrk/keep-alive/1000, go/ping/direct/k6/keep-alive/50@60%',
      ],
    ],
  ])('gate.cases: %s', (cases, expected) => {
    expect(diagnosticLines(leastWith(`gate: {cases: ${cases}}`))).toEqual(expected);
  });

  it.each(['*', 'g?', '*@60%', '*k6*', '*/ping', '?ping', 'go/*', '*/wrk/*', '/p*', '*keep-alive-off*'])(
    'gate.cases: %s stands for a case, as the gate takes it',
    (glob) => {
      const text = leastWith(`gate: {cases: {"${glob}": {errors: {max: 0}}}}`);
      const spec = readSpec(text, 'wrkbench.yml');
      const limited = casesOf(spec).filter(
        ({ key, service, endpoint }) =>
          limitsFor(spec.gate, [key, service.name, endpoint.path], 'errors').max !== undefined,
      );
      expect(limited.length).toBeGreaterThan(0);
    },
  );

  it.each([
    ['${datbase.url}', '`${datbase.url}` is not a placeholder: did you mean `${database.url}`?'],
    ['${database.url}', '`${database.url}` needs a database: expected `database` at the top of the spec'],
    ['${port', '`${port` is not closed: expected } at its end'],
    [
      '${HOME}',
      '`${HOME}` is not a placeholder: expected ${database.url}, ${database.host}, ${database.port}, ${database.name}, ${database.user}, ${database.password}, ${port}, ${service}, ${folder}, ${cpus}, ${tls.certificate} or ${tls.key}, or $${ for ${ itself',
    ],
  ])('%s in a variable and in a command', (value, message) => {
    const text = `name: a\nservices:\n  go: {image: x, port: 80, env: {A: '${value}'}, command: [run, '${value}']}\nendpoints: {p: /}\n`;
    const at = text.split('\n')[2]!;
    expect(diagnosticLines(text)).toEqual([
      `3:${at.indexOf('$') + 1}: services.go.env.A: ${message}`,
      `3:${at.lastIndexOf(`'${value}'`) + 2}: services.go.command.1: ${message}`,
    ]);
  });
});

describe('rendering', () => {
  const diagnostic = (changes: Partial<Diagnostic>): Diagnostic => ({
    code: 'wrong-value',
    file: 'f.yml',
    line: 1,
    column: 1,
    length: 1,
    path: '',
    message: 'wrong',
    found: null,
    expected: null,
    nearest: null,
    ...changes,
  });

  it('shows the part of a long line that holds the mistake', () => {
    const text = `${'a'.repeat(300)}bad${'c'.repeat(300)}`;
    const rendered = renderDiagnostics([diagnostic({ column: 301, length: 3 })], text);
    const [, source, carets] = rendered.split('\n');
    expect(source).toBe(`  1 | ${'a'.repeat(39)}bad${'c'.repeat(118)}`.slice(0, 6 + 160));
    expect(carets).toBe(`    | ${' '.repeat(39)}^^^`);
  });

  it('keeps tabs, so that the caret stands below', () => {
    expect(renderDiagnostics([diagnostic({ column: 4, length: 2 })], '\t\t-xy')).toBe(
      'f.yml:1:4: wrong\n  1 | \t\t-xy\n    | \t\t ^^\n',
    );
  });

  it('shows nothing that a terminal takes for a command', () => {
    expect(renderDiagnostics([diagnostic({ column: 2 })], 'a\u001b[31mb')).toBe(
      'f.yml:1:2: wrong\n  1 | a\ufffd[31mb\n    |  ^\n',
    );
  });

  it('lines up the numbers of lines', () => {
    const text = Array.from({ length: 10 }, (_, index) => `line${index + 1}`).join('\n');
    expect(renderDiagnostics([diagnostic({ line: 2 }), diagnostic({ line: 10, column: 5, length: 2 })], text)).toBe(
      'f.yml:2:1: wrong\n   2 | line2\n     | ^\n\nf.yml:10:5: wrong\n  10 | line10\n     |     ^^\n',
    );
  });

  it('counts what is too much to show', () => {
    const rendered = renderDiagnostics(
      Array.from({ length: 53 }, () => diagnostic({})),
      'x',
    );
    expect(rendered.match(/wrong/g)).toHaveLength(50);
    expect(rendered.endsWith('\n\nand 3 more\n')).toBe(true);
  });
});

describe('several builds', () => {
  const withServices = (services: string, builds = 5) =>
    `name: rest-api\nservices: {${services}}\nendpoints: {ping: /ping}\ngate: {builds: ${builds}}\n`;

  it('need something that is built', () => {
    const services = 'go: {image: acme/go, port: 80}, node: {command: [node], port: 81}';
    expect(diagnosticLines(withServices(services))).toEqual([
      '4:16: gate.builds is 5, and no service has `build`: an image or a command is used as it is, and nothing is built more than once',
    ]);
    expect(diagnosticLines(withServices(services, 1))).toEqual([]);
    expect(diagnosticLines(withServices(`${services}, rust: {build: ., port: 82}`))).toEqual([]);
  });

  it('have numbers of their own', () => {
    const services = 'go: {build: {context: ., args: {WRKBENCH_BUILD: 3}}, port: 80}';
    expect(diagnosticLines(withServices(services))).toEqual([
      '2:44: services.go.build.args.WRKBENCH_BUILD is set by wrkbench where gate.builds is more than 1: leave it out',
    ]);
    expect(diagnosticLines(withServices(services, 1))).toEqual([]);
  });
});

describe('errors that a service may have', () => {
  const spec = (max: string) => leastWith('').replace(/port: (\d+)/, `port: $1, errors: {max: ${max}}`);

  it.each(['5', '101%', '-1%', 'some'])('are no share of its requests: %s', (max) => {
    expect(diagnosticLines(spec(max))).toEqual([
      expect.stringMatching(/errors\.max is .*: expected a percentage such as 5%, 100% at most$/),
    ]);
  });

  it.each(['0%', '4.2%', '100%'])('are a share of its requests: %s', (max) => {
    expect(diagnosticLines(spec(max))).toEqual([]);
  });
});
