import { describe, expect, it } from 'vitest';
import { dataDifference, type SideData } from '../../../src/core/baseline/data-difference.ts';
import type { PrepareStep } from '../../../src/core/config/prepare.ts';
import type { Database } from '../../../src/core/config/resolved.ts';
import { plainDatabase } from '../../support/testbed-specs.ts';

const side = (files: Record<string, string | null>, changes: Partial<Database> = {}): SideData => ({
  database: plainDatabase('postgres:18', { init: Object.keys(files), ...changes }),
  init: Object.values(files),
});
const both = { 'schema.sql': 'hash a', 'seed.sql': 'hash b' };
const said = (baseline: SideData, candidate: SideData) => dataDifference(baseline, candidate)?.message ?? null;
const EACH = 'Part of any change between them may come from the data and not from the code.';

const prepared = (steps: PrepareStep[], hashes: string[] = []): SideData => ({
  ...side(both),
  prepare: { steps, hashes },
});
const sql = (file: string): PrepareStep => ({ kind: 'sql', files: [file] });
const job = (word: string): PrepareStep => ({ kind: 'job', command: [word], env: {}, timeoutSeconds: 600 });

describe('what prepare makes on both sides', () => {
  it('is the same where steps and the contents of their SQL are', () => {
    expect(
      said(prepared([job('migrate'), sql('a.sql')], ['1']), prepared([job('migrate'), sql('b.sql')], ['1'])),
    ).toBeNull();
  });

  it('differs by contents of SQL, by steps, and where one side has none', () => {
    expect(said(prepared([sql('a.sql')], ['1']), prepared([sql('a.sql')], ['2']))).toBe(
      `The two sides load different data: SQL of \`prepare\` (a.sql). ${EACH}`,
    );
    expect(said(prepared([job('migrate')]), prepared([job('install')]))).toBe(
      `The two sides load different data: steps of \`prepare\`. ${EACH}`,
    );
    expect(said(side(both), prepared([job('install')]))).toBe(
      `The two sides load different data: steps of \`prepare\`. ${EACH}`,
    );
  });
});

describe('the data of both sides', () => {
  it('are the same where the files have the same contents, whatever they are called', () => {
    expect(said(side(both), side(both))).toBeNull();
    expect(said(side(both), side({ 'schema.sql': 'hash a', 'data.sql': 'hash b' }))).toBeNull();
  });

  it('are none without a database', () => {
    expect(said({ database: null, init: [] }, side(both))).toBeNull();
  });

  it.each<[string, SideData, string]>([
    ['another content', side({ ...both, 'seed.sql': 'hash c' }), 'init SQL (seed.sql)'],
    ['a file less', side({ 'schema.sql': 'hash a' }), 'init SQL (seed.sql)'],
    ['a file more', side({ ...both, 'more.sql': 'hash c' }), 'init SQL (more.sql)'],
    ['another order', side({ 'seed.sql': 'hash b', 'schema.sql': 'hash a' }), 'init SQL (seed.sql, schema.sql)'],
    ['a file that cannot be read', side({ ...both, 'seed.sql': null }), 'init SQL (seed.sql)'],
    [
      'settings',
      side(both, { settings: { fsync: 'on', shared_buffers: '32MB', max_connections: '60', jit: 'off' } }),
      'settings of the database (fsync, jit)',
    ],
    ['another image', side(both, { image: 'postgres:17' }), 'image of the database (postgres:18 and postgres:17)'],
    [
      'several at once',
      side({ ...both, 'seed.sql': 'hash c' }, { image: 'postgres:17', settings: {} }),
      'init SQL (seed.sql); settings of the database (fsync, shared_buffers, max_connections); image of the database (postgres:18 and postgres:17)',
    ],
  ])('differ: %s', (_name, candidate, what) => {
    expect(dataDifference(side(both), candidate)).toEqual({
      code: 'data-differ',
      message: `The two sides load different data: ${what}. ${EACH}`,
    });
  });
});
