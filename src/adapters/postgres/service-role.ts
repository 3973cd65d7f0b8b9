import pg from 'pg';

/** Whom the service connects as. Its statements are counted apart from everybody else's. */
export interface ServiceRole {
  user: string;
  password: string;
}

/** Creates the role before the init SQL, which may name it. */
export async function createServiceRole(client: pg.Client, role: ServiceRole): Promise<void> {
  const name = pg.escapeIdentifier(role.user);
  const known = await client.query('SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = $1', [role.user]);
  const verb = known.rowCount === 0 ? 'CREATE' : 'ALTER';
  await client.query(`${verb} ROLE ${name} LOGIN PASSWORD ${pg.escapeLiteral(role.password)}`);
}

/** Further databases of the server, before the init SQL, which may connect to them. */
export async function createDatabases(client: pg.Client, names: readonly string[], role: ServiceRole): Promise<void> {
  const owner = pg.escapeIdentifier(role.user);
  for (const name of names) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} OWNER ${owner}`);
}

/**
 * Makes the role own the database and all that the init SQL has created in it as the owner: the service may do what it
 * could if it had created them (migrations included), without being a superuser. Objects of extensions, and those that
 * the init SQL gave to another role, stay where they are.
 */
export async function handOver(client: pg.Client, role: ServiceRole): Promise<void> {
  const name = pg.escapeIdentifier(role.user);
  const found = await client.query<{ object: string }>(OBJECTS_OF_OWNER);
  const changes = found.rows.map(({ object }) => `ALTER ${object} OWNER TO ${name}`);
  await client.query(changes.join(';\n'));
}

/** Numbers below 16384 are the system's own. A sequence that a table's column owns follows its table. */
const OBJECTS_OF_OWNER = `
WITH me AS (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = current_user),
  member AS (SELECT classid, objid FROM pg_catalog.pg_depend WHERE deptype = 'e')
SELECT pg_catalog.format('DATABASE %I', pg_catalog.current_database()) AS object
UNION ALL
SELECT pg_catalog.format('SCHEMA %I', nspname) FROM pg_catalog.pg_namespace
  WHERE (nspname = 'public' OR (oid >= 16384 AND nspowner = (SELECT oid FROM me)))
    AND NOT EXISTS (SELECT FROM member WHERE classid = 'pg_catalog.pg_namespace'::regclass AND objid = pg_namespace.oid)
UNION ALL
SELECT pg_catalog.format('%s %I.%I',
    CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
      WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, nspname, relname)
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
  WHERE c.oid >= 16384 AND relowner = (SELECT oid FROM me) AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    AND nspname !~ '^pg_'
    AND NOT EXISTS (SELECT FROM member WHERE classid = 'pg_catalog.pg_class'::regclass AND objid = c.oid)
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE relkind = 'S' AND d.objid = c.oid
      AND d.classid = 'pg_catalog.pg_class'::regclass AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0)
UNION ALL
SELECT 'ROUTINE ' || oid::regprocedure FROM pg_catalog.pg_proc
  WHERE oid >= 16384 AND proowner = (SELECT oid FROM me)
    AND NOT EXISTS (SELECT FROM member WHERE classid = 'pg_catalog.pg_proc'::regclass AND objid = pg_proc.oid)
UNION ALL
SELECT 'TYPE ' || pg_catalog.format_type(t.oid, NULL) FROM pg_catalog.pg_type t
  LEFT JOIN pg_catalog.pg_class c ON c.oid = typrelid
  WHERE t.oid >= 16384 AND typowner = (SELECT oid FROM me) AND typtype IN ('e', 'd', 'r', 'c')
    AND (typrelid = 0 OR c.relkind = 'c')
    AND NOT EXISTS (SELECT FROM member WHERE classid = 'pg_catalog.pg_type'::regclass AND objid = t.oid)`;
