import template from '../../../templates/pgbouncer.ini';
import { filled } from '../format/template.ts';

/** Port that the pooler listens on. */
export const POOLER_PORT = 6432;

export interface PgbouncerPlan {
  /** Address of the database. */
  host: string;
  port: number;
  user: string;
  password: string;
  mode: 'session' | 'transaction' | 'statement';
  defaultPoolSize: number;
  maxClientConnections: number;
  /** Where the user list lies, absolute and as the pooler sees it. */
  userListPath: string;
  /** Every address and `POOLER_PORT` where absent. */
  listen?: { address: string; port: number };
}

/**
 * The whole configuration of the pooler. Client libraries of Java and Go send `extra_float_digits`, which a pooler
 * otherwise refuses. Connections are not logged: each line would be measured. The database is `*`, the one that the client names: a
 * name with a blank or a quote cannot be written into this file.
 */
export function pgbouncerConfiguration(plan: PgbouncerPlan): string {
  return filled(template, {
    __HOST__: plan.host,
    __PORT__: String(plan.port),
    __LISTEN_ADDRESS__: plan.listen?.address ?? '0.0.0.0',
    __LISTEN_PORT__: String(plan.listen?.port ?? POOLER_PORT),
    __USER_LIST_PATH__: plan.userListPath,
    __MODE__: plan.mode,
    __DEFAULT_POOL_SIZE__: String(plan.defaultPoolSize),
    __MAX_CLIENT_CONNECTIONS__: String(plan.maxClientConnections),
  });
}

/** `auth_file`: the password as it is, so that PgBouncer can answer SCRAM on both sides. */
export function pgbouncerUserList(plan: Pick<PgbouncerPlan, 'user' | 'password'>): string {
  const quoted = [plan.user, plan.password].map((text) => `"${text.replaceAll('"', '""')}"`);
  return `${quoted.join(' ')}\n`;
}

/** Files that the pooler holds open at most: a client and a server side for each, and its own. */
export function pgbouncerOpenFiles(plan: Pick<PgbouncerPlan, 'maxClientConnections' | 'defaultPoolSize'>): number {
  return Math.max(1024, plan.maxClientConnections + plan.defaultPoolSize * 2 + 256);
}
