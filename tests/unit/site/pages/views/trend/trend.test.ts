import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../../../../src/core/publication/manifest.ts';
import type { SeriesPiece } from '../../../../../../src/core/publication/series-piece.ts';
import { stateOf } from '../../../../../../src/site/pages/address.ts';
import { entriesOf } from '../../../../../../src/site/pages/data/entries.ts';
import type { RunEntry } from '../../../../../../src/site/pages/view.ts';
import { annotationsOf } from '../../../../../../src/site/pages/views/trend/annotations.ts';
import { trendCsv, trendJson } from '../../../../../../src/site/pages/views/trend/downloads.ts';
import { changeText, runTitle } from '../../../../../../src/site/pages/views/trend/drawings.ts';
import { cpuChanges, type Trend, trendOf } from '../../../../../../src/site/pages/views/trend/model.ts';
import { referenceOf } from '../../../../../../src/site/pages/views/trend/normalising.ts';
import { type Question, questionOf } from '../../../../../../src/site/pages/views/trend/question.ts';
import { verdictText } from '../../../../../../src/site/pages/views/trend/selection.ts';
import {
  changeDescription,
  figureDescription,
  figureWords,
} from '../../../../../../src/site/pages/views/trend/words.ts';

const load = { route: 'direct', generator: 'wrk', keepAlive: true, connections: 100, rate: null } as const;
const caseOf = (service: string, endpoint = 'ping') => ({
  key: `${service}/${endpoint}/direct/wrk/on/100`,
  service,
  endpoint,
  load,
  reference: service === 'nginx',
});

const manifest: Manifest = {
  schemaVersion: 1,
  tool: '0.1.0',
  spec: 'rest-api',
  server: 'https://github.com',
  repository: 'acme/api',
  cases: [
    caseOf('nginx'),
    caseOf('go'),
    caseOf('rust'),
    caseOf('go', 'db'),
    { ...caseOf('x'), key: 'imported/a|b', load: null },
  ],
  metrics: [
    { name: 'throughput', title: 'Throughput', unit: 'req/s', better: 'higher' },
    { name: 'cpu-per-request', title: 'CPU per request', unit: 'us', better: 'lower' },
    { name: 'memory-peak', title: 'Memory, peak', unit: 'bytes', better: 'lower' },
  ],
  months: [],
  since: null,
  latest: null,
  leftOut: [],
  oldest: null,
};

const piece: SeriesPiece = {
  schemaVersion: 1,
  runs: {
    id: [1, 2, 3, 4].map((day) => `2026110${day}-101500-0a1b2c`),
    sha: ['1', '2', '3', '4'].map((digit) => digit.repeat(40)),
    workflowRun: [1, 2, 3, 4],
    pullRequest: [null, 12, null, null],
    release: [null, null, '=v1', null],
    cpu: [0, 0, 1, 1],
    passed: [null, true, true, false],
    mode: ' ddd',
    imported: [false, false, false, false],
  },
  cpus: ['EPYC (4 CPUs)', 'Xeon (4 CPUs)'],
  accepted: [{ run: 1, cases: '/*', metric: 'throughput', reason: 'more checks' }],
  series: {
    '0.0': { value: [100, 110, 80, null] },
    '1.0': {
      value: [50, 55, 40, 20],
      status: '   x',
      changeBp: [null, -800, 12, null],
      lowBp: [null, -900, -10, null],
      highBp: [null, -700, 34, null],
      verdict: ' rnx',
    },
    '2.0': { value: [60, 66, 48, 47], changeBp: [null, null, 2500, null], verdict: '  i ' },
  },
};

const runs: RunEntry[] = entriesOf(piece, manifest);
const asked = (search = ''): Question => questionOf(stateOf(search), manifest, false, runs.at(-1));
const trendAt = (search = ''): Trend => trendOf(asked(search), manifest, runs, [0, 4]);

