/** What the demo does to a copy of the bundled server, for wrkbench to find. */

/** The one request of the bundled server that asks the database for rows. */
export const DEMO_REQUEST = 'GET /users';

/** Where the bundled server answers from its database. */
const ANSWER = 'return (await pool.query(STATEMENTS[statement])).rows[0].body;';
/** As it comes with many a change: a page gets a count. The statement before it is sent as ever, and takes as long. */
const ANSWER_AND_COUNT = [
  'const page = await pool.query(STATEMENTS[statement]);',
  'if (statement === "users") await pool.query("SELECT count(*) FROM users");',
  'return page.rows[0].body;',
].join('\n      ');

/** Source of the bundled server with one more query for each request of its users. */
export function withAddedQuery(server: string): string {
  const [before, after, ...more] = server.split(ANSWER);
  if (after === undefined || more.length > 0) {
    throw new Error('the bundled server has not one place for the query that the demo adds');
  }
  return `${before}${ANSWER_AND_COUNT}${after}`;
}

/** Spec of the demo that judges exact counts alone: one round is then enough. Its gate is the last part of it. */
export function countingOnly(spec: string): string {
  return `${spec.trimEnd()}\n  cpu-per-request: off\n`;
}
