import { quoted } from '../format/quoted.ts';
import { imageReference } from '../values/scalars.ts';
import { POSTGRES_IMAGE } from './database.ts';
import type { Diagnostic } from './diagnostics.ts';
import { isMap } from './service-checks.ts';
import type { Path, Source } from './source.ts';

/** Words in the names of images that are something else; those of Postgres itself come first (`postgres-for-mysql`). */
const OTHERS = new Set(
  (
    'mysql mariadb percona tidb vitess mongo mongodb ferretdb redis valkey keydb dragonfly memcached cassandra scylla scylladb ' +
    'mssql sqlserver oracle db2 clickhouse cockroach cockroachdb yugabyte couchdb couchbase elasticsearch opensearch ' +
    'neo4j influxdb rethinkdb arangodb surrealdb dynamodb sqlite duckdb firebird pgbouncer pgpool pgadmin pgadmin4 nginx'
  ).split(' '),
);
const POSTGRES = /^pg|pg$|postgres|postgis|timescale/;
const EXPECTED = `an image of Postgres such as ${POSTGRES_IMAGE}`;

/** A database that is none which wrkbench can start. */
export function databaseDiagnostics(source: Source): Diagnostic[] {
  const others = about(source, 'other', (image) => ({
    code: 'wrong-value',
    message: `is ${quoted(image)}, and the database can only be Postgres: expected ${EXPECTED}`,
  }));
  const isBoth = ['build', 'image'].every((key) => source.at(['database', key]) !== undefined);
  if (!isBoth) return others;
  return [
    ...others,
    source.aboutKey(['database', 'image'], {
      code: 'contradiction',
      message: 'database has both `build` and `image`: expected one of them',
      expected: 'build or image',
    }),
  ];
}

/** An image whose name does not tell what is in it. */
export function databaseWarnings(source: Source): Diagnostic[] {
  return about(source, 'unknown', (image) => ({
    code: 'unknown-image',
    message: `is ${quoted(image)}, whose name does not say what it is: it has to be Postgres, started as the official image is. If it is, ignore this.`,
  }));
}

function about(
  source: Source,
  kind: ReturnType<typeof kindOf>,
  said: (image: string) => Pick<Diagnostic, 'code' | 'message'>,
): Diagnostic[] {
  const path: Path = isMap(source.at(['database'])) ? ['database', 'image'] : ['database'];
  const image = source.at(path);
  if (typeof image !== 'string' || !imageReference.safeParse(image).success || kindOf(image) !== kind) return [];
  const { code, message } = said(image);
  return [source.aboutValue(path, { code, message: `${path.join('.')} ${message}`, found: image, expected: EXPECTED })];
}

/** By the words of its repository; the registry's name, the tag and the digest say nothing. */
function kindOf(image: string): 'postgres' | 'other' | 'unknown' {
  const [first = '', ...rest] = image
    .toLowerCase()
    .replace(/@.*$/, '')
    .replace(/:[^/]*$/, '')
    .split('/');
  const isRegistry = rest.length > 0 && /[.:]|^localhost$/.test(first);
  const words = [...(isRegistry ? [] : [first]), ...rest].flatMap((part) => part.split(/[._-]+/));
  if (words.some((word) => POSTGRES.test(word) && !OTHERS.has(word))) return 'postgres';
  return words.some((word) => OTHERS.has(word)) ? 'other' : 'unknown';
}
