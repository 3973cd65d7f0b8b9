import { describe, expect, it } from 'vitest';
import { isMeasuredApart, isOfSeveralModels, joinedModels } from '../../../src/core/record/different-machines.ts';
import { mergedRecord } from '../../../src/core/record/merged-record.ts';
import { EPYC, shardedRecords, shardSet, XEON } from '../../support/made-up/sharded-run.ts';

describe('the name of several CPU models', () => {
  it('has each once, whatever their order', () => {
    expect(joinedModels([XEON, EPYC, XEON])).toBe(`${EPYC} and ${XEON}`);
    expect([joinedModels([XEON, EPYC]), joinedModels([XEON, XEON])].map(isOfSeveralModels)).toEqual([true, false]);
  });
});

describe('a run whose shards were measured on different CPU models, without a baseline', () => {
  const merged = mergedRecord(shardSet(shardedRecords([XEON, EPYC])));

  it('names all of them, and was measured on none of them alone', () => {
    expect(merged.environment.cpuModel).toBe(`${EPYC} and ${XEON}`);
  });

  it('says at each case where it was measured, and where others were', () => {
    const on = (own: string, other: string) => [
      {
        code: 'shards-differ',
        message: `measured on ${own}, and other cases on ${other}: its figures are not comparable with theirs`,
      },
    ];
    expect(merged.cases.map(({ key, warnings }) => [key, warnings])).toEqual([
      ['go/ping/direct/wrk/keep-alive/100', on(XEON, EPYC)],
      ['go/ping/direct/wrk/keep-alive/1000', on(XEON, EPYC)],
      ['rust/ping/direct/wrk/keep-alive/100', on(EPYC, XEON)],
      ['rust/ping/direct/wrk/keep-alive/1000', on(EPYC, XEON)],
    ]);
  });

  it('has no reference, which calibrates the machine alone that it ran on', () => {
    expect(merged.cases.map(({ service }) => service)).not.toContain('nginx');
  });
});

describe('a run whose shards were measured on one CPU model', () => {
  it('has that name, its reference and no such warning', () => {
    const { environment, cases } = mergedRecord(shardSet(shardedRecords([EPYC, EPYC])));
    expect(environment.cpuModel).toBe(EPYC);
    expect([...new Set(cases.map(({ service }) => service))]).toEqual(['go', 'rust', 'nginx']);
    expect(cases.some(isMeasuredApart)).toBe(false);
  });
});
