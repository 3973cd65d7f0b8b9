import * as z from 'zod';
import { seconds, textOrTexts, texts, textsOf, words } from '../values/forms.ts';
import { count, environmentName, imageReference, listOf, relativePath, requestPath } from '../values/scalars.ts';
import { form, orAbsent, orElse, orNull, required, section, usual } from '../values/section.ts';
import { containerKeys } from './container-keys.ts';
import { headers, METHODS, status } from './endpoint.ts';
import { take } from './take.ts';

/** One step of what an application needs before it is asked; they run in their order, once for each side and build. */
export type PrepareStep = JobStep | SqlStep | StartStep | RequestsStep;

/** A command that runs to its end, with the environment of the service. */
export interface JobStep {
  kind: 'job';
  /** Placeholders may stand in it, as in the service's. */
  command: string[];
  /** In place of the service's; absent for that, or for the one of `image`. */
  entrypoint?: string[];
  /** Docker only; absent for the service's own. */
  image?: string;
  /** On top of the service's. */
  env: Record<string, string>;
  timeoutSeconds: number;
}

/** SQL files, relative to the spec file, run in this order as `database.init` is. */
interface SqlStep {
  kind: 'sql';
  files: string[];
}

/** The service is started until it is ready, for what it does by itself then, and stopped in order. */
interface StartStep {
  kind: 'start';
  /** Where no spec says so: data that are put back are those that the service has made of them as it started. */
  isImplied?: true;
}

/** What the service is asked while it runs, one after the other. */
interface RequestsStep {
  kind: 'requests';
  requests: RepeatedRequest[];
}

/** In path, headers and body `${n}` is the number of the repetition, from 1. */
export interface RepeatedRequest {
  method: string;
  /** After the service's base path. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
  /** The status of a right answer; null for any below 400. */
  status: number | null;
  repeat: number;
  /** Name → where its value stands in the answer, of the last repetition; absent for nothing. */
  take?: Record<string, string>;
}

const request = section({
  method: usual(
    form(z.enum(METHODS), (method): string => method, z.string()),
    'GET',
    'Method of the request.',
  ),
  path: required(
    requestPath,
    'Path and query, after the base path of the service. `${n}` in it, in headers and in the body is the number of the repetition, from 1.',
  ),
  headers: orElse(form(headers, textsOf, z.record(z.string(), z.string())), {}, 'Headers of the request.'),
  body: orNull(z.string('the body as text'), 'Body of the request.'),
  expect: orNull(status, { as: 'status', description: 'Status of a right answer; any below 400 where it is absent.' }),
  repeat: usual(count('a number of times, 1 to 100000', 1, 100_000), 1, 'How often it is sent, one after the other.'),
  take: orAbsent(
    take,
    'Name → where its value stands in the answer, as of `login`. It is then `${prepare.NAME}` in the requests after it, in `login` and in endpoints.',
  ),
});

const REQUESTS_PHRASE = 'a map such as {method: POST, path: /items, repeat: 100}, or a list of them, 64 at most';
const requests = form(
  z.union(
    [request.written, z.array(request.written, REQUESTS_PHRASE).min(1, REQUESTS_PHRASE).max(64, REQUESTS_PHRASE)],
    REQUESTS_PHRASE,
  ),
  (written): RepeatedRequest[] => listOf(written).map((each) => request.read(each as z.output<typeof request.written>)),
  z.array(request.recorded),
);

/** The keys that say what a step does; each has one of them. */
export const STEP_KINDS = ['job', 'sql', 'start', 'requests'] as const;
/** Those that only a job has. */
export const JOB_KEYS = ['image', 'entrypoint', 'env', 'timeout'] as const;

const written = section({
  job: orAbsent(
    words('a list of words such as [python, manage.py, migrate]', 256),
    "A command that runs to its end in the service's image, with the service's environment; with the process runtime in its working directory. Placeholders may stand in it.",
  ),
  image: orAbsent(imageReference, 'Image that the job runs in instead; Docker runtime only.'),
  entrypoint: containerKeys.entrypoint,
  env: orElse(
    texts(environmentName, 'a map of variables such as {WORKERS: 4}'),
    {},
    "Environment variables of the job, on top of the service's.",
  ),
  timeout: usual(seconds, '10m', { as: 'timeoutSeconds', description: 'How long the job may take.' }),
  sql: orAbsent(
    textOrTexts(relativePath, 'a path, or a list such as [sql/seed.sql]', 256),
    "SQL files or globs, run in this order by the database's owner; what they create belongs to the service's role.",
  ),
  start: orAbsent(
    z.literal(true, 'true'),
    'The service itself is started until it is ready, for its own migrations, and stopped again.',
  ),
  requests: orAbsent(requests, 'What the service is asked, one after the other; it is started for that.'),
});

function stepOf(step: z.output<typeof written.written>): PrepareStep {
  const { job, image, entrypoint, env, timeoutSeconds, sql, requests: asked } = written.read(step);
  if (job !== undefined) {
    const own = { ...(image === undefined ? {} : { image }), ...(entrypoint === undefined ? {} : { entrypoint }) };
    return { kind: 'job', command: job, ...own, env, timeoutSeconds };
  }
  if (sql !== undefined) return { kind: 'sql', files: sql };
  return asked === undefined ? { kind: 'start' } : { kind: 'requests', requests: asked };
}

const recordedTexts = z.array(z.string());
const recordedStep = z.union([
  z.looseObject({
    ...{ kind: z.literal('job'), command: recordedTexts, entrypoint: z.exactOptional(recordedTexts) },
    ...{ image: z.exactOptional(z.string()), env: z.record(z.string(), z.string()), timeoutSeconds: z.number() },
  }),
  z.looseObject({ kind: z.literal('sql'), files: recordedTexts }),
  z.looseObject({ kind: z.literal('start') }),
  z.looseObject({ kind: z.literal('requests'), requests: z.array(request.recorded) }),
]);

const STEPS_PHRASE = 'a list of steps such as [{job: [python, manage.py, migrate]}, {sql: seed.sql}], 32 at most';
export const prepare = form(
  z.array(written.written, STEPS_PHRASE).min(1, STEPS_PHRASE).max(32, STEPS_PHRASE),
  (steps) => steps.map(stepOf),
  z.array(recordedStep),
);

interface Prepared {
  prepare?: PrepareStep[];
}

/** SQL files that steps run, in their order. */
export function sqlFilesOf({ prepare = [] }: Prepared): string[] {
  return prepare.flatMap((step) => (step.kind === 'sql' ? step.files : []));
}

/** Images that jobs name, each once. */
export function jobImagesOf({ prepare = [] }: Prepared): string[] {
  return [...new Set(prepare.flatMap((step) => (step.kind === 'job' && step.image !== undefined ? [step.image] : [])))];
}
