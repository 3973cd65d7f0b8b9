/**
 * Placeholder → its values, or a statement whose rows give them. Or one statement for all placeholders, whose columns are called as they are.
 *
 *     {slug: ['a', 'b']}      {slug: {sql: 'select slug from articles limit 1000'}}      {sql: 'select slug, lang from pages'}
 */
export type EndpointValues = Record<string, string[] | { sql: string }> | { sql: string };

/** Whether one statement gives all of them. */
export function isStatement(values: EndpointValues): values is { sql: string } {
  return typeof values.sql === 'string';
}
