import type { Database } from '../../core/config/resolved.ts';

const STATISTICS = 'pg_stat_statements';

/**
 * The settings that a server is started with: those of the spec, and what counting statements needs.
 *
 * `track = top` counts what the service sends and not what its functions run inside. `track_utility = on` counts BEGIN,
 * COMMIT, SET and the like too: each is a message that the service waits for, and a change that wraps every request in
 * a transaction has made it chattier. (`session.ts` leaves out the one that a pooler sends by itself.)
 *
 * A database that is up for one round of a comparison (`isBrief`) runs without autovacuum, whose workers come by whether there is
 * anything to clean up or not: 30 to 40 s after its start that took 24 to 60 ms of CPU time, in a trial that uses 400, mostly of
 * both sides, and on a slow machine in three of ten cases of one alone. So does the one that those are copied from. A setting of
 * autovacuum in the spec wins.
 */
function serverSettings(database: Database, isBrief = false): Record<string, string> {
  const { shared_preload_libraries: preloaded = '', ...others } = database.settings;
  const isItsOwn = Object.keys(others).some((name) => name.startsWith('autovacuum'));
  const libraries = preloaded.split(',').map((library) => library.trim());
  const all = new Set([...libraries.filter((library) => library !== ''), STATISTICS]);
  return {
    ...(isBrief && !isItsOwn ? { autovacuum: 'off' } : {}),
    ...others,
    shared_preload_libraries: [...all].join(','),
    'pg_stat_statements.track': 'top',
    'pg_stat_statements.track_utility': 'on',
    'pg_stat_statements.save': 'off',
  };
}

/** The same as arguments of `postgres`: `-c name=value`. */
export function settingArguments(database: Database, isBrief = false): string[] {
  return Object.entries(serverSettings(database, isBrief)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * The superuser that the server is set up with. `postgres`, which dumps name as the owner of things, unless the service's
 * own role is called that.
 */
export function ownerName(database: Database): string {
  return database.user === 'postgres' ? 'wrkbench_owner' : 'postgres';
}
