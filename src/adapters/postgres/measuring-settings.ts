import type pg from 'pg';

/** Settings by which a server would no longer count what its clients send, and whatever begins with the first. */
const COUNTING = 'pg_stat_statements.';
const ALSO_COUNTING = ['compute_query_id', 'track_activities', 'track_counts'];

/**
 * Takes back what init SQL, a superuser's, has set of counting: for a role, a database, both, or the server. All other settings are
 * part of the workload and stay.
 */
export async function resetMeasuringSettings(client: pg.Client): Promise<void> {
  const names = [COUNTING, ALSO_COUNTING];
  const found = await client.query<{ statement: string }>(SET_FOR_SOMEBODY, names);
  for (const { statement } of found.rows) await client.query(statement);
  const ofServer = await client.query<{ statement: string }>(SET_FOR_SERVER, names);
  for (const { statement } of ofServer.rows) await client.query(statement);
  if (ofServer.rows.length > 0) await client.query('SELECT pg_catalog.pg_reload_conf()');
}

const SET_FOR_SOMEBODY = `
SELECT pg_catalog.format(
    CASE WHEN setrole = 0 AND setdatabase = 0 THEN 'ALTER ROLE ALL RESET %3$I'
      WHEN setrole = 0 THEN 'ALTER DATABASE %2$I RESET %3$I'
      WHEN setdatabase = 0 THEN 'ALTER ROLE %1$I RESET %3$I'
      ELSE 'ALTER ROLE %1$I IN DATABASE %2$I RESET %3$I' END,
    rolname, datname, name) AS statement
FROM pg_catalog.pg_db_role_setting
  CROSS JOIN LATERAL pg_catalog.unnest(setconfig) AS setting
  CROSS JOIN LATERAL pg_catalog.lower(pg_catalog.split_part(setting, '=', 1)) AS name
  LEFT JOIN pg_catalog.pg_roles r ON r.oid = setrole
  LEFT JOIN pg_catalog.pg_database d ON d.oid = setdatabase
WHERE pg_catalog.starts_with(name, $1) OR name = ANY ($2)`;

/** Of ALTER SYSTEM; what the server was started with wins over it, and so stays. */
const SET_FOR_SERVER = `
SELECT DISTINCT pg_catalog.format('ALTER SYSTEM RESET %I', name) AS statement
FROM pg_catalog.pg_file_settings
WHERE sourcefile ~ 'postgresql\\.auto\\.conf$'
  AND (pg_catalog.starts_with(pg_catalog.lower(name), $1) OR pg_catalog.lower(name) = ANY ($2))`;
