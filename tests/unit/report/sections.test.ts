import { describe, expect, it } from 'vitest';
import type { Block, Inline, Table } from '../../../src/core/report/document.ts';
import { reportDocument } from '../../../src/core/report/sections/index.ts';
import { fixtureRecord } from './fixture-records.ts';

type Record = ReturnType<typeof fixtureRecord>;

function plain(inline: Inline): string {
  if (typeof inline === 'string') return inline;
  if (Array.isArray(inline)) return inline.map(plain).join('');
  if ('code' in inline) return inline.code;
  if ('mark' in inline) return `[${inline.mark}]`;
  return 'strong' in inline ? plain(inline.strong) : inline.text;
}

function blocksOf(record: Record, id: string): Block[] {
  return reportDocument(record).sections.find((section) => section.id === id)?.blocks ?? [];
}

/** All that a section says outside its tables. */
function said(record: Record, id: string): string {
  return blocksOf(record, id)
    .flatMap((block) => {
      if (block.kind === 'list') return block.items.map(plain);
      return 'text' in block ? [plain(block.text)] : [];
    })
    .join('\n');
}

function tablesOf(record: Record, id: string): Table[] {
  return blocksOf(record, id).flatMap((block) => (block.kind === 'table' ? [block.table] : []));
}

const cells = (table: Table | undefined) => table?.rows.map((row) => row.cells.map(plain)) ?? [];

describe('the headline', () => {
  const headlineOf = (record: Record) => plain(reportDocument(record).headline);

  it('of a contest that one wins everywhere, in part, or on one test', () => {
    expect(headlineOf(fixtureRecord('apostol'))).toBe('apostol-v2 answers the most requests in all 6 tests with wrk.');
    expect(headlineOf(fixtureRecord('abstract-rest'))).toBe(
      'java-light-4j answers the most requests: 401,512/s with wrk.',
    );
    const record = fixtureRecord('apostol');
    record.cases.find(({ service, endpoint }) => service === 'go' && endpoint === 'db-ping')!.metrics
      .throughput!.value = 80_000;
    expect(headlineOf(record)).toBe(
      'apostol-v2 is ahead: fastest in 5 of 6 tests with wrk, on average 98% of the best.',
    );
  });

  it('counts apart what the machine could not load, which the section of what went wrong names with what to change', () => {
    const record = fixtureRecord('small');
    const why = 'not measured: 100 connections need 356 open files; the hard limit of this shell is 300.';
    for (const at of [0, 1]) {
      record.cases[at]!.status = 'invalid';
      record.cases[at]!.reasons = [{ code: 'machine-limit', message: why }];
      record.cases[at]!.metrics = {};
    }
    expect(headlineOf(record)).toBe('2 cases of 6 were not measured: beyond the limits of this machine.');
    expect(blocksOf(record, 'warnings').slice(0, 3)).toEqual([
      { kind: 'heading', text: 'Cases that were not measured' },
      { kind: 'paragraph', text: `N${why.slice(1)}` },
      {
        kind: 'list',
        items: [
          'api · users · wrk · keep-alive on · 100 connections',
          'api · users · wrk · keep-alive off · 100 connections',
        ],
      },
    ]);
    expect(JSON.stringify(blocksOf(record, 'results'))).toContain('(not measured)');
  });

  it('of one service says what it can do, and names what went wrong', () => {
    const record = fixtureRecord('small');
    record.cases[1]!.status = 'invalid';
    expect(headlineOf(record)).toBe(
      'api answers up to 2,407 requests/s (users · wrk · keep-alive on · 100 connections), 99% of them within 97.86 ms. 1 case of 6 is invalid.',
    );
    delete record.cases[0]!.metrics['latency-p99'];
    expect(headlineOf(record)).toContain('keep-alive on · 100 connections). 1 case');
  });

  it('of an open model alone counts its cases', () => {
    const record = fixtureRecord('small');
    record.cases = record.cases.filter(({ generator }) => generator === 'k6');
    expect(headlineOf(record)).toBe('2 cases measured.');
  });
});

