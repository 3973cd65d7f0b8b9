import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxRecordLength, readRunRecord, UnreadableRecord } from '../../../src/core/record/run-record-file.ts';
import { type FixtureName, fixtureText } from '../report/fixture-records.ts';

type Json = Record<string, unknown>;

const small = () =>
  JSON.parse(fixtureText('small')) as Json & {
    cases: (Json & { metrics: Record<string, Json> })[];
    spec: Json & { services: Json[]; load: Json };
  };

/** A few kilobytes, for what is read hundreds of times. */
function withoutSamples() {
  const record = small();
  record.cases = record.cases.slice(0, 1);
  for (const metric of Object.values(record.cases[0]!.metrics)) metric.samples = [];
  return record;
}

/** What is said of a record that this change has been made to. */
function saidOf(change: (record: ReturnType<typeof small>) => void): string {
  const record = small();
  change(record);
  return saidOfText(JSON.stringify(record));
}

function saidOfText(text: string): string {
  try {
    readRunRecord(text, 'run.json');
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableRecord);
    return (error as Error).message;
  }
  return 'nothing';
}

describe('a run record that was made to cost time', () => {
  it('is refused where a few words of its spec stand for any number of cases', () => {
    const many = (record: ReturnType<typeof small>) => {
      const wrk = record.spec.load.wrk as { connections: number[] };
      wrk.connections = Array.from({ length: 20_000 }, (_, at) => at + 1);
    };
    expect(saidOf(many)).toMatch(
      /^run\.json is too large for a run record: its spec makes \d{5,} cases, where at most 10000 are read\.$/,
    );
  });

  it('is refused where it holds more cases than any spec may ask for', () => {
    const record = withoutSamples();
    record.cases[0]!.metrics = {};
    record.cases = Array.from({ length: 20_001 }, () => record.cases[0]!);
    expect(saidOfText(JSON.stringify(record))).toBe(
      'run.json is too large for a run record: it holds 20001 cases, where at most 20000 are read.',
    );
  });

  it.each(['services', 'endpoints', 'cases'])('is refused where a name of its %s is very long', (where) => {
    const long = 'x'.repeat(1001);
    const change = (record: ReturnType<typeof small>) => {
      if (where === 'cases') record.cases[0]!.key = long;
      else (record.spec[where] as Json[])[0]!.name = long;
    };
    expect(saidOf(change)).toBe(
      'run.json is not a run record: a name in it has 1001 characters, where at most 1000 are read.',
    );
  });
});

describe('a run record', () => {
  it.each<FixtureName>(['apostol', 'abstract-rest', 'hardware-tax', 'small', 'troubled'])(
    '%s is read as it was written',
    (name) => {
      expect(readRunRecord(fixtureText(name), name)).toEqual(JSON.parse(fixtureText(name)));
    },
  );

  it('keeps what a later wrkbench of the same schema has added', () => {
    const record = small();
    record.fleet = { of: 3 };
    record.cases[0]!.colour = 'blue';
    record.cases[0]!.metrics['context-switches'] = { value: 3, unit: '1/request', samples: [] };
    expect(readRunRecord(JSON.stringify(record), 'run.json')).toEqual(record);
  });

  it('has services with an open network where a wrkbench wrote it that knew no other', () => {
    const record = small();
    for (const service of record.spec.services) delete service.network;
    const { spec } = readRunRecord(JSON.stringify(record), 'run.json');
    expect(spec.services.map(({ network }) => network)).toEqual(record.spec.services.map(() => 'open'));
  });

  it('may begin with a byte order mark', () => {
    expect(readRunRecord(`\uFEFF${fixtureText('small')}`, 'run.json').id).toBe('20260301T101500Z-7f3a');
  });
});