describe('what an address asks of the trend', () => {
  it('is the first subject of all services, and CPU per request where that was compared', () => {
    expect(asked()).toMatchObject({
      metric: 0,
      cases: [1, 2],
      axis: 'commits',
      band: true,
      normalised: false,
      unknown: [],
    });
    const withCpu = { piece: { ...piece, series: { ...piece.series, '1.1': { value: [7, 7, 7, 7] } } }, place: 3 };
    expect(questionOf(stateOf(''), manifest, true, withCpu).metric).toBe(1);
    expect(questionOf(stateOf(''), manifest, true, runs.at(-1)).metric).toBe(0);
  });

  it('is a case that the newest run measured, and then the same of other services', () => {
    const [first, ...others] = manifest.cases.slice(1);
    const renamed = { ...manifest, cases: [manifest.cases[0]!, { ...first!, service: 'php', key: 'php' }, ...others] };
    const series = { '1.0': { value: [50, 55, 40, null] }, '2.0': { value: [null, null, null, 47] } };
    const newest = { piece: { ...piece, series }, place: 3 };
    expect(questionOf(stateOf(''), renamed, false, newest).cases).toEqual([2, 1]);
    expect(questionOf(stateOf('?case=php'), renamed, false, newest).cases).toEqual([1]);
  });

  it('is what it names', () => {
    const search =
      '?metric=memory-peak&case=go/db/direct/wrk/on/100|nginx/ping/direct/wrk/on/100&axis=time&band=off&zero=on&changes=sum';
    expect(asked(search)).toMatchObject({
      metric: 2,
      cases: [3, 0],
      axis: 'time',
      band: false,
      fromZero: true,
      changes: 'sum',
    });
    expect(asked('?case=imported/a|b').cases).toEqual([4]);
  });

  it('says what nobody has, and shows the rest', () => {
    const question = asked('?metric=speed&case=go/ping/direct/wrk/on/100|<script>');
    expect(question.cases).toEqual([1]);
    expect(question.unknown).toEqual([
      'No run has a metric called “speed”: choose one of those in the list.',
      'No run has a case called “<script>”: it may have been renamed or removed.',
    ]);
    expect(asked(`?case=${'x'.repeat(300)}`).unknown[0]).toContain(`“${'x'.repeat(100)}…”`);
  });

  it('is not normalised where the machine has no part in it', () => {
    expect(asked('?metric=memory-peak&normalised=on').normalised).toBe(false);
    expect(asked('?metric=throughput&normalised=on').normalised).toBe(true);
  });
});

