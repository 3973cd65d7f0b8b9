import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../src/core/config/read.ts';
import { namesSqlByGlob, withSqlFiles } from '../../../src/core/config/sql-globs.ts';
import { leastWith } from './specs.ts';

const of = (lines: string) => readSpec(leastWith(lines), 'wrkbench.yml');

describe('SQL files that a spec names by a glob', () => {
  it('are those that fit, by the numbers in their names', () => {
    const spec = of('database: {init: ["db/migrations/*/migration.sql"]}\n');
    const paths = ['10_c', '9_b', '01_a'].map((step) => `db/migrations/${step}/migration.sql`);
    const others = ['db/migrations/lock.sql', 'other/db/migrations/1/migration.sql', 'db/migrations/1/2/migration.sql'];
    expect(withSqlFiles(spec, [...paths, ...others]).database?.init).toEqual(paths.toReversed());
  });

  it('stand where the glob does, each once', () => {
    const spec = of('database: {init: [schema.sql, "seeds/*.sql", schema.sql, seeds/1.sql, last.sql]}\n');
    expect(withSqlFiles(spec, ['seeds/2.sql', 'seeds/1.sql']).database?.init).toEqual([
      'schema.sql',
      'seeds/1.sql',
      'seeds/2.sql',
      'last.sql',
    ]);
  });

  it('are those of a step of `prepare` too', () => {
    const spec = of('database: {image: "postgres:18"}\nprepare: [{start: true}, {sql: "seeds/{a,b}.sql"}]\n');
    expect(namesSqlByGlob(spec)).toBe(true);
    expect(withSqlFiles(spec, ['seeds/a.sql', 'seeds/b.sql', 'seeds/c.sql']).prepare).toEqual([
      { kind: 'start' },
      { kind: 'sql', files: ['seeds/a.sql', 'seeds/b.sql'] },
    ]);
  });

  it('are told by the glob where there is none', () => {
    const spec = of('database: {init: "seeds/*.sql"}\n');
    expect(withSqlFiles(spec, ['seeds/readme.md']).database?.init).toEqual(['seeds/*.sql']);
  });

  it('leave a spec without globs as it is', () => {
    const spec = of('database: {init: [schema.sql]}\nprepare: [{sql: seed.sql}]\n');
    expect(namesSqlByGlob(spec)).toBe(false);
    expect(withSqlFiles(spec, ['other.sql'])).toEqual(spec);
    expect(namesSqlByGlob(of(''))).toBe(false);
  });
});