describe('the method', () => {
  it('tells the ways that k6 can be told to send', () => {
    const record = fixtureRecord('small');
    const arrival = (kind: object) => {
      Object.assign(record.spec.load.k6!, { arrival: kind });
      return said(record, 'method');
    };
    expect(arrival({ kind: 'share', shareOfCapacity: 0.6 })).toContain('at 60% of what the service can answer');
    expect(arrival({ kind: 'rate', requestsPerSecond: 2000 })).toContain('open model, 2,000 requests/s');
    expect(arrival({ kind: 'vus' })).toContain('closed loop, one virtual user per connection');
  });

  it('names the scripts that requests come from', () => {
    const record = fixtureRecord('small');
    expect(said(record, 'method')).not.toContain('requests by the script');
    Object.assign(record.spec.load.k6!, { script: 'load/own.js' });
    Object.assign(record.spec.load.wrk!, { script: 'load/own.lua' });
    const text = said(record, 'method');
    expect(text).toMatch(/^.*k6: .*, requests by the script load\/own\.js$/m);
    expect(text).toMatch(/^.*wrk: .*, requests by the script load\/own\.lua$/m);
  });

  it('tells a fixed warm-up, ab, and threads that depend on the connections', () => {
    const record = fixtureRecord('apostol');
    record.spec.load.warmUp = { kind: 'fixed', seconds: 3 };
    record.spec.load.ab = { requests: 10_000, connections: [1, 64, 128], keepAlive: [false], timeoutSeconds: 30 };
    record.spec.load.wrk!.threadSteps = [
      { fromConnections: 1, threads: 1 },
      { fromConnections: 1000, threads: 4 },
    ];
    const text = said(record, 'method');
    expect(text).toContain('3 s of warm-up before each, 1 s of rest after it');
    record.spec.load.warmUp = { kind: 'fixed', seconds: 0 };
    expect(said(record, 'method')).toContain('no warm-up, 1 s of rest after each');
    expect(text).toContain(
      'ab: 10,000 requests for each case, 1, 64 and 128 connections, keep-alive off, timeout 30 s',
    );
    expect(text).toContain('wrk: 1 to 4 threads by the connections, 100 and 1,000 connections');
    record.spec.load.ab = { requests: 1, connections: [1], keepAlive: [true], timeoutSeconds: 30 };
    expect(said(record, 'method')).toContain('ab: 1 request for each case, 1 connection, keep-alive on, timeout 30 s');
    const captions = said(record, 'results');
    expect(captions).toContain('1 thread / 100 connections:');
    expect(captions).toContain('4 threads / 1,000 connections:');
  });
});

describe('the environment', () => {
  it('of containers without a database, and of processes with one', () => {
    const record = fixtureRecord('troubled');
    record.environment.placement = { service: '', database: '', generator: '1' };
    expect(said(record, 'environment')).toContain(
      "One container for each part, on an application network of its own; the generator speaks to the container's own address, through no published port.\n" +
        'One service runs at a time.\n' +
        'Service on any CPU, generator on CPU 1.',
    );
    expect(said(fixtureRecord('small'), 'environment')).toContain(
      "Each service is a process of this machine, reached over the loopback interface; so is its database's server.",
    );
  });

  it('lists what each endpoint is sent and must answer, long texts cut', () => {
    const record = fixtureRecord('hardware-tax');
    Object.assign(record.spec.endpoints[0]!, { method: 'POST', body: 'x'.repeat(200) });
    record.spec.endpoints[0]!.expect.json = { sequence: 2 };
    const endpoints = tablesOf(record, 'environment').find(({ label }) => label === 'Endpoints');
    expect(cells(endpoints)).toEqual([
      ['root', `POST / with ${'x'.repeat(119)}…`, 'status 200, JSON with {"sequence":2}, 22 to 22 bytes'],
    ]);
  });
});

describe('a comparing run', () => {
  it('is told as what it was: both variants up, and the command that measures them again', () => {
    const record = fixtureRecord('compared');
    expect(said(record, 'environment')).toContain(
      'Baseline and candidate of one service run at a time, each with a database of its own.',
    );
    expect(said(record, 'method')).toContain(
      'Baseline and candidate are restarted for each round and loaded at the same time on the same CPUs to be compared. ' +
        'The result tables show the candidate loaded by itself, so their figures differ from those beside a change.',
    );
    expect(said(record, 'reproduce')).toContain('--baseline commit:3f2c1ab09d0e77c1a2b3c4d5e6f708192a3b4c5d --seed 71');
    record.comparing!.mode = 'interleaved';
    expect(said(record, 'method')).toContain('loaded in turn, a few seconds each');
    record.comparing!.baseline.sha = '$(touch pwned)';
    expect(said(record, 'reproduce')).not.toContain('pwned');
  });

  it('with a baseline that did not start has a candidate that did', () => {
    const record = fixtureRecord('compared');
    record.services[0]!.failure = { code: 'not-ready', message: 'api did not answer.' };
    expect(cells(tablesOf(record, 'services')[0])[0]?.[1]).toBe('under test, baseline failed');
  });
});