describe('the trend of two cases', () => {
  it('has their figures, and no invalid one in the line', () => {
    const { lines, cpus, hasChanges } = trendAt();
    expect(lines.map(({ title }) => title)).toEqual(['go', 'rust']);
    expect(lines[0]!.figures).toEqual([50, 55, 40, 20]);
    expect(lines[0]!.sound).toEqual([50, 55, 40, Number.NaN]);
    expect(lines[0]!.columns.doubt).toEqual([null, null, null, 'invalid']);
    expect(cpus).toEqual(['EPYC (4 CPUs)', 'EPYC (4 CPUs)', 'Xeon (4 CPUs)', 'Xeon (4 CPUs)']);
    expect(hasChanges).toBe(true);
    expect(changeText(lines[0]!, 1)).toBe('-8.0 % (-9.0 % … -7.0 %)');
    expect(changeText(lines[0]!, 0)).toBe('');
    expect(runTitle({ runs }, 2)).toBe('2026-11-03 10:15 UTC · 3333333 · =v1');
  });

  it('is on another machine in each run that was shared out over several CPU models', () => {
    const shared = runs.map((run) => ({ ...run, cpu: 'EPYC and Xeon (4 CPUs)' }));
    expect(cpuChanges(trendOf(asked(), manifest, shared, [0, 4]).cpus)).toEqual([1, 2, 3]);
  });

  it('is divided by the reference of the same endpoint and load, and says where there is none', () => {
    expect(referenceOf(manifest.cases, 1)).toBe(0);
    expect([0, 3, 4].map((place) => referenceOf(manifest.cases, place))).toEqual([null, null, null]);
    const trend = trendAt('?normalised=on&case=go/ping/direct/wrk/on/100|go/db/direct/wrk/on/100');
    // Half of the reference in each run, whose median is 100.
    expect(trend.lines[0]!.figures).toEqual([50, 50, 50, Number.NaN]);
    expect(trend.withoutReference).toEqual(['db']);
    expect(figureWords(trend, asked('?normalised=on'))).toEqual([
      'The line has a gap wherever the CPU model is another one (1 time here): absolute figures of different CPU models cannot be compared.',
      'Normalised: each figure is divided by that of the reference service at the same endpoint and load in the same run, and multiplied by the median of the reference. Runs without a figure of the reference are left out.',
      'No reference service was measured beside db: as measured, not normalised.',
    ]);
  });

  it('is said in words', () => {
    expect(figureDescription(trendAt())).toBe(
      'Throughput of 4 runs, 2026-11-01 10:15 UTC to 2026-11-04 10:15 UTC. go: 3 figures from 50.0 req/s to 40.0 req/s, lowest 40.0 req/s, highest 55.0 req/s; rust: 4 figures from 60.0 req/s to 47.0 req/s, lowest 47.0 req/s, highest 66.0 req/s.',
    );
    expect(changeDescription(trendAt())).toBe(
      'Changes of throughput, 4 runs, 2026-11-01 10:15 UTC to 2026-11-04 10:15 UTC. go: 2 changes, 1 regression, 0 improvements, 0 inconclusive; rust: 1 change, 0 regressions, 1 improvement, 0 inconclusive.',
    );
  });

  it('calls a regression accepted where the run passed all the same', () => {
    const trend = trendAt();
    const [line] = trend.lines;
    const verdictIn = (passed: boolean | null) => verdictText({ ...trend.runs[1]!, passed }, line!, 1);
    expect([true, false, null].map(verdictIn)).toEqual(['▼ regression, accepted', '▼ regression', '▼ regression']);
  });

  it('lists what its charts mark, the newest first', () => {
    expect(annotationsOf(trendAt())).toEqual([
      { place: 3, text: '✕ invalid, go' },
      { place: 2, text: '▲ improvement +25.0 %, rust' },
      { place: 2, text: 'from here on: Xeon (4 CPUs)' },
      { place: 2, text: 'release =v1' },
      { place: 1, text: '▼ regression -8.0 % (-9.0 % … -7.0 %), accepted, go' },
      { place: 1, text: 'accepted for /*: more checks' },
    ]);
  });
});

