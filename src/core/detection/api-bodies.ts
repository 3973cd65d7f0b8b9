import { type Plain, resolved } from './api-examples.ts';
import { asList, asMap, textOf } from './files.ts';

type Body = ['json' | 'form', Plain];

/** The bodies that can be filled in with their schemas, of OpenAPI 3 and of Swagger 2. */
export function bodiesOf(document: Plain, operation: Plain): Body[] {
  const parameters = asList(operation.parameters).map((each) => resolved(document, each));
  const body = parameters.find((each) => each.in === 'body');
  const form = parameters.filter((each) => each.in === 'formData').map((each) => [textOf(each.name), each] as const);
  const content = Object.entries(asMap(resolved(document, operation.requestBody).content));
  const described = content.flatMap(([type, media]): Body[] => {
    const kind = /json/.test(type) ? 'json' : /x-www-form-urlencoded/.test(type) ? 'form' : null;
    return kind === null ? [] : [[kind, resolved(document, asMap(media).schema)]];
  });
  if (body !== undefined) described.push(['json', resolved(document, body.schema)]);
  if (form.length > 0) described.push(['form', { properties: Object.fromEntries(form) }]);
  return described;
}

/** Those of a schema, and of the schemas that it is all of. */
export function propertiesOf(document: Plain, schema: Plain): [string, unknown][] {
  const parts = [schema, ...asList(schema.allOf).map((each) => resolved(document, each))].slice(0, 10);
  return parts.flatMap((each) => Object.entries(asMap(each.properties))).slice(0, 100);
}