describe('the services', () => {
  it('are shown with what was started for each variant', () => {
    const record = fixtureRecord('hardware-tax');
    expect(cells(tablesOf(record, 'services')[0])[0]?.[2]).toBe('a process of this machine');
    record.environment.runtime = 'docker';
    record.services.push({ service: 'bun', variant: 'baseline', artifact: './bun-1.0', failure: null });
    record.services[1]!.artifact = '';
    record.spec.services[2]!.command = null;
    expect(cells(tablesOf(record, 'services')[0])).toEqual([
      ['bun', 'under test', './bun', 'sha256:0123456789ab (candidate), ./bun-1.0 (baseline)'],
      ['go', 'under test', './go', '–'],
      ['nodepp-single', 'under test', '–', 'sha256:0123456789ab'],
      ['nodepp-cluster', 'under test', './nodepp-cluster', 'sha256:0123456789ab'],
    ]);
  });

  it('have the sizes of their images, both where a change made it another one', () => {
    const record = fixtureRecord('compared');
    record.environment.runtime = 'docker';
    const sizes = () => cells(tablesOf(record, 'services')[0]).map((row) => row.at(-1));
    const [one, other] = ['candidate', 'baseline'].map(
      (variant) => record.services.find((each) => each.variant === variant)!,
    );
    one!.imageBytes = 245 * 2 ** 20;
    expect(sizes()).toEqual(['245 MiB']);
    other!.imageBytes = 187 * 2 ** 20;
    expect(sizes()).toEqual(['245 MiB, baseline 187 MiB']);
    other!.imageBytes = one!.imageBytes;
    expect(sizes()).toEqual(['245 MiB']);
  });
});

describe('memory and CPU', () => {
  it('has services as rows where there are many', () => {
    const record = fixtureRecord('abstract-rest');
    for (const each of record.cases) each.metrics['memory-peak'] = { value: 3_000_000, unit: 'bytes', samples: [] };
    const [table] = tablesOf(record, 'resources');
    expect(table?.columns.map(({ title }) => title)).toEqual([
      'Service',
      'Requests per second',
      'Max latency',
      'p99 latency',
      'Memory peak',
    ]);
    expect(cells(table)[0]).toEqual(['java-light-4j', '401,512', '545.85 ms', '148.73 ms', '2.86 MiB']);
  });

  it('is left out where nothing was sampled', () => {
    expect(blocksOf(fixtureRecord('abstract-rest'), 'resources')).toEqual([]);
  });

  it('show what each dependency used, and that a request costs theirs as well', () => {
    const metric = (value: number, unit: string) => ({ value, unit, samples: [] });
    const plainRecord = fixtureRecord('apostol');
    const specDependencies = ['redis', 'mq'].map((name) => ({ name })) as NonNullable<Record['spec']['dependencies']>;
    for (const { metrics } of plainRecord.cases) {
      Object.assign(metrics, { 'memory-peak': metric(3_000_000, 'bytes'), 'cpu-per-request': metric(40, 'us') });
    }
    const used = { redis: { cpuPerRequestUs: 12.5, memoryPeakBytes: 2 * 1024 ** 2 }, mq: { cpuPerRequestUs: 1 } };
    const record = {
      ...plainRecord,
      spec: { ...plainRecord.spec, dependencies: specDependencies },
      cases: plainRecord.cases.map((each) => ({ ...each, dependencies: used })),
    };
    const rowsOf = (of: Record) => tablesOf(of, 'resources').flatMap((table) => cells(table));
    const titlesOf = (of: Record) =>
      tablesOf(of, 'resources').flatMap(({ columns, rows }) => [
        ...columns.map(({ title }) => title),
        ...rows.map((row) => plain(row.cells[0]!)),
      ]);
    expect(titlesOf(record)).toEqual(
      expect.arrayContaining([
        'CPU per request, with dependencies',
        'CPU per request, redis',
        'Memory peak, redis',
        'CPU per request, mq',
      ]),
    );
    expect(titlesOf(record)).not.toContain('CPU per request, service and database');
    expect(titlesOf(record)).not.toContain('Memory peak, mq');
    expect(rowsOf(record).flat()).toEqual(expect.arrayContaining(['12.5 µs', '2.00 MiB']));
    expect(titlesOf(plainRecord)).toContain('CPU per request, service and database');
  });
});

