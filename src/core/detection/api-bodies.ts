import { type Plain, resolved } from './api-examples.ts';
import { asList, asMap, textOf } from './files.ts';

/** Type → schema of the body, of OpenAPI 3 and of Swagger 2. */
export function bodiesOf(document: Plain, operation: Plain): [string, Plain][] {
  const parameters = asList(operation.parameters).map((each) => resolved(document, each));
  const body = parameters.find((each) => each.in === 'body');
  const form = parameters.filter((each) => each.in === 'formData').map((each) => [textOf(each.name), each] as const);
  return [
    ...Object.entries(asMap(resolved(document, operation.requestBody).content)).map(
      ([type, media]): [string, Plain] => [type, resolved(document, asMap(media).schema)],
    ),
    ...(body === undefined ? [] : ([['json', resolved(document, body.schema)]] as [string, Plain][])),
    ...(form.length === 0
      ? []
      : ([['x-www-form-urlencoded', { properties: Object.fromEntries(form) }]] as [string, Plain][])),
  ];
}

/** Those of a schema, and of the schemas that it is all of. */
export function propertiesOf(document: Plain, schema: Plain): [string, unknown][] {
  const parts = [schema, ...asList(schema.allOf).map((each) => resolved(document, each))].slice(0, 10);
  return parts.flatMap((each) => Object.entries(asMap(each.properties))).slice(0, 100);
}
