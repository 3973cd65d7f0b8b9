import type { Database, Pooler } from '../config/resolved.ts';
import type { PartPlan } from './part-plan.ts';
import {
  type PgbouncerPlan,
  POOLER_PORT,
  pgbouncerConfiguration,
  pgbouncerOpenFiles,
  pgbouncerUserList,
} from './pgbouncer.ts';

export interface PoolerWish {
  /** Null for a process. */
  image: string | null;
  cpus: string;
  pooler: Pooler;
  database: Pick<Database, 'name'>;
  /** The service's own. */
  role: Pick<PgbouncerPlan, 'user' | 'password'>;
  /** Where the server listens. */
  server: Pick<PgbouncerPlan, 'host' | 'port'>;
}

const READY_SECONDS = 15;

/**
 * PgBouncer in front of the server, with a configuration of ours whatever an image's entrypoint would make. It is up when it passes
 * on a query of the service's role; the server must be up before it is asked, for PgBouncer remembers a failed login for seconds.
 */
export function poolerPlan({ image, cpus, pooler, database, role, server }: PoolerWish): PartPlan {
  const { user, password } = role;
  return {
    part: 'pooler',
    title: 'The pooler (PgBouncer)',
    isTool: true,
    image,
    programAt({ configurationFolder, listen }) {
      const path = `${configurationFolder}/pgbouncer.ini`;
      const userListPath = `${configurationFolder}/userlist.txt`;
      const { mode, defaultPoolSize, maxClientConnections } = pooler;
      const limits = { mode, defaultPoolSize, maxClientConnections };
      const own = listen === null ? {} : { listen };
      return {
        entrypoint: ['pgbouncer'],
        command: [path],
        env: {},
        files: {
          [path]: pgbouncerConfiguration({ ...server, user, password, ...limits, userListPath, ...own }),
          [userListPath]: pgbouncerUserList(role),
        },
      };
    },
    user: null,
    directory: null,
    cpus,
    cpuQuota: null,
    memoryBytes: null,
    openFiles: pgbouncerOpenFiles(pooler),
    volumes: [],
    port: POOLER_PORT,
    ready: {
      kind: 'query',
      user,
      password,
      database: database.name,
      timeoutSeconds: READY_SECONDS,
      failure: (at, why) => ({
        code: 'pooler-failed',
        message: `PgBouncer at ${at} did not pass on a query within ${READY_SECONDS} s (${why}).`,
      }),
    },
    // SIGTERM waits for clients in newer versions.
    ending: { signal: 'SIGQUIT', graceSeconds: 2 },
  };
}