describe('what is no run record is told so in one sentence', () => {
  it('written by a newer wrkbench', () => {
    expect(saidOf((record) => Object.assign(record, { schemaVersion: 2 }))).toBe(
      'run.json: this record was written by a newer wrkbench (schema 2); this one reads schema 1: update wrkbench to read it.',
    );
  });

  it('of no version, or of none that there is', () => {
    expect(saidOfText('{}')).toBe('run.json is not a run record: it has no schemaVersion.');
    expect(saidOfText('{"schemaVersion": "1"}')).toBe(
      'run.json is not a run record: its schemaVersion is "1", where 1 is expected.',
    );
    expect(saidOfText('{"schemaVersion": 0.5}')).toBe(
      'run.json is not a run record: its schemaVersion is 0.5, where 1 is expected.',
    );
  });

  it('cut off', () => {
    const text = fixtureText('small');
    const whole = text.slice(0, 3000);
    expect(saidOfText(whole)).toBe(
      `run.json ends in the middle, at line ${whole.split('\n').length}: it was not written to its end; ` +
        'where the folder still has its journal.jsonl, `wrkbench run --resume DIR` continues from there.',
    );
  });

  it('empty, or something else altogether', () => {
    expect(saidOfText(' \n')).toBe('run.json is empty; a run record is a JSON object, as wrkbench run writes it.');
    expect(saidOfText('name: rest-api\n')).toBe(
      'run.json is not JSON; a run record is what wrkbench run writes as run.json.',
    );
    expect(saidOfText('{"a": 1}}')).toBe(
      'run.json is not JSON (line 1, column 9); a run record is what wrkbench run writes as run.json.',
    );
    expect(saidOfText('[]')).toBe(
      'run.json is not a run record: it holds an array where an object with schemaVersion and cases is expected.',
    );
    expect(saidOfText('null')).toBe(
      'run.json is not a run record: it holds null where an object with schemaVersion and cases is expected.',
    );
  });

  it('with a value of another type: where, what stands there, what is expected', () => {
    expect(saidOf((record) => Object.assign(record.cases[3]!.metrics.throughput!, { value: '1720' }))).toBe(
      'run.json is not a run record: cases[3].metrics.throughput.value is "1720", where a number is expected.',
    );
    expect(saidOf((record) => Object.assign(record.cases[0]!, { generator: 'bombardier' }))).toBe(
      'run.json is not a run record: cases[0].generator is "bombardier", where one of "wrk", "k6", "ab", "h2load" is expected.',
    );
    expect(saidOf((record) => Object.assign(record.spec.services[0]!, { port: 80.5 }))).toBe(
      'run.json is not a run record: spec.services[0].port is 80.5, where a whole number is expected.',
    );
    expect(saidOf((record) => Object.assign(record.cases[0]!, { connections: -1 }))).toBe(
      'run.json is not a run record: cases[0].connections is -1, where 0 or more is expected.',
    );
    expect(saidOf((record) => Object.assign(record, { tool: { name: 'wrk', version: '4' } }))).toBe(
      'run.json is not a run record: tool.name is "wrk", where "wrkbench" is expected.',
    );
    expect(saidOf((record) => Object.assign(record, { cases: {} }))).toBe(
      'run.json is not a run record: cases is an object, where an array is expected.',
    );
    expect(saidOf((record) => Object.assign(record, { seed: null, id: 7 }))).toBe(
      'run.json is not a run record: id is 7, where a string is expected (and 1 more error).',
    );
  });

  it('with something missing, also inside a choice of forms', () => {
    expect(saidOf((record) => Reflect.deleteProperty(record, 'timing'))).toBe(
      'run.json is not a whole run record: timing is missing.',
    );
    expect(
      saidOf((record) => Object.assign(record.spec.services[0]!, { image: { kind: 'build', context: '.' } })),
    ).toContain('spec.services[0].image');
    expect(
      saidOf((record) => Object.assign(record.spec.load, { warmUp: { kind: 'auto', windowSeconds: 'x' } })),
    ).toContain('spec.load.warmUp');
  });

  it('with a hostile name in the path, shown and shortened', () => {
    const name = `<b>\u001b[31m${'x'.repeat(100)}`;
    const said = saidOf((record) => {
      record.cases[0]!.metrics = { [name]: {} };
    });
    expect(said).toContain('cases[0].metrics["<b>\\u001b[31mxxx');
    expect(said.length).toBeLessThan(200);
  });

  it('with a figure beyond all numbers', () => {
    const text = fixtureText('small').replace('"wallSeconds": 372', '"wallSeconds": 1e999');
    expect(saidOfText(text)).toContain('timing.wallSeconds');
  });

  it('too large, or nested to exhaust the reader', () => {
    expect(saidOfText(' '.repeat(maxRecordLength + 1))).toBe(
      'run.json is too large for a run record: 65 MiB, where at most 64 MiB are read.',
    );
    expect(saidOfText('['.repeat(200_000))).toBe(
      'run.json is not a run record: its values are nested deeper than 100 levels.',
    );
  });

  it('whatever it is: never another error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        expect(saidOfText(text).split('\n')).toHaveLength(1);
      }),
      { seed: 20260301, numRuns: 1000 },
    );
  }, 30_000);

  it('whatever was done to a real one: read or refused, never another error', () => {
    const text = JSON.stringify(withoutSamples());
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.nat(40), fc.string({ maxLength: 8 }), (at, length, put) => {
        saidOfText(text.slice(0, at) + put + text.slice(at + length));
      }),
      { seed: 20260301, numRuns: 200 },
    );
    const keys = ['cases', 'spec', 'environment', 'services', 'timing', 'source', 'interrupted', 'tool'];
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.jsonValue(), (key, value) => {
        const said = saidOfText(JSON.stringify({ ...withoutSamples(), [key]: value }));
        expect(said === 'nothing' || said.startsWith('run.json is not a')).toBe(true);
      }),
      { seed: 20260301, numRuns: 300 },
    );
  });
});
