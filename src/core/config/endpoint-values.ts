import * as z from 'zod';
import { plainValue } from '../values/scalars.ts';
import { type Form, form } from '../values/section.ts';

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

const STATEMENT_PHRASE = 'a statement such as select id from items limit 1000';
const statement = z.strictObject({
  sql: z
    .string(STATEMENT_PHRASE)
    .min(1, STATEMENT_PHRASE)
    .max(8192, 'a statement of at most 8192 characters')
    .meta({ description: "Read from the service's database; the statement cannot write." }),
});
const LIST_PHRASE = 'a list of values such as [a, b], or {sql: select id from items limit 1000}';
const values = z.union(
  [z.array(plainValue, LIST_PHRASE).min(1, LIST_PHRASE).max(10_000, LIST_PHRASE), statement],
  LIST_PHRASE,
);
const PLACEHOLDER_PHRASE = 'a name of letters, digits, _ and -, not beginning with a digit';
const placeholder = z.string(PLACEHOLDER_PHRASE).regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, PLACEHOLDER_PHRASE);
const MAP_PHRASE = 'a map such as {id: [1, 2]}, or {sql: select id from items limit 1000}';

type Written = z.infer<typeof statement> | Record<string, z.infer<typeof values>>;

/** As a person writes them: numbers become text. */
export const endpointValues: Form<Written, EndpointValues> = form(
  z.union([z.record(placeholder, values, MAP_PHRASE), statement], MAP_PHRASE),
  (written): EndpointValues =>
    isStatement(written as EndpointValues)
      ? (written as { sql: string })
      : Object.fromEntries(
          Object.entries(written as Record<string, z.infer<typeof values>>).map(([name, each]) => [
            name,
            Array.isArray(each) ? each.map(String) : each,
          ]),
        ),
  z.record(z.string(), z.union([z.string(), z.array(z.string()), z.looseObject({ sql: z.string() })])),
);
