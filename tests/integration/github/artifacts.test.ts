// needs: nothing
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { zipReader } from '../../../src/adapters/archive/zip.ts';
import { artifactRecords } from '../../../src/app/posting/artifact-records.ts';
import type { ReportAdapters } from '../../../src/app/posting/report-request.ts';
import { MOST_RAW } from '../../../src/core/publication/raw-text.ts';
import { recordOf } from '../../unit/posting/made-up.ts';
import { addArtifact, world } from './given.ts';

async function found(prepare: (forge: Awaited<ReturnType<typeof world>>['forge']) => void, raw = false) {
  const given = await world();
  prepare(given.forge);
  return await artifactRecords(7301, given.adapters(), { raw });
}

describe('artifacts of a measuring run', () => {
  it('give the record of each spec, and which of them it is in', async () => {
    const record = recordOf();
    expect(await found((forge) => addArtifact(forge, record))).toEqual([
      { specName: 'rest-api', record, artifact: 500 },
    ]);
  });

  it('of another kind, and shards, are not looked at', async () => {
    const names = ['coverage', 'wrkbench', 'wrkbench-Rest', 'wrkbench-rest-api+shard-1-of-2', 'wrkbench-../x'];
    expect(
      await found((forge) => {
        for (const name of names) addArtifact(forge, recordOf(), { name });
      }),
    ).toEqual([]);
  });

  it('of a second attempt take the place of those of the first', async () => {
    const [first, second] = [recordOf(), recordOf({ id: '20261120-100000-00000b' })];
    const records = await found((forge) => {
      addArtifact(forge, second, { id: 800, name: 'wrkbench-rest-api+attempt-2' });
      addArtifact(forge, first, { id: 900 });
    });
    expect(records).toEqual([{ specName: 'rest-api', record: second, artifact: 800 }]);
  });

  it.each([
    ['is no record', '{"schemaVersion": 1}', /^the artifact wrkbench-rest-api cannot be read: /],
    ['is no JSON', 'not JSON', /^the artifact wrkbench-rest-api cannot be read: /],
    ['is of a later wrkbench', '{"schemaVersion": 99}', /^the artifact wrkbench-rest-api cannot be read: /],
    [
      'is of another spec',
      JSON.stringify({ ...recordOf(), spec: { ...recordOf().spec, name: 'other' } }),
      /^the artifact wrkbench-rest-api holds a run of another spec$/,
    ],
  ])('say what is wrong with a run.json that %s', async (_, text, failure) => {
    expect(await found((forge) => addArtifact(forge, text))).toEqual([
      { specName: 'rest-api', failure: expect.stringMatching(failure) },
    ]);
  });

  it('say so where there is no run.json, no zip, or nothing any more', async () => {
    const zip = zipSync({ 'deep/run.json': strToU8(JSON.stringify(recordOf())) });
    const records = await found((forge) => {
      const own = { run: 7301, expired: false };
      forge.artifacts.push({ id: 1, name: 'wrkbench-a', zip, ...own });
      forge.artifacts.push({ id: 2, name: 'wrkbench-b', zip: strToU8('<html>'), ...own });
      forge.artifacts.push({ id: 3, name: 'wrkbench-c', zip, run: 7301, expired: true });
    });
    expect(records).toEqual([
      { specName: 'a', failure: 'the artifact wrkbench-a holds no run.json' },
      { specName: 'b', failure: expect.stringContaining('it is not a zip archive') },
      { specName: 'c', failure: 'the artifact wrkbench-c has expired' },
    ]);
  });
});

describe('an artifact without a run', () => {
  it('says why there is none, where the measuring job knew', async () => {
    const why = 'wrkbench.yml:4:1: unknown key `lod` in the spec';
    const zip = zipSync({ 'failure.txt': strToU8(`${why}\n`) });
    const records = await found((forge) => {
      forge.artifacts.push({ id: 1, name: 'wrkbench-a', zip, run: 7301, expired: false });
    });
    expect(records).toEqual([{ specName: 'a', failure: why }]);
  });
});

