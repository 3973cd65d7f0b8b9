import * as z from 'zod';
import type { EndpointContent, MultipartPart } from '../requests/content/content.ts';
import { formContent } from '../requests/content/form.ts';
import { graphqlContent } from '../requests/content/graphql.ts';
import { textsOf } from '../values/forms.ts';
import { plainValue, relativePath } from '../values/scalars.ts';
import { writtenOnly } from '../values/section.ts';

const FIELD_PHRASE = 'the name of a field, 256 characters at most';
const field = z.string(FIELD_PHRASE).min(1, FIELD_PHRASE).max(256, FIELD_PHRASE);
const TYPE_PHRASE = 'a content type such as image/png';
const uploaded = z.strictObject({
  file: relativePath.meta({ description: 'The file.' }),
  type: z
    .string(TYPE_PHRASE)
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,127}\/[!#-~]{1,127}$/, TYPE_PHRASE)
    .meta({ description: 'Its content type.', default: 'application/octet-stream' })
    .optional(),
});
const PART_PHRASE = 'text, or a file such as {file: image.png, type: image/png}';

/** Ways to say what a body is besides its text; an endpoint has one of all of them. */
export const contentKeys = {
  'body-file': writtenOnly(relativePath, 'File with the body, byte for byte.'),
  form: writtenOnly(
    z.record(field, plainValue, 'a map such as {name: x}'),
    'Fields of a form, as the body and its content type; the method is then POST.',
  ),
  multipart: writtenOnly(
    z.record(field, z.union([plainValue, uploaded], PART_PHRASE), `a map from fields to ${PART_PHRASE}`),
    'Fields and files of a form (`multipart/form-data`), as the body and its content type; the method is then POST.',
  ),
  graphql: writtenOnly(
    z.strictObject({
      query: z.string('an operation of GraphQL as text').meta({ description: 'The operation.' }),
      variables: z
        .record(z.string(), z.unknown(), 'a map of variables such as {id: 7}')
        .meta({ description: 'Its variables.' })
        .optional(),
      'operation-name': z.string('a name').meta({ description: 'Which of several operations is meant.' }).optional(),
    }),
    'An operation of GraphQL, as the body and its content type; the method is then POST.',
  ),
};

export const CONTENT_KEYS = ['body', ...Object.keys(contentKeys)];

interface Written {
  method?: string | undefined;
  'body-file'?: string | undefined;
  form?: Record<string, z.infer<typeof plainValue>> | undefined;
  multipart?: Record<string, z.infer<typeof plainValue> | z.infer<typeof uploaded>> | undefined;
  graphql?:
    | { query: string; variables?: Record<string, unknown> | undefined; 'operation-name'?: string | undefined }
    | undefined;
}
interface Read {
  method: string;
  headers: Record<string, string>;
  body: string | null;
}

/** What the keys come to: method, content type and body; and what has to be read before there is one. */
export function withContentKeys<Endpoint extends Read>(
  written: Written,
  read: Endpoint,
): Endpoint & { content?: EndpointContent } {
  const { form, multipart, graphql, 'body-file': file } = written;
  const method = written.method ?? 'POST';
  if (file !== undefined) return { ...read, content: { kind: 'file', file } };
  if (multipart !== undefined) return { ...read, method, content: { kind: 'multipart', parts: partsOf(multipart) } };
  const content =
    form !== undefined
      ? formContent(textsOf(form))
      : graphql !== undefined
        ? graphqlContent({
            query: graphql.query,
            ...(graphql.variables === undefined ? {} : { variables: graphql.variables }),
            ...(graphql['operation-name'] === undefined ? {} : { operationName: graphql['operation-name'] }),
          })
        : null;
  if (content === null) return read;
  const { body, contentType } = content;
  const isNamed = Object.keys(read.headers).some((name) => name.toLowerCase() === 'content-type');
  return { ...read, method, body, headers: isNamed ? read.headers : { ...read.headers, 'Content-Type': contentType } };
}

function partsOf(multipart: NonNullable<Written['multipart']>): MultipartPart[] {
  return Object.entries(multipart).map(([name, part]) => {
    if (typeof part !== 'object') return { name, text: String(part) };
    const { file, type = 'application/octet-stream' } = part;
    return { name, file, fileName: file.slice(file.lastIndexOf('/') + 1), type };
  });
}

const recordedPart = z.union([
  z.looseObject({ name: z.string(), text: z.string() }),
  z.looseObject({ name: z.string(), file: z.string(), fileName: z.string(), type: z.string() }),
]);
export const recordedContent = z.union([
  z.looseObject({ kind: z.literal('file'), file: z.string() }),
  z.looseObject({ kind: z.literal('multipart'), parts: z.array(recordedPart) }),
]);
