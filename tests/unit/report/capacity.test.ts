import { describe, expect, it } from 'vitest';
import type { RunRecord, SearchRecord } from '../../../src/core/record/run-record.ts';
import { readRunRecord, UnreadableRecord } from '../../../src/core/record/run-record-file.ts';
import { blockMarkdown } from '../../../src/core/report/markdown/blocks.ts';
import { markdown } from '../../../src/core/report/markdown/index.ts';
import { capacity } from '../../../src/core/report/sections/capacity.ts';
import { terminalParts } from '../../../src/core/report/terminal.ts';
import { plainStyle } from '../../../src/core/report/terminal-style.ts';
import { viewOf } from '../../../src/core/report/view.ts';
import { fixtureRecord } from './fixture-records.ts';

type Tried = SearchRecord['probes'][number];
const tried = (level: number, changes: Partial<Tried> = {}): Tried => ({
  ...{
    level,
    held: true,
    why: null,
    message: null,
    throughput: level - 1,
    p99Ms: 12.5,
    errorShare: 0,
    isDisturbed: false,
  },
  ...{ startedNs: 1, durationNs: 5e9, raw: [`raw/${level}.txt`] },
  ...changes,
});
const late = { held: false, why: 'p99', message: 'p99 was 61.20 ms', p99Ms: 61.2 } as const;

const found: SearchRecord = {
  ...{ service: 'go', endpoint: 'ping', find: 'rate', generator: 'h2load', connections: 50 },
  ...{ limits: { p99Ms: 50, errorShare: 0.001 }, held: 14_200, failed: 14_900, why: 'p99' },
  ...{ message: 'p99 was 61.20 ms', isComplete: true, isContradictory: false, lost: null },
  probes: [tried(14_200), tried(14_900, late), tried(14_200), tried(14_900, { ...late, isDisturbed: true })],
};
const lost: SearchRecord = {
  ...{ ...found, service: 'a|b*', held: null, failed: null, why: null, message: null, isComplete: false, probes: [] },
  lost: { code: 'exited', message: 'It is <gone>.' },
};
const atLeast: SearchRecord = { ...found, failed: null, why: null, message: null, held: 50_000, isContradictory: true };

function recordWith(searches: SearchRecord[]): RunRecord {
  const record = fixtureRecord('small');
  const search = {
    find: 'rate',
    endpoint: null,
    generator: 'h2load',
    from: 1000,
    to: 50_000,
    connections: 50,
  } as const;
  const more = { durationSeconds: 5, limits: { p99Ms: 50, errorShare: 0.001 }, precision: 0.05 };
  return { ...record, spec: { ...record.spec, search: { ...search, ...more } }, searches };
}

const section = (searches: SearchRecord[]) =>
  (capacity(viewOf(recordWith(searches)))?.blocks ?? []).map(blockMarkdown).join('\n\n');

describe('the capacity of a report', () => {
  it('is absent where nothing was searched for', () => {
    expect(capacity(viewOf(fixtureRecord('small')))).toBeNull();
    expect(markdown(fixtureRecord('small'), null)).not.toContain('Capacity');
  });

  it('says what each service holds, and what was tried', () => {
    expect(section([found, atLeast, lost])).toMatchSnapshot();
    expect(markdown(recordWith([found]), null)).toContain('\n## Capacity\n');
  });

  it('says so of connections', () => {
    const connections: SearchRecord = { ...found, find: 'connections', generator: 'wrk', connections: null };
    expect(section([connections])).toMatchSnapshot();
  });

  it('is on the terminal a sentence each, without what a terminal obeys', () => {
    const hostile: SearchRecord = { ...found, message: 'a\u001b[2Jb' };
    const parts = terminalParts(recordWith([hostile, atLeast, lost]), null, { width: 90, style: plainStyle });
    expect(parts.at(-1)).toMatchSnapshot();
  });
});

describe('a record with searches', () => {
  it('is read as it was written', () => {
    const record = recordWith([found, lost]);
    expect(readRunRecord(JSON.stringify(record), 'run.json')).toEqual(record);
  });

  it('is not read where it holds more tries than any search takes', () => {
    const many = { ...found, probes: Array.from({ length: 101 }, () => tried(1)) };
    expect(() => readRunRecord(JSON.stringify(recordWith([many])), 'run.json')).toThrow(UnreadableRecord);
  });
});