describe('what the generators printed', () => {
  const [one, two, more] = ['raw/one.txt', 'raw/two.txt', 'raw/more.txt'];
  const record = recordOf();
  const cases = record.cases.map((each) => ({ ...each, raw: [one, two, more, '../secret', 'report.html'] }));
  const printed = {
    [one]: strToU8('Running 10s test'),
    [two]: Uint8Array.of(0xff, 0xfe),
    [more]: new Uint8Array(2 * MOST_RAW).fill(120),
    '../secret': strToU8('secret'),
    'report.html': strToU8('<h1>x</h1>'),
    'raw/unnamed.txt': strToU8('named by no case'),
  };
  const zip = zipSync({ 'run.json': strToU8(JSON.stringify({ ...record, cases })), ...printed });
  const added = (forge: Awaited<ReturnType<typeof world>>['forge']) =>
    void forge.artifacts.push({ id: 500, name: 'wrkbench-rest-api', zip, run: 7301, expired: false });

  it('is read where it is wanted, of the texts that the record names in their folder', async () => {
    const [own] = await found(added, true);
    const reason = 'It is not there, or too long.';
    expect(own).toMatchObject({ specName: 'rest-api', artifact: 500 });
    expect(JSON.parse((own as { raw: string }).raw)).toEqual({
      schemaVersion: 1,
      run: record.id,
      files: { [one]: 'Running 10s test' },
      leftOut: [
        { path: two, reason },
        { path: more, reason },
      ],
      leftOutCount: 2,
    });
  });

  it('is not read elsewhere, nor missed where there is none', async () => {
    expect(await found(added)).toEqual([{ specName: 'rest-api', record: { ...record, cases }, artifact: 500 }]);
    expect(await found((forge) => addArtifact(forge, record), true)).toEqual([
      { specName: 'rest-api', record, artifact: 500 },
    ]);
  });
});

describe('more than a reporting job can read', () => {
  const names = ['a', 'b', 'c'];
  /** A record of each spec. */
  const records = async (adapters: Partial<ReportAdapters>) => {
    const given = await world();
    for (const name of names) {
      const own = recordOf();
      addArtifact(given.forge, { ...own, spec: { ...own.spec, name } });
    }
    return await artifactRecords(7301, given.adapters(adapters));
  };

  it('is not read once the records before it took too long', async () => {
    let at = 0;
    const now = () => {
      at += 15_000;
      return new Date(at);
    };
    const read = await records({ now });
    expect(read.map((each) => ('record' in each ? 'read' : each.failure))).toEqual([
      'read',
      'read',
      'the artifact wrkbench-c was not read: reading those before it took more than 40 s',
    ]);
  });
});

describe('a zip that means harm', () => {
  it('cannot have one file unpacked many times', () => {
    const zip = zipSync({ 'run.json': strToU8('{}'), 'rum.json': strToU8('{}'), 'rom.json': strToU8('{}') });
    const text = Buffer.from(zip)
      .toString('latin1')
      .replaceAll(/r[ou]m\.json/g, 'run.json');
    expect(() => zipReader().text(Buffer.from(text, 'latin1'), 'run.json', 1_000)).toThrow(
      'it has run.json more than once',
    );
  });

  it('cannot have any number of entries', () => {
    const names = Array.from({ length: 10_001 }, (_, at) => [`${at}`, new Uint8Array()] as const);
    const zip = zipSync(Object.fromEntries(names), { level: 0 });
    expect(() => zipReader().text(zip, 'run.json', 1_000)).toThrow('it has more than 10000 entries');
  });

  it('cannot fill the memory by saying that it is short', () => {
    const zip = zipSync({ 'run.json': new Uint8Array(5_000_000) });
    // The lengths in the local header and in the directory.
    for (const at of offsetsOf(zip, 5_000_000)) new DataView(zip.buffer, zip.byteOffset).setUint32(at, 10, true);
    let text: string | null = null;
    try {
      text = zipReader().text(zip, 'run.json', 1_000);
    } catch {
      text = '';
    }
    expect(text!.length).toBeLessThanOrEqual(10);
  });

  it('is refused where it says that it is long', () => {
    const zip = zipSync({ 'run.json': new Uint8Array(5_000) });
    expect(() => zipReader().text(zip, 'run.json', 1_000)).toThrow('run.json in it is longer than 1000 bytes');
  });

  it('gives of several files what has room together, each once, and none that is not text', () => {
    const zip = zipSync({
      a: strToU8('one'),
      b: strToU8('longer'),
      c: strToU8('two'),
      d: Uint8Array.of(0xff),
      e: strToU8('e'),
    });
    const texts = (names: string[], most: number) => zipReader().texts(zip, new Set(names), most);
    expect(texts(['c', 'a', 'x'], 100)).toEqual(
      new Map([
        ['a', 'one'],
        ['c', 'two'],
      ]),
    );
    expect(texts(['a', 'b', 'c', 'd'], 8)).toEqual(
      new Map([
        ['a', 'one'],
        ['c', 'two'],
      ]),
    );
    expect(() => zipReader().texts(strToU8('<html>'), new Set(['a']), 100)).toThrow('it is not a zip archive');
  });

  it('writes nowhere, whatever its files are called', () => {
    const zip = zipSync({ '../../../../tmp/wrkbench-evil': strToU8('x'), 'run.json': strToU8('{}') });
    expect(zipReader().text(zip, 'run.json', 1_000)).toBe('{}');
  });
});

function offsetsOf(bytes: Uint8Array, value: number): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: number[] = [];
  for (let at = 0; at + 4 <= bytes.byteLength; at += 1) if (view.getUint32(at, true) === value) found.push(at);
  return found;
}
