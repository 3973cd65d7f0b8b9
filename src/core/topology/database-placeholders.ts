import type { PlaceholderValues } from '../config/placeholders.ts';
import type { Database } from '../config/resolved.ts';

/** Where the service finds its database, and as whom. */
export interface DatabaseLogin {
  host: string;
  port: number;
  user: string;
  password: string;
}

/** What the names of the database stand for in a spec. */
export function databasePlaceholders(
  { name }: Pick<Database, 'name'>,
  { host, port, user, password }: DatabaseLogin,
): PlaceholderValues {
  const who = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return {
    'database.url': `postgres://${who}@${host}:${port}/${encodeURIComponent(name)}`,
    'database.host': host,
    'database.port': String(port),
    'database.name': name,
    'database.user': user,
    'database.password': password,
  };
}
