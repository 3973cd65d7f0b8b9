import { closeConnection, type DatabaseAddress, openConnection } from './ready-connection.ts';
import type { ServiceRole } from './service-role.ts';

const ANSWER_TIMEOUT_MS = 2_000;

/**
 * Statements are told apart by what they ask for, and not by the names that they give it: one like `SELECT 1 AS mark` would be
 * counted with the `SELECT 1` of a service. Without a constant in it, its text stays.
 */
export const MARK =
  'SELECT pg_catalog.pg_postmaster_start_time() IS NULL AS wrkbench_mark, pg_catalog.pg_backend_pid() IS NULL AS mark';

/**
 * Sends the known statement as the service would, by a login of its own role: whatever keeps the service's from being counted keeps
 * this one from it as well. Resolves to false where the server takes no more clients, which says nothing of its counting.
 */
export async function sendMark(address: DatabaseAddress, { user, password }: ServiceRole): Promise<boolean> {
  const client = await openConnection({ ...address, user, password }, new AbortController().signal).catch(() => null);
  if (client === null) return false;
  try {
    const query = { text: MARK, query_timeout: ANSWER_TIMEOUT_MS };
    await client.query(query);
    return true;
  } catch {
    return false;
  } finally {
    await closeConnection(client);
  }
}