describe('a line that went to another level', () => {
  const count = 40;
  // Every fourth run was on another machine; from the thirtieth on requests cost a fifth more.
  const values = Array.from(
    { length: count },
    (_, run) => (run % 4 === 3 ? 90 : 100) * (run < 29 ? 1 : 1.2) + (run % 3),
  );
  const many: SeriesPiece = {
    ...piece,
    runs: {
      ...piece.runs,
      id: values.map((_, run) => `20261101-10${String(run + 10)}00-0a1b2c`),
      sha: values.map((_, run) => String(run + 10).repeat(20)),
      workflowRun: values.map(() => null),
      pullRequest: values.map(() => null),
      release: values.map(() => null),
      cpu: values.map((_, run) => (run % 4 === 3 ? 1 : 0)),
      passed: values.map(() => true),
      mode: values.map(() => ' ').join(''),
      imported: values.map(() => false),
    },
    accepted: [],
    series: { '1.1': { value: values } },
  };
  const question = questionOf(
    stateOf('?metric=cpu-per-request&case=go/ping/direct/wrk/on/100'),
    manifest,
    true,
    undefined,
  );
  const trendOfRange = (start: number, end: number) =>
    trendOf(question, manifest, entriesOf(many, manifest), [start, end]);

  it('has the levels of each CPU model, as far as enough runs were on it', () => {
    expect(trendOfRange(0, count).lines[0]!.levels).toEqual([
      { first: 0, last: 28, figure: 101, from: null },
      { first: 29, last: 38, figure: expect.closeTo(121, 5), from: { change: expect.closeTo(0.198, 3), before: 28 } },
    ]);
  });

  it('has in a range what is seen in it', () => {
    expect(trendOfRange(28, 35).lines[0]!.levels).toMatchObject([
      { first: 0, last: 0, from: null },
      { first: 1, last: 6, from: { before: 0 } },
    ]);
    expect(trendOfRange(29, 35).lines[0]!.levels).toMatchObject([{ first: 0, last: 5, from: null }]);
    expect(trendOfRange(0, 20).lines[0]!.levels).toMatchObject([{ first: 0, last: 19, from: null }]);
  });

  it('says so in words, with the commits between the two runs', () => {
    const trend = trendOfRange(0, count);
    const said = annotationsOf(trend).map(({ text }) => text);
    expect(said.filter((text) => text.includes('change point'))).toEqual([
      '▬ change point +19.8 %, 3838383..3939393, go · ping · wrk · keep-alive on · 100 connections',
    ]);
    expect(figureWords(trend, question).filter((sentence) => sentence.startsWith('Levels'))).toEqual([
      'Levels: what a line stayed at between change points, five runs at least (E-divisive, Student’s t). Whatever changed it was committed after the last run of the level before.',
    ]);
    expect(annotationsOf(trendOfRange(30, count)).filter(({ text }) => text.includes('change point'))).toEqual([]);
  });
});

describe('downloads of a trend', () => {
  it('are a row a run and case, in which no spreadsheet finds a formula', () => {
    expect(trendCsv(trendAt('?case=go/ping/direct/wrk/on/100'), false).split('\r\n')).toEqual([
      'run,time,commit,pull_request,release,cpu,case,metric,unit,value,status,change,change_low,change_high,verdict,accepted',
      `20261101-101500-0a1b2c,2026-11-01T10:15:00.000Z,${'1'.repeat(40)},,,EPYC (4 CPUs),go/ping/direct/wrk/on/100,throughput,req/s,50,valid,,,,,`,
      `20261102-101500-0a1b2c,2026-11-02T10:15:00.000Z,${'2'.repeat(40)},12,,EPYC (4 CPUs),go/ping/direct/wrk/on/100,throughput,req/s,55,valid,-0.08,-0.09,-0.07,regression,more checks`,
      `20261103-101500-0a1b2c,2026-11-03T10:15:00.000Z,${'3'.repeat(40)},,"'=v1",Xeon (4 CPUs),go/ping/direct/wrk/on/100,throughput,req/s,40,valid,0.0012,-0.001,0.0034,no-change,`,
      `20261104-101500-0a1b2c,2026-11-04T10:15:00.000Z,${'4'.repeat(40)},,,Xeon (4 CPUs),go/ping/direct/wrk/on/100,throughput,req/s,20,invalid,,,,invalid,`,
      '',
    ]);
  });

  it('have beside each normalised figure what was measured', () => {
    const search = '?normalised=on&case=go/ping/direct/wrk/on/100';
    expect(trendCsv(trendAt(search), true)).toContain('req/s,55,50,valid');
    expect(JSON.parse(trendJson(trendAt(search), true, manifest)).series).toEqual([
      {
        case: 'go/ping/direct/wrk/on/100',
        value: [50, 55, 40, 20],
        normalisedValue: [50, 50, 50, null],
        status: ['valid', 'valid', 'valid', 'invalid'],
        change: [null, -0.08, 0.0012, null],
        low: [null, -0.09, -0.001, null],
        high: [null, -0.07, 0.0034, null],
        verdict: [null, 'regression', 'no-change', 'invalid'],
      },
    ]);
  });
});
