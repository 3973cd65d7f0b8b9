/** What the demo does to a copy of the bundled server, for wrkbench to find. */

/** The one request of the bundled server that asks the database for rows. */
export const DEMO_REQUEST = 'GET /users';

/** Where the bundled server answers from its database. */
const ANSWER = 'return (await pool.query(STATEMENTS[statement])).rows[0].body;';
/** As it comes with many a change: each request looks up who asks. */
const ADDED =
  'if (statement === "users") await pool.query("SELECT id FROM users WHERE email = \'user1@example.com\'");\n      ';

/** Source of the bundled server with one more query for each request of its users. */
export function withAddedQuery(server: string): string {
  const [before, after, ...more] = server.split(ANSWER);
  if (after === undefined || more.length > 0) {
    throw new Error('the bundled server has not one place for the query that the demo adds');
  }
  return `${before}${ADDED}${ANSWER}${after}`;
}

/** Spec of the demo that judges exact counts alone: one round is then enough. Its gate is the last part of it. */
export function countingOnly(spec: string): string {
  return `${spec.trimEnd()}\n  cpu-per-request: off\n`;
}
