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
  return `[databases]
* = host=${plan.host} port=${plan.port}

[pgbouncer]
listen_addr = ${plan.listen?.address ?? '0.0.0.0'}
listen_port = ${plan.listen?.port ?? POOLER_PORT}
listen_backlog = 4096
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${plan.userListPath}
pool_mode = ${plan.mode}
default_pool_size = ${plan.defaultPoolSize}
max_client_conn = ${plan.maxClientConnections}
ignore_startup_parameters = extra_float_digits
server_tls_sslmode = disable
log_connections = 0
log_disconnections = 0
log_stats = 0
`;
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
