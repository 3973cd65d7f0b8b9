import { describe, expect, it } from 'vitest';
import { validateSpec } from '../../../src/app/validate.ts';
import { diagnosticLines, leastWith } from './specs.ts';

const warningsOf = (more: string) => validateSpec(leastWith(more), 'wrkbench.yml').warnings;

describe('the image of the database', () => {
  it.each([
    'postgres',
    'postgres:18-alpine',
    'ghcr.io/acme/postgres@sha256:0123456789abcdef',
    'postgis/postgis:17-3.5',
    'timescale/timescaledb:latest-pg17',
    'pgvector/pgvector:pg18',
    'bitnami/postgresql:17',
    'acme/pg-with-data',
    'acme/mysql-to-postgres:1',
    'mysql.example.org:5000/postgres',
  ])('is taken without a word where it says Postgres: %s', (image) => {
    const more = `database: {image: "${image}"}`;
    expect([diagnosticLines(leastWith(more)), warningsOf(more)]).toEqual([[], '']);
  });

  it.each([
    'mysql:8',
    'library/mariadb',
    'mongo',
    'redis:7-alpine',
    'mcr.microsoft.com/mssql/server:2022-latest',
    'cockroachdb/cockroach',
    'gvenzl/oracle-xe',
    'edoburu/pgbouncer:v1.24.1-p1',
  ])('is refused where it says something else: %s', (image) => {
    expect(diagnosticLines(leastWith(`database: {image: "${image}"}`))).toEqual([
      `6:19: database.image is \`${image}\`, and the database can only be Postgres: expected an image of Postgres such as postgres:18`,
    ]);
  });

  it('is refused where it stands by itself, too', () => {
    expect(diagnosticLines(leastWith('database: mysql:8'))).toEqual([
      '6:11: database is `mysql:8`, and the database can only be Postgres: expected an image of Postgres such as postgres:18',
    ]);
  });

  it.each(['acme/db:3', 'localhost:5000/bench-data', 'postgres.example.org/acme/store'])(
    'is taken with a warning where it says nothing: %s',
    (image) => {
      const more = `database: {image: "${image}"}`;
      expect(diagnosticLines(leastWith(more))).toEqual([]);
      expect(warningsOf(more).split('\n')[0]).toBe(
        `wrkbench.yml:6:19: warning: database.image is \`${image}\`, whose name does not say what it is: it has to be Postgres, started as the official image is. If it is, ignore this.`,
      );
    },
  );

  it('is one that wrkbench takes by default', () => {
    const more = 'database: {settings: {fsync: off}}';
    expect([diagnosticLines(leastWith(more)), warningsOf(more)]).toEqual([[], '']);
  });
});
