import * as z from 'zod';
import { FORM_TYPE, formBody } from '../requests/content/form.ts';
import { textsOf } from '../values/forms.ts';
import { count, plainValue, requestPath, slug } from '../values/scalars.ts';
import {
  combined,
  form,
  orAbsent,
  orElse,
  orNull,
  orShort,
  required,
  section,
  writtenOnly,
} from '../values/section.ts';
import { expectationOrStatus, headers } from './endpoint.ts';
import { take } from './take.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const textMap = z.record(z.string(), z.string());

interface WrittenRequest {
  method?: string;
  headers?: z.infer<typeof headers>;
  body?: string;
  form?: Record<string, z.infer<typeof plainValue>>;
}

const request = section({
  method: combined(
    z.enum(METHODS),
    'Method of the request; `POST` with a body or a form, else `GET`, where it is absent.',
    (all: WrittenRequest): string => all.method ?? (bodyOf(all) === null ? 'GET' : 'POST'),
    z.string(),
  ),
  path: required(requestPath, 'Path and query, after the base path of the service.'),
  headers: combined(headers, 'Headers of the request.', headersOf, textMap),
  body: combined(z.string('the body as text'), 'Body of the request.', bodyOf, z.string().nullable()),
  form: writtenOnly(
    z.record(z.string(), plainValue, 'a map of fields such as {user: a, password: b}'),
    'Fields of a form, sent as `application/x-www-form-urlencoded`, instead of a body.',
  ),
});

function bodyOf({ body, form: fields }: WrittenRequest): string | null {
  return fields === undefined ? (body ?? null) : formBody(textsOf(fields));
}

function headersOf({ headers: written = {}, form: fields }: WrittenRequest): Record<string, string> {
  const own = textsOf(written);
  const hasType = Object.keys(own).some((name) => name.toLowerCase() === 'content-type');
  return fields === undefined || hasType ? own : { ...own, 'content-type': FORM_TYPE };
}

const requestOrPath = orShort(
  requestPath,
  request,
  'a path such as /login, or a map such as {method: POST, path: /login}',
  (path) => ({ path }),
);

const asked = {
  take: orElse(
    take,
    {},
    'Name → where its value stands in the answer: `$.data.tokens[0]` in its JSON, `header:NAME`, or `cookie:NAME`. It is then `${login.NAME}`.',
  ),
  expect: orNull(expectationOrStatus, 'What the answer must be; any status below 400 where it is absent.'),
};

const ASKED = 'What is asked; a plain text is the path.';
const step = section({
  name: orAbsent(slug, 'What it is called in sentences; its number where it is absent.'),
  request: required(requestOrPath, ASKED),
  ...asked,
});

const STEPS = 'a list of steps such as [{request: /form, take: {csrf: cookie:csrf}}], 32 at most';
const steps = form(
  z.array(step.written, STEPS).min(1, STEPS).max(32, STEPS),
  (written) => written.map((each) => step.read(each)),
  z.array(step.recorded),
);

const whole = section({
  request: orAbsent(requestOrPath, ASKED),
  ...asked,
  steps: orAbsent(
    steps,
    'Several requests, each with its `take`, in this order and instead of one; each knows what those before it took.',
  ),
  users: orAbsent(
    count('a number of users, 1 to 100', 1, 100),
    'How many log in, `${user}` being 1, 2, … in the requests; one where it is absent.',
  ),
});

/**
 * What is asked of a service before it is measured, once for each side and start of its testbed. What it takes from the answers stands
 * for `${login.NAME}` in the paths, headers and bodies of endpoints, and in the steps that follow.
 */
export interface Login {
  /** In their order; at least one. */
  steps: LoginStep[];
  /** How many users log in, `${user}` being 1, 2, … in the steps; absent for one. */
  users?: number;
}

/** `name` is for sentences; `expect` is null where any status below 400 will do. */
export type LoginStep = Omit<ReturnType<typeof step.read>, 'name'> & { name: string };

/** The only step of a login that names none. */
const ONLY_STEP = 'login';

function loginOf(written: Parameters<typeof whole.read>[0]): Login {
  const { steps: several, users, request: only, ...one } = whole.read(written);
  const all = several ?? (only === undefined ? [] : [{ name: ONLY_STEP, request: only, ...one }]);
  return {
    steps: all.map((each, index) => ({ ...each, name: each.name ?? String(index + 1) })),
    ...(users === undefined || users === 1 ? {} : { users }),
  };
}

export const login = form(
  whole.written,
  loginOf,
  z.looseObject({
    steps: z.array(step.recorded.extend({ name: z.string() })),
    users: z.exactOptional(z.number().int().nonnegative()),
  }),
);

/** Every name that the login takes, in the order of its steps. */
export function takenNames(of: Login): string[] {
  return [...new Set(of.steps.flatMap((each) => Object.keys(each.take)))];
}
