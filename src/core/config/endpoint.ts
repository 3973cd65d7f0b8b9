import * as z from 'zod';
import { textsOf } from '../values/forms.ts';
import { count, headerName, headerValue, relativePath, requestPath, size } from '../values/scalars.ts';
import { type Form, form, orAbsent, orElse, orNull, orShort, required, section, usual } from '../values/section.ts';
import { bytesOf } from '../values/units.ts';
import { contentKeys, recordedContent, withContentKeys } from './endpoint-content.ts';
import { endpointValues } from './endpoint-values.ts';

export const status = count('an HTTP status, 100 to 599', 100, 599);

const bounds = z.strictObject({
  min: size.meta({ description: 'The least bytes.', default: 0 }).optional(),
  max: size.meta({ description: 'The most bytes; no limit where it is absent.' }).optional(),
});
const sizeOrBounds = z.union([size, bounds], 'bytes, or a map such as {min: 1k, max: 2k}');

function boundsOf(written: z.infer<typeof sizeOrBounds>): { min: number; max: number } {
  const { min, max } = typeof written === 'object' ? written : { min: written, max: written };
  return { min: bytesOf(min ?? 0), max: max === undefined ? Number.MAX_SAFE_INTEGER : bytesOf(max) };
}

/** What an answer must be; every part that is not null or undefined is checked. */
const expectation = section({
  status: usual(
    status,
    200,
    'The status. One from 400 on is a failed request for wrk, ab and h2load, one from 300 on for ab.',
  ),
  'content-type': orNull(headerValue, 'The content type; its parameters count only where they are written here.'),
  body: orNull(z.string('the exact body as text'), 'The exact body, byte for byte.'),
  json: orAbsent(
    z.unknown(),
    'A part of the JSON body: every key and element named here must be there with this value.',
  ),
  size: orNull(form(sizeOrBounds, boundsOf, z.looseObject({ min: z.number(), max: z.number() })), {
    as: 'sizeBytes',
    description: 'Bytes of the body.',
  }),
  matches: orNull(
    z.string('a regular expression as text').max(4096, 'a regular expression of at most 4096 characters'),
    'An ECMAScript regular expression that must be found in the body, within a second.',
  ),
});

export const expectationOrStatus = orShort(
  status,
  expectation,
  'a status such as 200, or a map such as {status: 200, json: {ok: true}}',
  (number) => ({ status: number }),
);

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export const headers = z.record(
  headerName,
  z.union([headerValue, z.number()], 'a header value of plain characters on one line'),
);

const endpoint = section(
  {
    method: usual(
      form(z.enum(METHODS), (method): string => method, z.string()),
      'GET',
      'Method of the request.',
    ),
    path: required(requestPath, 'Path and query, after the base path of the service.'),
    headers: orElse(form(headers, textsOf, z.record(z.string(), z.string())), {}, 'Headers of the request.'),
    body: orNull(z.string('the body as text'), 'Body of the request.'),
    ...contentKeys,
    values: orAbsent(
      endpointValues,
      'Values of what stands in braces in the path (`/items/{id}`), in headers and in the body: a request for each row of them, in an order that is always the same. `{id: [1, 2]}`, or from the database `{id: {sql: select id from items limit 1000}}`; one statement for several is `{sql: select id, lang from items}`.',
    ),
    requests: orAbsent(
      relativePath,
      'File of requests that are sent in turn, in an order that is always the same: JSON lines (`{"method": "POST", "path": "/items", "headers": {}, "body": {}, "weight": 2, "status": 201}`), a list of paths or URLs, targets of vegeta, or an HTTP Archive. What a line does not say is as here; `path` is put before each of its paths, and `/` is nothing.',
    ),
    expect: orElse(expectationOrStatus, expectation.read({}), 'What the answer must be; a plain number is the status.'),
    writes: orAbsent(
      z.boolean('true or false'),
      'Whether it changes data, which are then put back before the next case; without a word every method but GET, HEAD and OPTIONS does.',
    ),
  },
  { id: 'endpoint' },
);

type WrittenEndpoint = Parameters<typeof endpoint.read>[0];
type ReadEndpoint = ReturnType<typeof withContentKeys<ReturnType<typeof endpoint.read>>>;

/** With what became of its body; and, of one that stands for several in turn, how often each is asked. */
const wholeEndpoint: Form<WrittenEndpoint, ReadEndpoint & { mix?: Record<string, number> }> = {
  written: endpoint.written,
  read: (written) => withContentKeys(written, endpoint.read(written)),
  recorded: endpoint.recorded.extend({
    content: recordedContent.exactOptional(),
    mix: z.record(z.string(), z.number()).exactOptional(),
  }),
};

export const endpointOrPath = orShort(
  requestPath,
  wholeEndpoint,
  'a path such as /ping, or a map such as {path: /ping}',
  (path) => ({ path }),
);