describe('comparisons within a run', () => {
  it('take no invalid case', () => {
    const record = fixtureRecord('apostol');
    for (const each of record.cases.filter(({ service }) => service === 'go')) each.status = 'invalid';
    for (const id of ['ratios', 'references', 'keep-alive', 'spread']) {
      const names = tablesOf(record, id).flatMap((table) => cells(table).map(([name]) => name));
      expect(names.length).toBeGreaterThan(3);
      expect(names.filter((name) => name?.includes('go'))).toEqual([]);
    }
  });

  it('of direct and gateway have a table for each test where there are several services', () => {
    const record = fixtureRecord('small');
    record.cases.push(
      ...record.cases.map((each) => ({ ...each, service: 'other', key: each.key.replace('api/', 'other/') })),
    );
    const tables = tablesOf(record, 'gateway');
    expect(tables).toHaveLength(3);
    expect(cells(tables[0]).map((row) => row.slice(0, 4))).toEqual([
      ['api', '2,407', '2,212', '-8.1%'],
      ['other', '2,407', '2,212', '-8.1%'],
    ]);
  });

  it('of more than eight services hold the leader against each of the others', () => {
    const [table] = tablesOf(fixtureRecord('abstract-rest'), 'ratios');
    expect(cells(table)).toHaveLength(12);
    expect(new Set(cells(table).map(([pair]) => pair?.split(' / ')[0]))).toEqual(new Set(['java-light-4j']));
  });

  it('survive a p50 of nothing', () => {
    const record = fixtureRecord('abstract-rest');
    record.cases[0]!.metrics['latency-p50']!.value = 0;
    expect(cells(tablesOf(record, 'spread')[0]).at(-1)).toEqual(['java-light-4j', '0 µs', '148.73 ms', '–']);
  });
});

describe('what went wrong', () => {
  it('has a line for an invalid case without a recorded reason, and none where all is well', () => {
    const record = fixtureRecord('apostol');
    expect(blocksOf(record, 'warnings')).toEqual([]);
    record.cases[5]!.status = 'invalid';
    expect(cells(tablesOf(record, 'warnings')[0])).toEqual([
      ['python', 'ping · wrk · keep-alive on · 100 connections', 'unknown', 'no reason was recorded'],
    ]);
  });

  it('counts the warnings, folds each of them away, and is no alarm where there is nothing else', () => {
    const record = fixtureRecord('small');
    const steal = { code: 'steal', message: "the hypervisor took 7 % of the server's CPUs" };
    for (const each of record.cases) each.warnings = [steal];
    record.cases[0]!.warnings.push({ code: 'waiting', message: 'requests waited for something else' });
    const section = reportDocument(record).sections.find(({ id }) => id === 'warnings');
    expect(section?.title).toBe('What to know');
    expect(said(record, 'warnings')).toBe(
      'Warnings (†)\nWorth knowing, and no reason to leave a case out:\n' +
        "In all 6 cases, for example: the hypervisor took 7 % of the server's CPUs\nIn 1 case: requests waited for something else",
    );
    const folded = section?.blocks.flatMap((block) => (block.kind === 'details' ? block.blocks : []));
    expect(folded?.[0]).toMatchObject({ kind: 'table', table: { rows: { length: 7 } } });
  });

  it('tells a cause that befell many cases in one row, and that of a whole service with the service alone', () => {
    const record = fixtureRecord('small');
    const failure = { code: 'nothing-listens', message: 'api was asked, but nobody listens.' };
    const other = { code: 'no-answer', message: 'no request was answered' };
    record.cases = record.cases.map((each, index) => ({
      ...each,
      status: 'invalid',
      reasons: [index < 3 ? failure : other],
    }));
    record.services[0]!.failure = failure;
    const tables = blocksOf(record, 'warnings').flatMap((block) => (block.kind === 'table' ? [block.table] : []));
    expect(tables.flatMap(({ rows }) => rows.map(({ cells }) => cells))).toEqual([
      [
        'api',
        'users · wrk · keep-alive off · gateway · 100 connections; users · k6 · keep-alive on · 100 connections at 60%; users · k6 · keep-alive on · gateway · 100 connections at 60%',
        { code: 'no-answer' },
        'no request was answered',
      ],
    ]);
    expect(said(record, 'warnings')).toContain('api (3 cases): api was asked, but nobody listens.');
  });

  it('names the variant that failed', () => {
    const record = fixtureRecord('small');
    record.services[0]!.variant = 'baseline';
    record.services[0]!.failure = { code: 'build-failed', message: 'The Dockerfile has a mistake in line 3.' };
    expect(said(record, 'warnings')).toContain('api (baseline): The Dockerfile has a mistake in line 3.');
  });
});

describe('the summary of a run without a baseline', () => {
  it('warns of a limit that no case can be held to', () => {
    const record = fixtureRecord('apostol');
    record.spec.gate.metrics = { 'latency-p50': { max: 5 }, throughput: { min: 1 } };
    expect(blocksOf(record, 'summary').filter(({ kind }) => kind === 'warning')).toEqual([
      {
        kind: 'warning',
        text: [
          'latency-p50 is limited, and no case of this run can be held to it: latency is judged with k6 at a fixed rate (load.k6).',
        ],
      },
    ]);
  });

  it('is without a warning where every limit has its case', () => {
    const record = fixtureRecord('apostol');
    record.spec.gate.metrics = { throughput: { min: 1 } };
    expect(blocksOf(record, 'summary').filter(({ kind }) => kind === 'warning')).toEqual([]);
  });
});
